import { perDb } from '../../../../db/query.ts'
import { type Caller, type Ctx, createCtx, scopeOf, systemCtx } from '../../../context.ts'
import { IMPORT_MEMORY } from '../../../core/budgets.ts'
import type { Deps } from '../../../deps.ts'
import { ERRORS } from '../../../error-codes.ts'
import { AppError, PASSING, tooManyElsewhere } from '../../../errors.ts'
import { fieldErrors } from '../../../http/validation.ts'
import { LeasePartiesPut } from '../../lease/contracts/model.ts'
import { BookingCreate } from '../../lease/leases/model.ts'
import { fileName } from '../../papers/media/rules.ts'
import { findMedia } from '../../papers/media/store.ts'
import { elsewhereLeft, spendElsewhere } from '../../people/messages/store.ts'
import { TenantCreate } from '../../people/tenants/model.ts'
import { findUser, propertiesOf } from '../../people/users/store.ts'
import { PropertyCreate, PropertyPatch } from '../../property/properties/model.ts'
import { UnitCreate } from '../../property/units/model.ts'
import {
  type Asked,
  columnOf,
  HEADING_LINES,
  MAX_ATTEMPTS,
  MAX_PROBLEMS,
  MAX_ROWS,
  type Preview,
  type PreviewRow,
  type Problem,
  type Reading,
} from './rules.ts'
import { BRING, type Brought, bringVacant, changeImport, createIndex, type Judge } from './service.ts'
import {
  type Headings,
  hasHeadings,
  headingsKey,
  kindOfSheet,
  readHeadings,
  readLines,
  TOO_MANY_ROWS,
} from './sheets.ts'
import {
  countsOf,
  findImport,
  type ImportRow,
  nextImport,
  type Progress,
  progressOf,
  propertyNames,
  readBefore,
} from './store.ts'

type Runner = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'blobs' | 'tables'> & {
  /** @throws where the service stops, so that the run is undone and waits for the next start */
  readonly checkStop: () => void
  readonly note: (progress: Progress) => void
}
export type ImportTask = { readonly orgId: string; readonly importId: string }
/** Rows between two notes of a run's progress. */
const NOTE_EVERY = 50

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
export async function runImports(deps: Pick<Deps, Shared>): Promise<number> {
  const waits = waiting(deps.db)
  if (Math.abs(deps.clock.wall() - waits.since) < waits.pause) return 0
  for (let done = 0; ; done++) {
    const next = deps.stopping.aborted ? undefined : nextImport(deps.db).get({})
    if (!next) return done
    const ctx = (tx: Ctx['tx']) => systemCtx(deps, tx, next.orgId, `import-${next.id}`)
    const queued = findImport(deps.db, next.orgId, next.id)
    if (!queued) return done
    const fail = (row: ImportRow, problem: Problem) =>
      deps.write(next.orgId, (tx) =>
        changeImport(ctx(tx), row, ended(deps, { status: 'FAILED', problems: [problem], problemCount: 1 })),
      )
    const isOurs = waits.ours.delete(queued.id)
    if ((queued.status === 'RUNNING' && !isOurs) || queued.attempts >= MAX_ATTEMPTS) {
      await fail(queued, { row: 0, message: INTERRUPTED })
      continue
    }
    if (!isOurs)
      await deps.write(next.orgId, (tx) =>
        changeImport(ctx(tx), queued, { status: 'RUNNING', attempts: queued.attempts + 1 }),
      )
    try {
      await runOne(deps, { orgId: next.orgId, importId: next.id })
      waits.pause = 0
    } catch (e) {
      const row = findImport(deps.db, next.orgId, next.id)
      const retry = { status: 'QUEUED', attempts: queued.attempts - (isOurs ? 1 : 0) } as const
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
type Shared = Exclude<keyof Runner, 'checkStop' | 'note'> | 'log' | 'aside' | 'stopping'
/** One run: on a thread of its own, where there is one. */
async function runOne(deps: Pick<Deps, Shared>, task: ImportTask): Promise<void> {
  const progress = progressOf(deps.db)
  const note = (noted: object): void => void progress.set(task.importId, noted as Progress)
  try {
    if (deps.aside)
      await deps.aside.run('import', task, { memory: { most: IMPORT_MEMORY, refusal: tooMuchMemory }, noted: note })
    else await bringIn({ ...deps, note, checkStop: () => deps.stopping.throwIfAborted() }, task)
  } finally {
    progress.delete(task.importId)
  }
}
const tooMuchMemory = () =>
  new AppError('validation_failed', {
    en: 'This file takes too much memory to be read. Nothing came in; divide it and try again.',
    fr: 'La lecture de ce fichier demande trop de mémoire. Rien n’a été importé\u00a0; divisez-le et réessayez.',
  })
const wordsOf = (e: AppError): Problem['message'] => e.details.errors?.[0]?.message ?? e.text ?? ERRORS[e.code]
const INTERRUPTED = {
  en: 'The service stopped during this import, perhaps because of this file. Nothing was imported. Check the file, then import it again.',
  fr: 'Le service s’est arrêté pendant cette importation, peut-être à cause de ce fichier. Rien n’a été importé. Vérifiez le fichier, puis importez-le de nouveau.',
}
const ended = (deps: Pick<Deps, 'clock'>, changes: Partial<ImportRow>): Partial<ImportRow> => ({
  ...changes,
  csv: null,
  asked: null,
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

async function fileOf(deps: Pick<Runner, 'db' | 'blobs'>, row: ImportRow): Promise<Uint8Array<ArrayBuffer>> {
  if (row.csv !== null) return new TextEncoder().encode(row.csv)
  const media = findMedia(deps.db, row.orgId, row.mediaObjectId ?? '')
  const blob = media?.sha256 && (await deps.blobs.open(fileName(media.id, media.sha256)))
  if (!blob) throw new AppError('not_found')
  return blob.bytes()
}

/** The maker of the run, with their present rights. @throws forbidden */
function makerOf(deps: Pick<Runner, 'db'>, { orgId, createdBy }: ImportRow): Caller {
  const user = findUser(deps.db, orgId, createdBy)
  const roles = (user?.roles ?? []) as Caller['roles']
  const scope = scopeOf(createdBy, roles, user && propertiesOf(deps.db, user))
  // A manager of some properties may import nothing.
  if (user?.status !== 'ACTIVE' || scope.kind === 'tenant' || scope.kind === 'limited') throw new AppError('forbidden')
  return { userId: createdBy, orgId, roles, scope }
}

/** A run as it is carried out; the rows that were found in error are undone with all others. */
type Outcome = Pick<ImportRow, 'rowsDone' | 'problems' | 'problemCount' | 'created' | 'reading' | 'preview'>
/** Undoes the transaction of a run that is not to stay. */
class Undone extends Error {
  readonly outcome: Outcome & { readonly elsewhere: number }
  constructor(outcome: Undone['outcome']) {
    super('the run is undone')
    this.outcome = outcome
  }
}

/** Runs one import, in one transaction. @throws what stopped it; nothing is imported then */
export async function bringIn(deps: Runner, { orgId, importId: id }: ImportTask): Promise<void> {
  const begun = findImport(deps.db, orgId, id)
  if (begun?.status !== 'RUNNING') return
  const { dryRun } = begun
  const asked = begun.asked ?? {}
  const caller = makerOf(deps, begun)
  const bytes = await fileOf(deps, begun)
  // A title may stand above the headings.
  const sheet = await deps.tables.read(bytes, MAX_ROWS, async () => deps.checkStop(), {
    linesAbove: HEADING_LINES - 1,
    isWanted: (one) =>
      asked.sheet === undefined
        ? !one.isHidden && hasHeadings(one, asked.anyKind ? undefined : begun.kind)
        : one.name === asked.sheet,
  })
  const kind = asked.anyKind ? kindOfSheet(sheet.rows) : begun.kind
  const finish = (tx: Ctx['tx'], outcome: Partial<ImportRow>): null => {
    const row = findImport(tx, orgId, id)
    if (row?.status !== 'RUNNING') return null
    const status = outcome.problemCount === 0 ? 'SUCCEEDED' : 'FAILED'
    changeImport(systemCtx(deps, tx, orgId, `import-${id}`), row, ended(deps, { kind, ...outcome, status }))
    return null
  }
  const said = saidBeside(deps, caller, asked)
  const head = readHeadings(kind, sheet, {
    headingRow: asked.headingRow,
    mapping: asked.mapping,
    // Who says until when the rent is paid need not know the first day.
    said: [...said, ...(asked.paidUntil === undefined ? [] : ['startDate'])],
    remembered: (key) => {
      const before = readBefore(deps.db, orgId, key)
      return before?.kind === kind
        ? before.reading?.columns.map(({ index, member }) => ({ column: index, member: member ?? null }))
        : undefined
    },
  })
  const reading = (counted: Reading['outcomes']): Reading => ({
    key: headingsKey(head.columns),
    ...(sheet.name !== undefined && { sheet: sheet.name }),
    headingRow: head.line + 1,
    others: sheet.others,
    columns: head.columns,
    outcomes: counted,
  })
  const values = head.columns.map(({ index }) =>
    sheet.rows
      .slice(head.line + 1)
      .map((cells) => (cells[index] ?? '').slice(0, 60))
      .filter((cell) => cell.trim() !== '')
      .slice(0, 3),
  )
  const lines =
    head.problems.length > 0
      ? []
      : readLines(kind, sheet, head, {
          fixes: asked.fixes,
          hidden: asked.hiddenRows,
          said,
          paidUntil: asked.paidUntil,
          year: Number(new Date(deps.clock.now()).toISOString().slice(0, 4)),
        }).filter(({ at }) => !asked.leaveOut?.includes(at))
  // A vacant home brings nothing in, unless homes are made.
  const isMade = (outcome: PreviewRow['outcome']): boolean => outcome === 'VACANT' && asked.createUnits === true
  const count = lines.filter(({ outcome }) => outcome === undefined || isMade(outcome)).length
  const whole = [
    ...head.problems,
    ...(count > MAX_ROWS ? [{ row: 0, message: TOO_MANY_ROWS }] : []),
    ...(head.problems.length === 0 && count === 0 ? [{ row: 0, message: EMPTY }] : []),
  ]
  if (whole.length > 0) {
    const failed = { rows: count, problems: whole.slice(0, MAX_PROBLEMS), problemCount: whole.length }
    await deps.write(orgId, (tx) => finish(tx, { ...failed, reading: reading({}), preview: { values, rows: [] } }))
    return
  }
  deps.note({ rows: count, rowsDone: 0, problemCount: 0 })

  const bring = (tx: Ctx['tx']): null => {
    const before = countsOf(tx, orgId)
    const index = createIndex(tx, caller, asked)
    const { problems, report, count: reported } = collected()
    const alone = savepoints(tx)
    const tellable = elsewhereLeft(tx, caller, deps.clock.now())
    const read: PreviewRow[] = []
    let done = 0
    let elsewhere = 0
    for (const { at, outcome, values, problems: wrong } of lines) {
      deps.checkStop()
      if (outcome !== undefined && !isMade(outcome)) {
        read.push({ row: at, outcome, values })
        continue
      }
      if (elsewhere >= tellable && values.phoneNumber !== undefined) {
        report(...problemsOf(at, kind, head, tooManyElsewhere(deps.clock.now())))
        break
      }
      let failed = wrong
      let brought: Brought = { outcome: outcome ?? 'NEW' }
      if (wrong.length === 0)
        try {
          alone(() => {
            const ctx = createCtx(deps, tx, caller, `import-${id}`)
            if (outcome === 'VACANT') bringVacant(ctx, values, index, judge)
            else brought = BRING[kind](ctx, values, index, judge)
          })
        } catch (e) {
          if (!(e instanceof AppError) || e.code === 'internal') throw e
          if (e.code === 'member_elsewhere') elsewhere += 1
          failed = problemsOf(at, kind, head, e)
        }
      report(...failed)
      const [first] = failed
      read.push({ row: at, values, ...(first ? { outcome: 'PROBLEM' as const, message: first.message } : brought) })
      done += 1
      if (done % NOTE_EVERY === 0) deps.note({ rows: count, rowsDone: done, problemCount: reported() })
    }
    const created = reported() > 0 ? {} : added(before, countsOf(tx, orgId))
    const preview: Preview = { values, rows: read }
    const outcome = {
      rows: count,
      rowsDone: done,
      problems,
      problemCount: reported(),
      created,
      reading: reading(counted(read)),
      preview,
    }
    if (dryRun || reported() > 0) throw new Undone({ ...outcome, elsewhere })
    return finish(tx, outcome)
  }
  try {
    await deps.write(orgId, bring)
  } catch (e) {
    if (!(e instanceof Undone)) throw e
    const { elsewhere, ...outcome } = e.outcome
    await deps.write(orgId, (tx) => {
      if (elsewhere > 0) spendElsewhere(tx, caller, deps.clock.now(), elsewhere)
      return finish(tx, outcome)
    })
  }
}

/** The members of leases that need no column: those that the caller says, or that can only be one. */
function saidBeside({ db }: Pick<Runner, 'db'>, { orgId, userId, scope }: Caller, asked: Asked): string[] {
  if (asked.propertyId !== undefined || asked.property?.name) return ['property']
  const mine = propertyNames(db, { orgId }).filter((p) => scope.kind === 'all' || p.ownerUserId === userId)
  return mine.length === 1 ? ['property'] : []
}
/** How many rows there are of each outcome. */
function counted(rows: readonly PreviewRow[]): Reading['outcomes'] {
  const n: Partial<Record<PreviewRow['outcome'], number>> = {}
  for (const { outcome } of rows) n[outcome] = (n[outcome] ?? 0) + 1
  return n
}

/** Collects the problems of a file, of which the first are kept and all are counted. */
function collected() {
  const problems: Problem[] = []
  let n = 0
  return {
    problems,
    count: (): number => n,
    report(...more: readonly Problem[]): void {
      n += more.length
      problems.push(...more.slice(0, Math.max(0, MAX_PROBLEMS - problems.length)))
    },
  }
}

/** `alone(fn)`: an exception undoes the effects of `fn` only. */
function savepoints({ $client }: Ctx['tx']) {
  const [savepoint, release, undo] = ['savepoint r', 'release r', 'rollback to r'].map((sql) => $client.prepare(sql))
  return (fn: () => unknown): void => {
    savepoint?.run()
    try {
      fn()
    } catch (e) {
      undo?.run()
      throw e
    } finally {
      release?.run()
    }
  }
}

/** How many more there are of each kind. */
const added = (before: Readonly<Record<string, number>>, after: Readonly<Record<string, number>>) =>
  Object.fromEntries(
    Object.entries(after).flatMap(([name, n]) => (n > (before[name] ?? 0) ? [[name, n - (before[name] ?? 0)]] : [])),
  )
const EMPTY = { en: 'The file has no rows.', fr: 'Le fichier ne contient aucune ligne.' }
