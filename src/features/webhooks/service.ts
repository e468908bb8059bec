import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Deps } from '../../deps.ts'
import { AppError, invalid } from '../../errors.ts'
import { systemCtx } from '../../jobs/worker.ts'
import { record } from '../audit/service.ts'
import { operatorOrganization } from '../organizations/store.ts'
import { type Report, readReports } from './rules.ts'
import { noteReport } from './store.ts'

type Incoming = {
  readonly bytes: Uint8Array
  readonly token: string | undefined
  readonly signature: string | null
  readonly requestId: string
}

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest()
/** Compared as digests: equal length, and time that says nothing. */
const same = (a: string, b: string): boolean => timingSafeEqual(sha256(a), sha256(b))

function signed(secret: string, bytes: Uint8Array, signature: string | null): boolean {
  const mac = createHmac('sha256', secret).update(bytes)
  const expected = mac.digest()
  const given = (signature ?? '').replace(/^sha256=/, '')
  return [same(given.toLowerCase(), expected.toString('hex')), same(given, expected.toString('base64'))].includes(true)
}

/** @throws webhook_disabled while neither a token nor a signature is configured */
export function assertEnabled({ config }: Pick<Deps, 'config'>): void {
  if (config.webhookToken === undefined && config.webhookHmacSecret === undefined)
    throw new AppError('webhook_disabled', undefined, { retryAfter: 3600 })
}

/** 401 unless everything that is configured holds: the same answer whatever failed. */
export function authenticate({ config }: Pick<Deps, 'config'>, { bytes, token, signature }: Incoming): void {
  const { webhookToken, webhookHmacSecret } = config
  const tokenHolds = webhookToken === undefined || same(token ?? '', webhookToken)
  const signatureHolds = webhookHmacSecret === undefined || signed(webhookHmacSecret, bytes, signature)
  if (!tokenHolds || !signatureHolds) throw new AppError('unauthorized')
}

/** Writes delivery reports into the operator's audit trail; one seen before is written once. @throws validation_failed */
export async function recordReports(deps: Deps, { bytes, requestId }: Incoming): Promise<void> {
  let body: unknown
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    body = undefined
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalid('', 'Must be a JSON object.', 'Doit être un objet JSON.')
  const reports = readReports(body as Readonly<Record<string, unknown>>)
  const bodyHash = sha256(bytes).toString('base64url')
  const orgId = operatorOrganization(deps.db)?.id
  if (orgId === undefined) return deps.log.warn('webhook.no_organization', { reports: reports.length })
  await deps.write(orgId, (tx) => {
    const ctx = systemCtx(deps, tx, orgId, requestId)
    reports.forEach((report, i) => {
      if (noteReport(tx, keyOf(report, `${bodyHash} ${i}`), deps.clock.wall()))
        record(ctx, 'message.delivery_report', {
          type: 'message',
          after: { id: report.vendorMessageId },
          details: { vendor: 'smsvendor', ...report },
        })
    })
  })
}

/** What makes a report the same as another: the message, its status and time; a shape without an id is known by its body. */
const keyOf = (r: Report, body: string): string =>
  sha256(JSON.stringify(r.vendorMessageId === '' ? body : [r.vendorMessageId, r.rawStatus, r.eventAt])).toString(
    'base64url',
  )
