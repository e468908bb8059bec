// A scenario on the live demo: named actors, and ids that later steps use as `{name}`.
import { jpegOf, PDF } from './files.ts'
import { type Server, startServer } from './server.ts'

type Json = Record<string, unknown>
type Answer = { readonly status: number; readonly headers: Headers; readonly body: unknown; readonly text: string }
export type Live = Awaited<ReturnType<typeof startLive>>

export async function startLive(options: Parameters<typeof startServer>[0]) {
  const server: Server = await startServer(options)
  const tokens: Record<string, string> = {}
  for (const role of ['OWNER', 'ADMIN', 'TENANT']) tokens[role.toLowerCase()] = await server.token(role)
  /** What `{name}` stands for in lines and bodies. */
  const made: Record<string, unknown> = {}
  const fill = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value).replace(/\{(\w+)\}/g, (_, name) => String(made[name] ?? `no ${name}`)))
  const keep = (body: unknown, names: Readonly<Record<string, string>>): void => {
    for (const [name, member] of Object.entries(names)) made[name] = (body as Json)[member]
  }

  async function call(as: string | undefined, line: string, given?: unknown): Promise<Answer> {
    const [method = '', path = ''] = fill(line).split(' ')
    const answer = await fetch(server.base + path, {
      method,
      headers: {
        ...(as === undefined ? {} : { authorization: `Bearer ${tokens[as]}` }),
        ...(given === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(given === undefined ? {} : { body: JSON.stringify(fill(given)) }),
    })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, text, body: text === '' ? undefined : JSON.parse(text) }
  }
  /** A step that has to work for others to have something to work on. @throws Error for anything but a success */
  async function prepare(as: string | undefined, line: string, given?: unknown, names = {}): Promise<Json> {
    const { status, body, text } = await call(as, line, given)
    if (status > 204) throw new Error(`${line}: ${status} ${text}`)
    keep(body, names)
    return (body ?? {}) as Json
  }
  const codeSentTo = async (number: string): Promise<string> => {
    const { body } = await call(undefined, `GET /api/v1/sandbox/messages?to=${encodeURIComponent(number)}`)
    return String((body as Json[]).find(({ code }) => code !== undefined)?.code)
  }
  async function ticketFor(phoneNumber: string): Promise<unknown> {
    const { challengeId } = await prepare(undefined, 'POST /api/v1/registration/otp', { phoneNumber })
    const given = { challengeId, code: await codeSentTo(phoneNumber) }
    return (await prepare(undefined, 'POST /api/v1/registration/otp/verify', given)).ticket
  }
  /** Announces a file of the owner's for a verification and uploads it; completing it is another step. */
  async function upload(name: string, kind: string, contentType: string, bytes: Uint8Array = PDF): Promise<void> {
    const about = { ownerType: 'VERIFICATION', ownerId: '{owner}', kind, filename: `${name}.pdf`, contentType }
    const { id, upload } = await prepare('owner', 'POST /api/v1/media', { ...about, sizeBytes: bytes.byteLength })
    const { url, headers } = upload as { url: string; headers: Record<string, string> }
    const put = await fetch(url, { method: 'PUT', headers, body: new Uint8Array(bytes) })
    if (put.status !== 204) throw new Error(`${name}: ${put.status} ${await put.text()}`)
    made[name] = id
  }
  return { server, tokens, made, fill, keep, call, prepare, codeSentTo, ticketFor, upload }
}

/** What the rows of the specification's table work on: a lease with an invoice, papers, a ticket and a reset under way. */
export async function prepareSpecification(live: Live, numbers: { tenant: string; stranger: string }): Promise<void> {
  const { made, prepare, call, ticketFor, upload, codeSentTo } = live
  await prepare('owner', 'GET /api/v1/me', undefined, { owner: 'id', ownNumber: 'phoneNumber' })
  await prepare('tenant', 'GET /api/v1/me', undefined, { takenNumber: 'phoneNumber' })
  const place = { name: 'Villa Bonapriso', addressLine: 'Rue Njo-Njo', city: 'Douala' }
  await prepare('owner', 'POST /api/v1/properties', place, { villa: 'id' })
  const unit = { label: 'A1', areaSqm: 72.5, bedrooms: 2, bathrooms: 1, rentAmount: 150_000 }
  await prepare('owner', 'POST /api/v1/properties/{villa}/units', unit, { unit: 'id' })
  const startDate = new Date().toISOString().slice(0, 10)
  const lease = { unitId: '{unit}', tenantPhoneNumber: numbers.tenant, startDate, depositAmount: 300_000 }
  await prepare('owner', 'POST /api/v1/bookings', lease, { booking: 'id' })
  await prepare('owner', 'POST /api/v1/bookings/{booking}/submit')
  await prepare('owner', 'POST /api/v1/bookings/{booking}/activate')
  for (const until = Date.now() + 6000; made.invoice === undefined && Date.now() < until; await Bun.sleep(100)) {
    const { body } = await call('owner', 'GET /api/v1/invoices?bookingId={booking}')
    made.invoice = (body as Json[])[0]?.id
  }
  await upload('photo', 'PHOTO', 'image/jpeg', await jpegOf(900, 600))
  await upload('title', 'DOCUMENT', 'application/pdf')
  await prepare('owner', 'POST /api/v1/media/{title}/complete')
  await prepare('owner', 'POST /api/v1/verification/kyc', {}, { kyc: 'id' })
  const { termsVersion, privacyVersion } = await prepare(undefined, 'GET /api/v1/legal/versions')
  const ticket = await ticketFor(numbers.stranger)
  Object.assign(made, { termsVersion, privacyVersion, ticket, password: 'mot oublié depuis' })
  await prepare(undefined, 'POST /api/v1/registration/complete', {
    firstName: 'Awa',
    lastName: 'Ngo',
    password: '{password}',
    acceptedTermsVersion: '{termsVersion}',
    acceptedPrivacyVersion: '{privacyVersion}',
    ticket: await ticketFor(numbers.tenant),
  })
  const asked = { phoneNumber: numbers.tenant }
  await prepare(undefined, 'POST /api/v1/account/password-reset/request', asked, { session: 'challengeId' })
  made.code = await codeSentTo(numbers.tenant)
}
