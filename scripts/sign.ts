import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A secret key of minisign; without a password here, minisign asks for that of the key in the terminal. */
export type ReleaseKey = { readonly file: string; readonly password?: string | undefined }

/** Keys, their encryption and the prompt are minisign's: nothing of ours ever holds the secret key. @throws Error */
function minisign({ file, password }: ReleaseKey, args: readonly string[]): void {
  const options = password === undefined ? {} : { input: `${password}\n` }
  const { status, error } = spawnSync('minisign', ['-s', file, ...args], {
    ...options,
    stdio: [password === undefined ? 'inherit' : 'pipe', 'ignore', 'inherit'],
  })
  if (error) throw new Error(`minisign is needed to sign (apt install minisign): ${error.message}`)
  if (status !== 0) throw new Error(`minisign could not use ${file}; its reason stands above`)
}

/** @returns the public key, as one line of base64 @throws Error if the secret key cannot be used */
export function publicKeyOf(key: ReleaseKey): string {
  const folder = mkdtempSync(join(tmpdir(), 'loyer-key-'))
  try {
    const path = join(folder, 'key.pub')
    minisign(key, ['-R', '-p', path])
    return readFileSync(path, 'utf8').split('\n')[1] ?? ''
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Writes FILE.minisig beside each; its trusted comment holds the file's name, and so version and machine. @throws Error */
export const signFiles = (key: ReleaseKey, files: readonly string[]): void => minisign(key, ['-S', '-m', ...files])
