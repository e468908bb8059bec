import { perDb } from '../../../../db/query.ts'
import { createShadow } from '../../../../db/shadow.ts'
import { type Caller, type Ctx, createCtx, scopeOf, systemCtx } from '../../../context.ts'
import type { Deps } from '../../../deps.ts'
import { ERRORS } from '../../../error-codes.ts'
import { AppError, PASSING, tooManyElsewhere } from '../../../errors.ts'
import { fieldErrors } from '../../../http/fields.ts'
import { LeasePartiesPut } from '../../lease/contracts/model.ts'
import { BookingCreate } from '../../lease/leases/model.ts'
import { fileName } from '../../papers/media/rules.ts'
import { findMedia } from '../../papers/media/store.ts'
import { elsewhereLeft, spendElsewhere } from '../../people/messages/store.ts'
import { takeShare } from '../../people/organizations/quotas.ts'
import { TenantCreate } from '../../people/tenants/model.ts'
import { findUser, propertiesOf } from '../../people/users/store.ts'
import { PropertyCreate, PropertyPatch } from '../../property/properties/model.ts'
import { UnitCreate } from '../../property/units/model.ts'
import {
  columnOf,
  type Headings,
  isVacant,
  MAX_ATTEMPTS,
  MAX_PROBLEMS,
  MAX_ROWS,
  type Problem,
  plain,
  type Row,
  readHeadings,
  readRow,
} from './rules.ts'
import { BRING, changeImport, createIndex, type Judge } from './service.ts'
import { findImport, type ImportRow, nextImport } from './store.ts'

type Runner = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'blobs' | 'tables'> & {
  readonly store: Pick<Deps['store'], 'snapshot'>
}
/** Rows between two saves of a run's progress. */
const NOTE_EVERY = 500
/** How often a run starts over because its data was changed by others. */
const TRIES = 5

const SCHEMAS = {
  property: PropertyCreate,
  unit: UnitCreate,
  tenant: TenantCreate,
  booking: BookingCreate,
  parties: LeasePartiesPut,
}
const judge: Judge = (name, body) => {
  const { type, ...members } = body
  const errors = [
    ...fieldErrors(SCHEMAS[name], members),
    ...(type === undefined ? [] : fieldErrors(PropertyPatch, { type })),
  ]
  if (errors.length > 0) throw new AppError('validation_failed', undefined, { errors })
}

/** After a fault that passes: twice as long each time, because trying reads the whole file. */
const AGAIN_MS = 5_000
const LONGEST_MS = 300_000
/**
 * Runs that this process began and could not put back on a full disk, so that no crash left them behind; since when,
 * and for how long, no run is tried.
 */
const waiting = perDb(() => ({ ours: new Set<string>(), since: 0, pause: 0 }))

/** Runs the waiting imports one after another; one that crashed the process is given up. @returns how many */
export async function runImports(deps: Runner & Pick<Deps, 'log' | 'importThread' | 'stopping'>): Promise<number> {
  const waits = waiting(deps.db)
  if (Math.abs(deps.clock.wall() - waits.since) < waits.pause) return 0
  for (let done = 0; ; done++) {
    const next = deps.stopping.aborted ? undefined : nextImport(deps.db)
    if (!next) return done
    const ctx = (tx: Ctx['tx']) => systemCtx(deps, tx, next.orgId, `import-${next.id}`)
    const found = findImport(deps.db, next.orgId, next.id)
    if (!found) return done
    const fail = (row: ImportRow, problem: Problem) =>
      deps.write(next.orgId, (tx) =>
        changeImport(ctx(tx), row, ended(deps, { status: 'FAILED', problems: [problem], problemCount: 1 })),
      )
    const isOurs = waits.ours.delete(found.id)
    if ((found.status === 'RUNNING' && !isOurs) || found.attempts >= MAX_ATTEMPTS) {
      await fail(found, { row: 0, message: INTERRUPTED })
      continue
    }
    if (!isOurs)
      await deps.write(next.orgId, (tx) =>
        changeImport(ctx(tx), found, { status: 'RUNNING', attempts: found.attempts + 1 }),
      )
    try {
      if (deps.importThread) await deps.importThread.run(next.orgId, next.id)
      else await bringIn(deps, next.orgId, next.id)
      waits.pause = 0
    } catch (e) {
      const row = findImport(deps.db, next.orgId, next.id)
      const retry = { status: 'QUEUED', attempts: found.attempts - (isOurs ? 1 : 0) } as const
      if (deps.stopping.aborted) {
        if (row?.status === 'RUNNING') await deps.write(next.orgId, (tx) => changeImport(ctx(tx), row, retry))
        return done
      }
      if (e instanceof AppError && PASSING.includes(e.code)) {
        waits.since = deps.clock.wall()
        waits.pause = Math.min(LONGEST_MS, waits.pause * 2 || AGAIN_MS)
        if (row?.status === 'RUNNING') {
          // A full disk may refuse this too: then it stays RUNNING, as after a crash.
          waits.ours.add(row.id)
          await deps.write(next.orgId, (tx) => changeImport(ctx(tx), row, retry))
          waits.ours.delete(row.id)
        }
        throw e
      }
      const known = e instanceof AppError && e.code !== 'internal'
      if (!known) deps.log.error('import.failed', e, { importId: next.id })
      // A run that is no longer RUNNING keeps its result, whatever failed after it.
      if (row?.status === 'RUNNING')
        await fail(row, { row: 0, message: known ? wordsOf(e as AppError) : ERRORS.internal })
    }
  }
}
const wordsOf = (e: AppError): Problem['message'] => e.details.errors?.[0]?.message ?? e.text ?? ERRORS[e.code]
const INTERRUPTED = {
  en: 'The service stopped during this import, perhaps because of this file. Nothing was imported. Check the file, then import it again.',
  fr: 'Le service s’est arrêté pendant cette importation, peut-être à cause de ce fichier. Rien n’a été importé. Vérifiez le fichier, puis importez-le de nouveau.',
}
const ended = (deps: Runner, changes: Partial<ImportRow>): Partial<ImportRow> => ({
  ...changes,
  csv: null,
  finishedAt: new Date(deps.clock.now()).toISOString(),
})

/** Columns that the use cases name differently from the file. */
const CALLED: Readonly<Record<string, string>> = { fullName: 'tenant' }
/** The column to name for an error without members. */
const ABOUT: Partial<Record<AppError['code'], string>> = { duplicate: 'phoneNumber', unit_unavailable: 'unit' }

/** The errors of a use case for a row, each with its column. */
function problemsOf(row: number, kind: ImportRow['kind'], head: Headings, e: AppError): Problem[] {
  const at = (member: string, message: Problem['message']): Problem => {
    const column = columnOf(kind, head, member) ?? columnOf(kind, head, CALLED[member] ?? '')
    return { row, ...(column && { column }), message }
  }
  const errors = e.details.errors ?? []
  if (errors.length === 0) return [at(ABOUT[e.code] ?? '', e.text ?? ERRORS[e.code])]
  return errors.map(({ path, message }) => at(path.split('/')[1] ?? '', message))
}

async function fileOf(deps: Runner, row: ImportRow): Promise<Uint8Array<ArrayBuffer>> {
  if (row.csv !== null) return new TextEncoder().encode(row.csv)
  const media = findMedia(deps.db, row.orgId, row.mediaObjectId ?? '')
  const blob = media?.sha256 && (await deps.blobs.open(fileName(media.id, media.sha256)))
  if (!blob) throw new AppError('not_found')
  return blob.bytes()
}

/** The maker of the run, with their present rights. @throws forbidden */
function makerOf(deps: Runner, { orgId, createdBy }: ImportRow): Caller {
  const user = findUser(deps.db, orgId, createdBy)
  const roles = (user?.roles ?? []) as Caller['roles']
  const scope = scopeOf(createdBy, roles, user && propertiesOf(deps.db, user))
  // A manager of some properties may import nothing.
  if (user?.status !== 'ACTIVE' || scope.kind === 'tenant' || scope.kind === 'limited') throw new AppError('forbidden')
  return { userId: createdBy, orgId, roles, scope }
}

/** Runs one import. @throws what stopped it; nothing is imported then */
export async function bringIn(deps: Runner, orgId: string, id: string): Promise<void> {
  const begun = findImport(deps.db, orgId, id)
  if (!begun) return
  const bytes = await fileOf(deps, begun)
  for (let n = 1; n <= TRIES; n++) if (await attempt(deps, id, orgId, bytes)) return
  throw new AppError('invalid_state', {
    en: 'Others kept changing the data that this file names. Nothing was imported. Try again later.',
    fr: 'D’autres personnes ont sans cesse modifié ce que ce fichier désigne. Rien n’a été importé ; réessayez plus tard.',
  })
}

const NAMES = ['name', 'property', 'label', 'unit', 'fullName', 'tenant', 'phoneNumber']
const namesIn = (values: Row): string[] => NAMES.flatMap((n) => (typeof values[n] === 'string' ? [values[n]] : []))

/**
 * Imports into a copy, then copies the result into the original in one step; false if others changed the data it used.
 */
async function attempt(deps: Runner, id: string, orgId: string, bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
  return deps.store.snapshot(async (db, rest) => {
    let row = findImport(deps.db, orgId, id)
    if (row?.status !== 'RUNNING') return true
    const { kind, dryRun } = row
    const caller = makerOf(deps, row)
    const system = (tx: Ctx['tx']) => systemCtx(deps, tx, orgId, `import-${id}`)
    const note = async (changes: Partial<ImportRow>): Promise<void> => {
      const before: ImportRow | undefined = row
      if (before) row = await deps.write(orgId, (tx) => changeImport(system(tx), before, changes))
    }
    // Blank lines are skipped but counted, because a spreadsheet numbers them.
    const [headings = [], ...lines] = await deps.tables.read(bytes, MAX_ROWS, rest)
    const head = readHeadings(kind, headings)
    const filled = lines
      .map((cells, i) => ({ cells, at: i + 2 }))
      .filter(({ cells }) => cells.some((c) => c.trim() !== '') && !isVacant(kind, head, cells))
    const problems: Problem[] = [...head.problems]
    let problemCount = problems.length
    const found = (...more: readonly Problem[]): void => {
      problemCount += more.length
      problems.push(...more.slice(0, Math.max(0, MAX_PROBLEMS - problems.length)))
    }
    if (filled.length === 0) found({ row: 0, message: EMPTY })
    await note({ rows: filled.length, rowsDone: 0 })
    if (problemCount > 0) {
      await note(ended(deps, { status: 'FAILED', problems, problemCount }))
      return true
    }

    const rows: { readonly at: number; readonly values: Row; readonly wrong: readonly Problem[] }[] = []
    for (const { cells, at } of filled) {
      const { values, problems: wrong } = readRow(kind, head, cells, at)
      rows.push({ at, values, wrong })
      if (rows.length % 200 === 0) await rest()
    }
    const phones = new Set(
      rows.flatMap(({ values }) => (typeof values.phoneNumber === 'string' ? [values.phoneNumber] : [])),
    )
    const names = new Set(rows.flatMap(({ values }) => namesIn(values).map(plain)))
    const shadow = await createShadow(db, orgId, [...phones], rest)
    try {
      const index = createIndex(shadow.db, caller)
      let done = 0
      let elsewhere = 0
      const tellable = elsewhereLeft(deps.db, caller, deps.clock.now())
      for (const { at, values, wrong } of rows) {
        found(...wrong)
        if (elsewhere >= tellable && values.phoneNumber !== undefined) {
          found(...problemsOf(at, kind, head, tooManyElsewhere(deps.clock.now())))
          break
        }
        if (wrong.length === 0)
          try {
            shadow.run((tx) => BRING[kind](createCtx(deps, tx, caller, `import-${id}`), values, index, judge))
          } catch (e) {
            if (!(e instanceof AppError) || e.code === 'internal') throw e
            if (e.code === 'member_elsewhere') elsewhere += 1
            found(...problemsOf(at, kind, head, e))
          }
        done += 1
        await rest()
        if (done % NOTE_EVERY === 0) await note({ rowsDone: done, problemCount })
      }
      if (elsewhere > 0) await deps.write(orgId, (tx) => void spendElsewhere(tx, caller, deps.clock.now(), elsewhere))
      const fresh = shadow.fresh()
      const created: Record<string, number> = {}
      for (const [table, name] of Object.entries(COUNTED)) if (fresh[table]) created[name] = fresh[table]
      const result = ended(deps, {
        status: problemCount > 0 ? 'FAILED' : 'SUCCEEDED',
        rowsDone: done,
        problems,
        problemCount,
        created: problemCount > 0 ? {} : created,
      })
      if (dryRun || problemCount > 0) {
        await note(result)
        return true
      }
      const before = row
      return await deps.write(orgId, (tx) => {
        if (!shadow.apply(tx, (name) => names.has(plain(name)))) return false
        for (const table of SHARED) takeShare({ tx, caller }, table, fresh[table] ?? 0)
        changeImport(system(tx), before, result)
        return true
      })
    } finally {
      await shadow.close()
    }
  })
}
const EMPTY = { en: 'The file has no rows.', fr: 'Le fichier ne contient aucune ligne.' }
/** Rows that are counted as their maker's: the counters of the copy stay behind. */
const SHARED = ['property', 'unit', 'tenant', 'booking'] as const
const COUNTED: Readonly<Record<string, string>> = {
  property: 'properties',
  unit: 'units',
  tenant: 'tenants',
  booking: 'bookings',
  invoice: 'invoices',
}
