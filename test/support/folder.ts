import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const cleanups: (() => void)[] = []
/** What is done at the end, the last first. */
export const atEnd = (work: () => void): void => void cleanups.push(work)
/**
 * `afterAll(cleaner())` in each test file that makes folders or starts servers, because the test runner fires no
 * exit event. It leaves alone what was there before: support modules are shared by all files.
 */
export function cleaner(): () => void {
  const before = cleanups.length
  return () => {
    for (const work of cleanups.splice(before).reverse()) work()
  }
}
process.on('exit', cleaner())

/** An empty folder that goes away with the process, or with the test file. */
export function temporaryFolder(word = 'test'): string {
  const folder = mkdtempSync(join(tmpdir(), `loyer-${word}-`))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Every file below a folder with the hash of its bytes, without those whose names end as given. */
export function contents(folder: string, without: readonly string[] = []): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = join(folder, name)
    if (without.some((end) => name.endsWith(end)) || !statSync(path, { throwIfNoEntry: false })?.isFile()) continue
    found[name] = createHash('sha256').update(readFileSync(path)).digest('hex')
  }
  return found
}

/** The permission bits, as ls and chmod write them. */
export const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)
