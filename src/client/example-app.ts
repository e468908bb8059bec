// What a mobile app does: signs a person in through the browser, shows who they are and where, sends a photo of a
// property, and signs out. LOYER=https://rent.example.cm CALLBACK=com.example.app:/callback bun example-app.ts PROPERTY PHOTO.jpg
// It prints the address to open, and takes the address that the browser came back with.
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { createClient, list, ok } from './client.ts'
import { createSession } from './sign-in.ts'
import { upload } from './upload.ts'

const baseUrl = process.env.LOYER ?? 'http://localhost:3000'
const print = (line: string): void => void process.stdout.write(`${line}\n`)
/** An app keeps this in the keychain of the phone. */
let stored: string | undefined
const vault = {
  get: () => stored,
  set: (value: string | undefined) => {
    stored = value
  },
}

const session = createSession({ baseUrl, redirectUri: process.env.CALLBACK ?? 'com.example.app:/callback', vault })
const client = createClient({ baseUrl, token: session.token })

print(await session.begin())
const terminal = createInterface({ input: process.stdin })
for await (const line of terminal) {
  await session.finish(line)
  break
}
terminal.close()

// Both wait for the same token.
const [me, legal] = await Promise.all([client.GET('/api/v1/me'), client.GET('/api/v1/legal/versions')])
print(`${ok(me).firstName} ${ok(me).lastName}, terms ${ok(legal).termsVersion}`)
for await (const { name, city } of list(client, '/api/v1/properties', { query: { limit: 50 } }))
  print(`${name}, ${city}`)

const [ownerId, photo] = process.argv.slice(2)
if (ownerId !== undefined && photo !== undefined) {
  const about = {
    ownerType: 'PROPERTY',
    ownerId,
    kind: 'PHOTO',
    filename: 'photo.jpg',
    contentType: 'image/jpeg',
  } as const
  const sent = await upload(client, about, new Blob([readFileSync(photo)]))
  print(`${sent.id} ${sent.status}`)
}
await session.signOut()
print('signed out')
