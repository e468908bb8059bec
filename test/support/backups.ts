import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { migrations } from '../../db/migrations.ts'
import { openStore } from '../../db/open.ts'
import { trailer } from '../../src/adapters/backups/format.ts'
import { tarEnd, tarHeader, tarPadding } from '../../src/adapters/backups/tar.ts'
import type { Values } from '../../src/commands/command.ts'
import { loadConfig } from '../../src/config.ts'
import { temporaryFolder } from './folder.ts'

/** The longest name that a file of the service has. */
export const LONG_NAME = `media/aa/bb/01a20386-1122-7554-b6d7-570a2fc9e6d5.${'1723'.repeat(16)}.jpeg`
const FILES = {
  'keys/master.key': 'x'.repeat(43),
  'legal/terms/2026-01.fr.md': 'Conditions',
  [LONG_NAME]: 'a photo',
  'documents/cc/dd/paper.pdf': 'a receipt',
  'media/tmp/half': 'an upload that is under way',
}

export function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

/** A data folder with a database in which `word` is written, and one file of each kind. */
export async function dataFolder(word: string): Promise<string> {
  const data = join(temporaryFolder('data'), 'data')
  const file = join(data, 'loyer.db')
  const store = openStore(file)
  store.client.prepare("insert or replace into setting(key, value) values('word', ?)").run(word)
  await store.close()
  write(data, FILES)
  return data
}

/** What a command is given, with the settings of a data folder. */
export function commandLine(data: string, files: string[] = [], values: Values = {}, env: Record<string, string> = {}) {
  const config = () => loadConfig({ LOYER_DATA: data, ...env })
  return { files, values, config, folder: config }
}

export type Crafted = { readonly name: string; readonly content: string | Buffer; readonly kind?: string }
export const HEAD = {
  format: 1,
  loyer: '0.1.0',
  schema: migrations.length,
  createdAt: '2026-03-10T08:00:00.000Z',
  files: 1,
  bytes: 2 ** 30,
}
const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex')
const entryOf = ({ name, content }: Crafted) => ({ name, size: Buffer.byteLength(content), sha256: sha256(content) })

/** As much of a backup as retention reads: `createdAt` is what its head says, whatever its name. */
export const backupOf = (createdAt: string): Buffer => craft([], { ...HEAD, createdAt })

/** An archive with the given files and a good ending, as somebody would craft it. */
export function craft(
  files: readonly Crafted[],
  head: object = HEAD,
  manifest: object = { files: files.map(entryOf) },
) {
  const all: readonly Crafted[] = [
    { name: 'loyer.json', content: JSON.stringify(head) },
    ...files,
    { name: 'manifest.json', content: JSON.stringify(manifest) },
  ]
  const blocks = all.flatMap(({ name, content, kind = '0' }) => {
    const block = Buffer.from(tarHeader(name, Buffer.byteLength(content), 0))
    block.write(kind, 156)
    block.fill(' ', 148, 156)
    block.write(
      `${block
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, '0')}\0 `,
      148,
    )
    return [block, Buffer.from(content), Buffer.from(tarPadding(Buffer.byteLength(content)))]
  })
  const packed = zstdCompressSync(Buffer.concat([...blocks, tarEnd()]))
  return Buffer.concat([packed, trailer(createHash('sha256').update(packed).digest())])
}
