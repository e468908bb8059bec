import { hash, randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Db, Tx } from '../../../../db/open.ts'
import { record } from '../../../changes/record.ts'
import { systemCtx } from '../../../context.ts'
import { originOf } from '../../../core/addresses.ts'
import { isUuid } from '../../../core/id.ts'
import { deriveKey, seal, unseal } from '../../../core/seal.ts'
import type { Deps } from '../../../deps.ts'
import { FILES } from './rules.ts'
import { packed, refuse, type Tally } from './service.ts'
import {
  type Along,
  bringAlong,
  dropArrival,
  endSessionsOf,
  type Move,
  messagesUnderWay,
  organizationThere,
  readArrival,
  readMove,
  readMoves,
  removeOrganization,
  rowsAlong,
  rowsWith,
  writeMove,
} from './store.ts'

/** A key of 32 bytes, which the service that an organization leaves gives away once it has let go. */
const newKey = (): string => randomBytes(32).toString('base64url')
/** What an export tells of its key: the service where it arrives knows the right one by this. */
const opensWith = (key: string): string => hash('sha256', key, 'hex')

/** What an operator types to open an organization where it arrived: its id and the key. */
const openingOf = (org: string, key: string): string => `${org}.${key}`
function readOpening(text: string): { readonly org: string; readonly key: string } | undefined {
  const [org = '', key = '', ...more] = text.trim().split('.')
  return isUuid(org) && /^[\w-]{43}$/.test(key) && more.length === 0 ? { org, key } : undefined
}

/** Addresses of services: https, and http on this machine alone. */
const SERVICE = /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$)/

type Work = Pick<
  Deps,
  'db' | 'write' | 'clock' | 'newId' | 'masterKey' | 'blobs' | 'documents' | 'zip' | 'tables' | 'stopping'
> & { readonly store: Pick<Deps['store'], 'snapshot'> }
type Who = { readonly org: string; readonly by: string }

const nowOf = (deps: Work): string => new Date(deps.clock.now()).toISOString()
/** Writes of an organization that stands still are refused when they name it, and these must not be. */
const note = (deps: Work, tx: Tx, action: string, { org, by }: Who, more: Readonly<Record<string, string>> = {}) =>
  record(systemCtx(deps, tx, org, `operator-${deps.newId()}`), action, {
    type: 'organization',
    after: { id: org },
    details: { by, ...more },
  })

function expectThere(db: Db, org: string): void {
  if (!organizationThere(db, org))
    throw refuse('This organization does not exist on this server.', 'Cette organisation ne se trouve pas ici.')
}

/** The state of an organization at the service that it leaves. */
export type Left = Exclude<Move, { readonly state: 'ARRIVED' }>

/** How long a vendor is waited for that takes a message at this moment, ms, and how often it is looked at. */
const SENDING_MS = 60_000
const LOOK_MS = 50

/**
 * Freezes an organization: from here on each of its writes is refused, reads go on and its work in the background pauses.
 * Resolves once nothing of it is on its way any more. Twice is once. @throws invalid_state
 */
export async function freeze(deps: Work, who: Who): Promise<Left> {
  const { org } = who
  expectThere(deps.db, org)
  const move = await deps.write<Left>(null, (tx) => {
    const before = readMove(tx, org)
    if (before?.state === 'ARRIVED')
      throw refuse(
        'This organization has come here and is not open yet: finish that move, or undo it.',
        'Cette organisation vient d’arriver ici et n’est pas encore ouverte : terminez ce déménagement ou annulez-le.',
      )
    if (before) return before
    const frozen = { state: 'FROZEN', since: nowOf(deps), key: newKey() } as const
    note(deps, tx, 'organization.export', who)
    writeMove(tx, org, frozen)
    return frozen
  })
  for (let left = SENDING_MS; left > 0 && messagesUnderWay(deps.db, org, deps.clock.wall()) > 0; left -= LOOK_MS)
    await setTimeout(LOOK_MS)
  return move
}

/** Packs a frozen organization with its sealed part; `save` stores the archive and returns its SHA-256. */
export async function exportFrozen(
  deps: Work,
  { org, key }: { readonly org: string; readonly key: string },
  save: (archive: ReadableStream<Uint8Array>) => Promise<string>,
): Promise<Tally & { readonly sha256: string }> {
  const tally = { files: 0, papersOfOthers: 0 }
  const sha256 = await deps.store.snapshot((db, rest) => {
    const moving = {
      opens: opensWith(key),
      sealed: seal(keyOf(key), org, JSON.stringify(unsealed(deps, rowsAlong(db, org)))),
    }
    return save(packed(deps, db, { holder: { org }, tally, rest, moving }))
  })
  return { ...tally, sha256 }
}

/** Notes that the export with this digest is complete, before it gets its name. @throws invalid_state if it was released */
export const noteExport = (deps: Work, org: string, sha256: string): Promise<true> =>
  deps.write(null, (tx) => {
    const move = readMove(tx, org)
    if (!move || move.state === 'ARRIVED') throw notFrozen()
    writeMove(tx, org, { ...move, sha256 })
    return true
  })

const notFrozen = () =>
  refuse(
    'This organization is not frozen: it is open for writing here.',
    'Cette organisation n’est pas figée : elle est ouverte ici en écriture.',
  )

/** Ends the freeze: the organization goes on here, and no export of it can be opened elsewhere. @throws invalid_state */
export const release = (deps: Work, who: Who): Promise<true> =>
  deps.write(null, (tx) => {
    const { org } = who
    expectThere(tx, org)
    const move = readMove(tx, org)
    if (move?.state === 'MOVED')
      throw refuse(
        `This organization has moved to ${move.to}, and may have been changed there. Move it back from there.`,
        `Cette organisation a déménagé à l’adresse ${move.to} et y a peut-être été modifiée. Faites-la revenir de là-bas.`,
      )
    if (move?.state !== 'FROZEN') throw notFrozen()
    writeMove(tx, org, undefined)
    note(deps, tx, 'organization.release', who)
    return true
  })

/**
 * Lets go of a frozen organization: it lives at another address from now on, and its people's sign-ins end here. Again
 * with another address it only changes that. @returns what opens it there @throws invalid_state
 */
export const moveAway = (deps: Work, who: Who, url: string): Promise<string> =>
  deps.write(null, (tx) => {
    const { org } = who
    const to = originOf(url)
    if (to === undefined || !SERVICE.test(to))
      throw refuse(
        '--moved-to: the address of the other service, such as https://rent.example.cm.',
        '--moved-to : l’adresse de l’autre service, par exemple https://loyer.example.cm.',
      )
    expectThere(tx, org)
    const move = readMove(tx, org)
    if (!move || move.state === 'ARRIVED') throw notFrozen()
    const { key, sha256 } = move
    if (sha256 === undefined)
      throw refuse(
        'The export of this organization was cut off. Export it again first.',
        'L’export de cette organisation a été interrompu. Refaites-le d’abord.',
      )
    if (move.state === 'FROZEN') note(deps, tx, 'organization.leave', who, { to })
    writeMove(tx, org, { state: 'MOVED', since: nowOf(deps), key, sha256, to })
    endSessionsOf(tx, org)
    return openingOf(org, key)
  })

/**
 * Opens an organization where it arrived, with what the other service gave away as it let go: people sign in, waiting
 * work goes on. @returns its id @throws invalid_state
 */
export const open = (deps: Work, text: string, by: string): Promise<string> =>
  deps.write(null, (tx) => {
    const { org, key } = readOpening(text) ?? { org: '', key: '' }
    const move = org === '' ? undefined : readMove(tx, org)
    if (org !== '' && !move && organizationThere(tx, org))
      throw refuse('This organization is open here already.', 'Cette organisation est déjà ouverte ici.')
    const sealed = readArrival(tx, org)
    if (move?.state !== 'ARRIVED' || sealed === undefined || opensWith(key) !== move.opens)
      throw refuse(
        'This opens no organization that has come here. Copy the line that the other service printed; if it exported the organization anew since, import that file.',
        'Ceci n’ouvre aucune organisation arrivée ici. Recopiez la ligne que l’autre service a affichée ; s’il a refait l’export depuis, importez ce fichier.',
      )
    writeMove(tx, org, undefined)
    dropArrival(tx, org)
    bringAlong(tx, org, resealed(deps, JSON.parse(unseal(keyOf(key), org, sealed)) as Along))
    note(deps, tx, 'organization.open', { org, by })
    return org
  })

/**
 * Removes an organization that has come and is not open yet, or what is left of one that has moved away, with its files.
 * @throws invalid_state for one that lives here
 */
export async function remove(deps: Work, org: string, state: 'ARRIVED' | 'MOVED'): Promise<void> {
  expectThere(deps.db, org)
  const check = (db: Db): void => {
    if (readMove(db, org)?.state === state) return
    throw state === 'ARRIVED'
      ? refuse(
          'This organization is open here: there is no import to undo.',
          'Cette organisation est ouverte ici : il n’y a pas d’import à annuler.',
        )
      : refuse(
          'This organization has not moved away: nothing of it is removed.',
          'Cette organisation n’a pas déménagé : rien n’en est supprimé.',
        )
  }
  check(deps.db)
  // Files first: killed in between, the same command finishes it.
  for (const [table, { store }] of Object.entries(FILES))
    for (const { id } of rowsWith(deps.db, org, { table: table as 'document', column: 'org_id', values: [org] }))
      await deps[store].remove(String(id))
  await deps.write(null, (tx) => {
    check(tx)
    removeOrganization(tx, org)
    writeMove(tx, org, undefined)
    dropArrival(tx, org)
    return true
  })
}

/** A sentence on each organization that is on its way, for people at the server. */
export const movesIn = (db: Db): readonly { readonly en: string; readonly fr: string }[] =>
  [...readMoves(db)].map(([org, move]) => {
    const since = move.since.slice(0, 16).replace('T', ' ')
    if (move.state === 'MOVED')
      return {
        en: `organization ${org} has moved to ${move.to} (${since})`,
        fr: `l’organisation ${org} a déménagé à l’adresse ${move.to} (${since})`,
      }
    return move.state === 'FROZEN'
      ? {
          en: `organization ${org} lives here and is frozen since ${since}: --moved-to or --release ends it`,
          fr: `l’organisation ${org} est ici, figée depuis ${since} : --moved-to ou --release y met fin`,
        }
      : {
          en: `organization ${org} has come and is closed since ${since}: it lives at the other service until \`loyer import --open\``,
          fr: `l’organisation ${org} est arrivée, fermée depuis ${since} : elle reste à l’autre service jusqu’à \`loyer import --open\``,
        }
  })

const keyOf = (key: string): Uint8Array => Buffer.from(key, 'base64url')
/** The values that a data folder's own key seals, by table: each is bound to the id of its row. */
const SEALED = { second_factor: 'identity second factor', outbound_message: 'outbound messages' } as const
const each = (rows: Along, change: (key: string, id: string, value: string) => string): Along => {
  const changed = { ...rows }
  for (const table of Object.keys(SEALED) as (keyof typeof SEALED)[])
    changed[table] = rows[table].map((row) =>
      typeof row.sealed === 'string' ? { ...row, sealed: change(SEALED[table], String(row.id), row.sealed) } : row,
    )
  return changed
}
const unsealed = ({ masterKey }: Work, rows: Along): Along =>
  each(rows, (purpose, id, value) => unseal(deriveKey(masterKey, purpose), id, value))
const resealed = ({ masterKey }: Work, rows: Along): Along =>
  each(rows, (purpose, id, value) => seal(deriveKey(masterKey, purpose), id, value))
