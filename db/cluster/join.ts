import { createHmac, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import Database from 'better-sqlite3'
import { makeFolder, syncFile, syncFolder, takeLock } from '../files.ts'
import { migrations } from '../migrations.ts'
import { reason, StoreError } from '../store-error.ts'
import { createPlayer, leave, type Position, positionOf, setPosition } from './changes.ts'
import type { Joined } from './node.ts'
import type { Copy, Head, Primary } from './primary.ts'

/** How long a start waits for an answer, ms; a copy is sent in pieces of this size. */
const PATIENCE_MS = 10_000
const PIECE = 512 * 1024
const WORD = 12

const word = (): string => randomBytes(WORD).toString('base64url')
const schemaOf = (client: Database.Database): number => Number(client.pragma('user_version', { simple: true }))

export type Joining = {
  /** The database file of this node. */
  readonly file: string
  readonly primary: Primary
  /** The master key: makes one where none is there and `make` is true. */
  readonly key: (make: boolean) => Uint8Array | undefined
  /** Makes a new database at the path, or brings an older one up to this program's schema. @throws StoreError */
  readonly migrate: (file: string) => Promise<void>
  readonly tell: (event: string, detail: string) => void
}

/** Sends a database that nobody changes to the primary. */
async function send(primary: Primary, file: string, n: number): Promise<Copy> {
  const id = word()
  let pieces = 0
  let pending: Buffer[] = []
  let size = 0
  const flush = async (): Promise<void> => {
    if (size === 0) return
    await primary.putPiece(id, pieces, Buffer.concat(pending), PATIENCE_MS)
    pieces += 1
    pending = []
    size = 0
  }
  const packed = createReadStream(file).pipe(createGzip({ level: 4 }))
  for await (const chunk of packed as AsyncIterable<Buffer>) {
    pending.push(chunk)
    size += chunk.length
    if (size >= PIECE) await flush()
  }
  await flush()
  return { id, n, pieces }
}

/** Makes a copy of a running database and sends it: a new node begins from it. */
export async function sendCopy(primary: Primary, client: Database.Database, file: string): Promise<void> {
  const copy = `${file}.copy`
  rmSync(copy, { force: true })
  try {
    await client.backup(copy)
    const made = new Database(copy, { readonly: true })
    const position = positionOf(made)
    made.close()
    if (position) await primary.addCopy(await send(primary, copy, position.n), undefined, PATIENCE_MS)
  } finally {
    rmSync(copy, { force: true })
  }
}

async function fetchCopy(primary: Primary, file: string): Promise<void> {
  const copy = await primary.lastCopy(PATIENCE_MS)
  if (!copy) throw new StoreError(78, `The primary ${primary.place} has no copy of the database to begin from.`)
  const temporary = `${file}.fetched`
  rmSync(temporary, { force: true })
  async function* pieces() {
    for (let i = 0; i < (copy?.pieces ?? 0); i++) yield await primary.piece(copy?.id ?? '', i, PATIENCE_MS)
  }
  await pipeline(Readable.from(pieces()), createGunzip(), createWriteStream(temporary, { mode: 0o600 }))
  syncFile(temporary)
  renameSync(temporary, file)
  syncFolder(dirname(file))
}

const ENDS = ['', '-wal', '-shm', '-journal', '.closed']
/** Keeps a file that no longer fits the log beside the new one; the previous one is deleted. */
function setAside(file: string, stamp: number): string {
  const [folder, name] = [dirname(file), basename(file)]
  for (const old of readdirSync(folder)) if (old.startsWith(`${name}.aside-`)) rmSync(join(folder, old))
  const aside = `${file}.aside-${stamp}`
  for (const end of ENDS) if (existsSync(file + end)) renameSync(file + end, aside + end)
  return aside
}

function opened<T>(file: string, work: (client: Database.Database) => T): T {
  const client = new Database(file, { fileMustExist: true })
  try {
    return work(client)
  } finally {
    client.close()
  }
}

/**
 * Why a database cannot follow the log: the changes it lacks are no longer there, the log took another course, or it is
 * the log of another cluster.
 */
type Unfit = 'behind' | 'astray' | 'foreign'
/** Plays what others wrote since this database stood still. @returns where it is then */
async function follow(file: string, primary: Primary, head: Head): Promise<Position | Unfit> {
  const client = new Database(file, { fileMustExist: true })
  try {
    let at = positionOf(client)
    if (at?.cluster !== head.cluster) return 'foreign'
    client.pragma('synchronous = FULL')
    client.pragma('foreign_keys = ON')
    const play = createPlayer(client, head)
    for (;;) {
      const { entries } = await primary.since(at.n, PATIENCE_MS)
      const [own, ...fresh] = entries
      if (!own || (own.n === at.n && own.id !== at.id)) return 'astray'
      if (own.n !== at.n) return 'behind'
      for (const entry of fresh) play(entry)
      const last = fresh.at(-1)
      if (!last) return at
      at = { ...at, n: last.n, id: last.id }
    }
  } finally {
    client.close()
  }
}

/** Makes this folder's database the beginning of a cluster. @returns false where another node was first */
async function begin({ file, primary, key, migrate }: Joining): Promise<boolean> {
  const had = existsSync(file)
  await migrate(file)
  const [cluster, epoch] = [word(), word()]
  const masterKey = key(true)
  if (!masterKey) throw new StoreError(78, 'There is no master key.')
  const schema = opened(file, (client) => {
    setPosition(client, { cluster, epoch, n: 0, id: cluster })
    client.pragma('wal_checkpoint(TRUNCATE)')
    return schemaOf(client)
  })
  const head: Head = { cluster, epoch, schema, keyCheck: checkOf(masterKey, cluster) }
  const first = await primary.begin(head, await send(primary, file, 0), PATIENCE_MS)
  if (!first && had) opened(file, leave)
  if (!first && !had) for (const end of ENDS) rmSync(file + end, { force: true })
  return first
}

/** Says whether two nodes have one master key, and nothing of the key. */
const checkOf = (key: Uint8Array, cluster: string): string =>
  createHmac('sha256', key).update(`loyer cluster ${cluster}`).digest('base64url')

const refuse = (message: string): StoreError => new StoreError(78, message)

/** The first node with a newer program brings the log up to its schema, once all others have ended. */
async function raise({ file, primary, migrate }: Joining, head: Head, at: Position, node: string): Promise<void> {
  if ((await primary.others(node, PATIENCE_MS)) > 0)
    throw new StoreError(
      75,
      'Other nodes run an older Loyer: stop them all, start one with this program, then the others.',
    )
  await migrate(file)
  const next: Position = { ...at, n: at.n + 1, id: word() }
  const added = await primary.append({ n: next.n, id: next.id, node, body: new Uint8Array(0) }, at.id, PATIENCE_MS)
  if (!added) throw new StoreError(75, 'Another node wrote meanwhile.')
  opened(file, (client) => {
    setPosition(client, next)
    client.pragma('wal_checkpoint(TRUNCATE)')
  })
  const copy = await send(primary, file, next.n)
  await primary.addCopy(copy, { ...head, schema: migrations.length, epoch: word() }, PATIENCE_MS)
}

/** Brings the file of a node to the end of the log: from what it has, or from a copy. @throws StoreError */
async function arrive(joining: Joining, node: string): Promise<Head> {
  const { file, primary, key, tell } = joining
  const known = migrations.length
  for (;;) {
    const head = await primary.head(PATIENCE_MS)
    const has = existsSync(file)
    const was = has ? opened(file, positionOf) : undefined
    if (!head) {
      if (was)
        throw refuse(
          `The primary ${primary.place} is empty, and this folder belongs to a cluster. If the primary lost its data: start the node that knows most once without DATABASE_URL, then with it, and move the databases of the others away.`,
        )
      await begin(joining)
      continue
    }
    const own = key(false)
    if (!own || checkOf(own, head.cluster) !== head.keyCheck)
      throw refuse(
        `The master key of this folder is not the one of the cluster at ${primary.place}: copy the folder keys from another node.`,
      )
    if (has && !was)
      throw refuse(
        `${file} is a database of its own, and the primary ${primary.place} has one already. Move the file away to join; nothing was changed.`,
      )
    if (head.schema > known)
      throw refuse(
        `The nodes at ${primary.place} run a newer Loyer (schema ${head.schema}; this one knows ${known}): update this one.`,
      )
    const behind = was === undefined ? 'new' : opened(file, schemaOf) < head.schema ? 'older' : undefined
    const position = behind ?? (await follow(file, primary, head))
    if (typeof position === 'string') {
      // The primary was restored to an older state: every node must check its file, and a new epoch keeps clients from
      // mixing up versions. The first node that notices announces it.
      if (position === 'astray' && was?.epoch === head.epoch) await primary.renew(head.epoch, word(), PATIENCE_MS)
      if (position !== 'new')
        tell('cluster.begun_anew', `${position}: the old database is ${setAside(file, Date.now())}`)
      await fetchCopy(primary, file)
    } else if (head.schema < known) await raise(joining, head, position, node)
    else return head
  }
}

/** Prepares the file of a node, which may be opened then. @throws StoreError with a sentence and an exit code */
export async function joinCluster(joining: Joining): Promise<Joined> {
  const { file, primary } = joining
  const node = word()
  makeFolder(dirname(file))
  takeLock(file).close()
  try {
    await primary.prepare(PATIENCE_MS)
    const { epoch } = await arrive(joining, node)
    return {
      primary,
      node,
      position: opened(file, (client) => {
        const position = positionOf(client)
        if (!position) throw new Error('the database has no position')
        setPosition(client, { ...position, epoch })
        return { ...position, epoch }
      }),
    }
  } catch (e) {
    if (e instanceof StoreError) throw e
    throw new StoreError(75, `The primary ${primary.place} cannot be used: ${reason(e)}.`, e)
  }
}
