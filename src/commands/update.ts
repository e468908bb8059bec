import { createHash, createPublicKey, verify as verifySignature } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expectFile } from '../../db/files.ts'
import { StoreError } from '../../db/store-error.ts'
import manifest from '../../package.json' with { type: 'json' }
import { ConfigError } from '../config.ts'
import { type Command, spoken, UsageError } from './command.ts'
import { HASH, hashOf, ownProgram, replaceProgram } from './program.ts'
import { isOfImage } from './service.ts'
import { expectSettled, lineFor, previousOf, sudoFor } from './swap.ts'

/** Ed25519 over the BLAKE2b-512 of the file: what minisign writes since 2021. */
const PREHASHED = 'ED'
/** Over the file itself, before that. */
const LEGACY = 'Ed'
const SIGNATURE = /^untrusted comment: .*\n([A-Za-z0-9+/=]{100})\ntrusted comment: (.*)\n([A-Za-z0-9+/=]{88})\n?$/
/** The trusted comment that minisign writes: `timestamp:1795853970`, `file:loyer-0.2.0-linux-x64`, `hashed`. */
const NAME = /(?:^|\t)file:(loyer-[^\t]+)/

const refuse = (file: string, why: string): StoreError => new StoreError(65, `${file} must not be used: ${why}.`)

/**
 * Checks the hash of FILE against FILE.minisig and a public key as minisign prints it (RW…). @returns the name under
 * which it was signed, such as loyer-0.2.0-linux-x64 @throws StoreError that names the file
 */
function checkSigned(file: string, publicKey: string, hash: () => Uint8Array): string {
  const [path, key] = [`${file}.minisig`, Buffer.from(publicKey, 'base64')]
  for (const needed of [file, path]) expectFile(needed)
  const [, first = '', comment = '', second = ''] =
    SIGNATURE.exec(readFileSync(path, 'utf8').replaceAll('\r\n', '\n')) ?? []
  const signature = Buffer.from(first, 'base64')
  if (signature.toString('latin1', 0, 2) === LEGACY)
    throw refuse(file, `${path} is a signature of minisign's older kind: let it be signed without -l`)
  if (signature.byteLength !== 74 || signature.toString('latin1', 0, 2) !== PREHASHED)
    throw refuse(file, `${path} is not a signature made by minisign`)
  if (!signature.subarray(2, 10).equals(key.subarray(2, 10)))
    throw refuse(file, `it was signed with another key than ${publicKey}`)
  const x = key.subarray(10).toString('base64url')
  const signer = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const own = signature.subarray(10)
  if (!verifySignature(null, hash(), signer, own)) throw refuse(file, 'its contents are not those that were signed')
  const noted = Buffer.concat([own, Buffer.from(comment)])
  if (!verifySignature(null, noted, signer, Buffer.from(second, 'base64')))
    throw refuse(file, 'its signature was changed')
  const name = NAME.exec(comment)?.[1]
  if (name === undefined) throw refuse(file, 'its signature names no release')
  return name
}

/**
 * Checks the signature of a downloaded program, then puts it in the place of `program`. @returns lines @throws
 * StoreError
 */
export function updateProgram(
  program: string,
  file: string,
  updateKey: string,
  version: string,
  settings?: string,
): string {
  expectFile(file)
  const hash = createHash(HASH)
  const newer = replaceProgram({
    ...{ file, program, version },
    see: (piece) => hash.update(piece),
    check: () => checkSigned(file, updateKey, () => hash.digest()),
  })
  if (newer === undefined) return `${file} is in place already. Nothing was changed.`
  return `Loyer ${newer} is in place of ${version}, which is kept in ${previousOf(program)}.\nRestart the service (${sudoFor(program)}systemctl restart loyer); \`${lineFor(program, 'rollback', settings)}\` goes back.`
}

/** Refuses to replace the program of an image. @throws StoreError */
export function refuseImage(program: string, ofImage = isOfImage(program)): void {
  if (ofImage)
    throw new StoreError(
      77,
      spoken({
        en: 'In a container the image is the program: build or pull the newer image, and start that. Nothing was changed.',
        fr: 'Dans un conteneur, l’image est le programme : construisez ou téléchargez l’image plus récente, et démarrez-la. Rien n’a été modifié.',
      }),
    )
}

/** `loyer update FILE`: puts a signed program in the place of this one; with `--check` it only checks the signature. */
export const update: Command = ({ config, files, values }) => {
  const [file] = files
  if (file === undefined || files.length > 1)
    throw new UsageError('Say which program to use, or to check: update FILE, update --check FILE.')
  const settings = config()
  // The key of this build's releases, which scripts/build.ts writes here; empty in a build without one.
  const updateKey = settings.updateKey ?? process.env.RELEASE_PUBLIC_KEY
  if (!updateKey)
    throw new ConfigError([
      'UPDATE_KEY: this Loyer was built without the public key of its releases; set it to the key that signed the file',
    ])
  if (values.check) return `${file} is what was signed: ${checkSigned(file, updateKey, () => hashOf(file))}`
  // A rollback that was cut off has to put back the program that is kept, and an update would keep another.
  expectSettled(settings)
  const program = ownProgram()
  if (program === undefined) throw new UsageError('Only the binary updates itself; from source, use git and npm.')
  refuseImage(program)
  return updateProgram(program, file, updateKey, manifest.version, values.config)
}
