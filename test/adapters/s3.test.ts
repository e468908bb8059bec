// Backups in S3: signed as the storage demands, and every fault of it said in a sentence with nothing lost.
import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { backUp, readState } from '../../src/adapters/backups/run.ts'
import { openBucket, type S3Settings } from '../../src/adapters/s3.ts'
import { backup, verify } from '../../src/commands/backup.ts'
import { restore } from '../../src/commands/restore.ts'
import { backupOf, commandLine, dataFolder, LONG_NAME } from '../support/backups.ts'
import { cleaner, contents } from '../support/folder.ts'
import { type Fault, KEY_ID, SECRET, signatureOf, startS3 } from '../support/s3.ts'

afterAll(cleaner())

// The examples of "Authenticating Requests: Using the Authorization Header", with their published signatures.
test.each([
  ['/test.txt', { range: 'bytes=0-9' }, 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41'],
  ['/?lifecycle', {}, 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
  ['/?max-keys=2&prefix=J', {}, '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'],
])('the verifying server computes the published signature of %s', (url, more, signature) => {
  const headers = {
    host: 'examplebucket.s3.amazonaws.com',
    'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'x-amz-date': '20130524T000000Z',
    ...more,
  }
  const signed = Object.keys(headers).sort()
  const scope = '20130524/us-east-1/s3/aws4_request'
  const secret = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
  expect(signatureOf({ method: 'GET', url, headers }, signed, scope, secret)).toBe(signature)
})

const envOf = ({ endpoint, region, keyId, secret }: Omit<S3Settings, 'name'>) => ({
  BACKUP_ENDPOINT: endpoint,
  BACKUP_REGION: region,
  BACKUP_KEY_ID: keyId,
  BACKUP_KEY_SECRET: secret,
})
const BRIEF = { patienceMs: 1000, waitsMs: [1, 1] }
const TO = 's3://homes/Loyer & co/été'
const says = (work: unknown): Promise<string> =>
  Promise.resolve(work).then(
    () => 'it went well',
    (e: unknown) => (e instanceof Error ? e.message : String(e)),
  )
/** What a data folder holds, without what a try leaves behind on purpose. */
const held = (data: string) => contents(data, ['state.json', '.lock', '-shm', '-wal'])

test('made, listed over pages, kept as in a folder, read back by name or the newest, on another machine', async () => {
  const s3 = await startS3()
  const data = await dataFolder('old')
  const env = { ...envOf(s3.settings), BACKUP_PASSPHRASE: 'a long passphrase', BACKUP_TO: TO }
  for (const day of ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11'])
    s3.objects.set(`Loyer & co/été/loyer-2025-01-${day}T020000Z.tar.zst`, backupOf(`2025-01-${day}T02:00:00.000Z`))
  s3.objects.set('Loyer & co/été/notes.txt', Buffer.from('mine'))
  s3.objects.set('other/loyer-2024-01-01T020000Z.tar.zst', Buffer.from('not ours'))
  expect(await backup(commandLine(data, [], {}, env))).toContain('opened and checked, encrypted')
  const names = [...s3.objects.keys()].sort()
  // As in a folder: beside the new one six days of January, and the last of the week before.
  expect(names.filter((name) => name.includes('loyer-2025'))).toHaveLength(7)
  expect(names).toContain('Loyer & co/été/notes.txt')
  expect(names).toContain('other/loyer-2024-01-01T020000Z.tar.zst')
  const { last, backups } = readState(data)
  expect([last?.place, backups.length]).toEqual([TO, 8])
  expect(readdirSync(join(data, 'backups'))).toEqual(['state.json'])

  // Nor does a name from the future become the newest.
  s3.objects.set('Loyer & co/été/loyer-2190-01-01T020000Z.tar.zst.age', Buffer.from('from a clock that was ahead'))
  for (const address of [TO, `${TO}/`, `${TO}/${last?.name}`])
    expect(await verify(commandLine(data, [address], {}, env))).toContain(`${last?.name} is whole`)
  // What is not opened is called as it is called there, not by its copy of a moment.
  for (const command of [verify, restore])
    expect(await says(command(commandLine(data, [TO], {}, { ...env, BACKUP_PASSPHRASE: 'another passphrase' })))).toBe(
      `${last?.name} cannot be used: BACKUP_PASSPHRASE does not open it, or it is damaged. Nothing was changed.`,
    )
  expect(await backup(commandLine(data, [], { to: `${TO}/` }, env))).toStartWith(`${TO}/loyer-`)
  const other = await dataFolder('another')
  const before = held(other)
  expect(await restore(commandLine(other, [TO], { 'dry-run': true }, env))).toEndWith('Nothing was changed.')
  expect(held(other)).toEqual(before)
  expect(await restore(commandLine(other, [TO], {}, env))).toContain(`Restored to ${other}`)
  expect(readFileSync(join(other, LONG_NAME), 'utf8')).toBe('a photo')
  expect(readdirSync(other).filter((name) => name.startsWith('restore'))).toEqual([])
})

describe('what goes wrong is said, and the last good one stays', () => {
  const cases: [string, Partial<S3Settings>, { fault?: Fault; skewMs?: number; to?: string }, RegExp][] = [
    ['a wrong secret', { secret: `${SECRET}x` }, {}, /refuses the secret .* AKIDEXAMPLE: check BACKUP_KEY_SECRET/],
    ['an unknown key', { keyId: 'NOBODY' }, {}, /does not know the access key NOBODY: check BACKUP_KEY_ID\.$/],
    ['another region', { region: 'us-east-1' }, {}, /not in the region us-east-1: check BACKUP_REGION\.$/],
    ['a clock an hour behind', {}, { skewMs: 3600_000 }, /clock .* differ by 60 minutes: set it right/],
    ['a clock an hour ahead', {}, { skewMs: -3600_000 }, /clock .* differ by 60 minutes: set it right/],
    ['no such bucket', {}, { to: 's3://nowhere/x' }, /has no bucket nowhere: make it there, or correct BACKUP_TO\.$/],
    ['nobody there', { endpoint: 'http://127.0.0.1:9' }, {}, /127\.0\.0\.1:9 cannot be reached/],
    ['an upload cut off', {}, { fault: 'cut off' }, /cannot be reached/],
    ['half of it kept', {}, { fault: 'half kept' }, /is not as large as what was sent\.$/],
    ['busy all the time', {}, { fault: 'busy' }, /answered 503 SlowDown: No & no\./],
    ['no answer', {}, { fault: 'silent' }, /did not finish within \d+ s\. Check the network/],
    ['a listing without an end', {}, { fault: 'endless list' }, /lists .* without an end\.$/],
  ]
  test.each(cases)('%s', async (_name, wrong, { fault = 'none', skewMs = 0, to = TO }, why) => {
    const s3 = await startS3()
    const data = await dataFolder('old')
    const plan = { dataDir: data, databaseFile: join(data, 'loyer.db'), version: '0.1.0' }
    const s3Settings = { ...s3.settings, name: 'BACKUP' as const, ...BRIEF }
    const good = await backUp({ ...plan, to: TO, s3: s3Settings })
    const [before, kept] = [held(data), new Map(s3.objects)]
    Object.assign(s3.state, { fault, skewMs })
    // Two backups of a second would have one name.
    await Bun.sleep(1000)
    expect(await says(backUp({ ...plan, to, s3: { ...s3Settings, ...wrong } }))).toMatch(why)
    const { last, failed, backups } = readState(data)
    expect([last, backups.length]).toEqual([good, 1])
    expect(failed?.reason).toMatch(why)
    expect(held(data)).toEqual(before)
    expect(readdirSync(join(data, 'backups'))).toEqual(['state.json'])
    for (const [name, bytes] of kept) expect(s3.objects.get(name)).toEqual(bytes)
    // And it goes well again once that is over.
    Object.assign(s3.state, { fault: 'none', skewMs: 0 })
    await backUp({ ...plan, to: TO, s3: s3Settings })
    expect(readState(data).failed).toBeUndefined()
  })

  test.each([
    ['half of it sent', 'half sent', /cannot be reached|sent \d+ of \d+ bytes/],
    ['no more of it after the half', 'stuck', /did not finish within 1 s/],
    ['no answer', 'silent', /did not finish within 1 s/],
    ['more than it is listed with', 'longer', /sent more than the \d+ bytes that were expected\.$/],
  ] as const)('a restore: %s', async (_name, fault, why) => {
    const s3 = await startS3()
    const data = await dataFolder('old')
    const bucket = { ...s3.settings, name: 'BACKUP' as const }
    await backUp({ dataDir: data, databaseFile: join(data, 'loyer.db'), version: '0.1.0', to: TO, s3: bucket })
    s3.state.fault = fault
    const before = held(data)
    const line = commandLine(data, [TO], {}, envOf(s3.settings))
    const config = () => {
      const settings = line.config()
      const placeOf = (to: string) => ({ to, s3: { ...bucket, ...BRIEF } })
      return { ...settings, backup: { ...settings.backup, placeOf } }
    }
    expect(await says(restore({ ...line, config, folder: config }))).toMatch(why)
    expect(held(data)).toEqual(before)
    expect(existsSync(join(data, 'restore.new'))).toBe(false)
  })

  test('an address without a backup is refused by name', async () => {
    const s3 = await startS3()
    const data = await dataFolder('old')
    const asked = (from: string) => says(restore(commandLine(data, [from], {}, envOf(s3.settings))))
    expect(await asked(TO)).toBe(`There is no backup in ${TO}.`)
    const one = `${TO}/loyer-2026-01-01T020000Z.tar.zst`
    expect(await asked(one)).toBe(`There is no backup ${one}.`)
    expect(await says(restore(commandLine(data, [TO])))).toContain('BACKUP_KEY_ID: needed for')
  })
})

test('what is busy for a moment is tried again', async () => {
  const s3 = await startS3()
  const bucket = openBucket('s3://homes', { ...s3.settings, name: 'FILES', ...BRIEF })
  s3.state.fault = 'busy twice'
  await bucket.put("a (1)*!'.txt", new Blob(['hello']), new Bun.CryptoHasher('sha256').update('hello').digest('hex'))
  expect([...s3.objects.keys()]).toEqual(["a (1)*!'.txt"])
  expect(await bucket.list()).toEqual([{ name: "a (1)*!'.txt", sizeBytes: 5 }])
  expect([await bucket.sizeOf('a'), await bucket.get('a'), await bucket.remove('a')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  // Nothing was done without a signature of its own.
  expect(s3.asked.length).toBe(3 + 5)
  const plain = await fetch(`${s3.endpoint}/homes/x`, { method: 'PUT', body: 'x' })
  expect([plain.status, KEY_ID.length > 0, s3.objects.size]).toEqual([403, true, 1])
})
test('bytes that are not those of the signed hash are refused by the storage', async () => {
  const s3 = await startS3()
  const bucket = openBucket('s3://homes', { ...s3.settings, name: 'FILES', ...BRIEF })
  expect(await says(bucket.put('x', new Blob(['hello']), 'a'.repeat(64)))).toContain('XAmzContentSHA256Mismatch')
  expect(s3.objects.size).toBe(0)
})
