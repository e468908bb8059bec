import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** When the last good backup was made, epoch ms; undefined where none is known. Backups leave the file, see adapters/backups. */
export function lastBackup(dataDir: string): number | undefined {
  try {
    const text = JSON.stringify(JSON.parse(readFileSync(join(dataDir, 'backups', 'state.json'), 'utf8')))
    const at = /"last":\{[^{}]*"createdAt":"([^"]+)"/.exec(text)?.[1]
    const ms = Date.parse(at ?? '')
    return Number.isNaN(ms) ? undefined : ms
  } catch {
    return undefined
  }
}
