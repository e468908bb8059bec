import { createHash, createHmac } from 'node:crypto'
import type { Tx } from '../../../../db/open.ts'
import { record } from '../../../changes/record.ts'
import { systemCtx } from '../../../context.ts'
import { isSameSecret } from '../../../core/seal.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, invalid } from '../../../errors.ts'
import { reportMessage } from '../../people/messages/service.ts'
import { findReported } from '../../people/messages/store.ts'
import { operatorOrganization } from '../../people/organizations/store.ts'
import { type Report, readReports } from './rules.ts'
import { noteReport } from './store.ts'

type Incoming = {
  readonly bytes: Uint8Array
  readonly token: string | undefined
  readonly signature: string | null
  readonly requestId: string
  /** The body is a form, as only Twilio sends it. */
  readonly form: boolean
}

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest()

function signed(secret: string, bytes: Uint8Array, signature: string | null): boolean {
  const mac = createHmac('sha256', secret).update(bytes)
  const expected = mac.digest()
  const stated = (signature ?? '').replace(/^sha256=/, '')
  return [
    isSameSecret(stated.toLowerCase(), expected.toString('hex')),
    isSameSecret(stated, expected.toString('base64')),
  ].includes(true)
}

/** @throws webhook_disabled if neither a token nor a signature is configured */
export function assertEnabled({ config }: Pick<Deps, 'config'>): void {
  if (config.webhookToken === undefined && config.webhookHmacSecret === undefined)
    throw new AppError('webhook_disabled', undefined, { retryAfter: 3600 })
}

/** 401 unless both the token and the signature, where configured, are right; the answer does not tell which failed. */
export function authenticate({ config }: Pick<Deps, 'config'>, { bytes, token, signature }: Incoming): void {
  const { webhookToken, webhookHmacSecret } = config
  const tokenHolds = webhookToken === undefined || isSameSecret(token ?? '', webhookToken)
  const signatureHolds = webhookHmacSecret === undefined || signed(webhookHmacSecret, bytes, signature)
  if (!tokenHolds || !signatureHolds) throw new AppError('unauthorized')
}

/**
 * Writes delivery reports into the audit trail of the message's organization, else the operator's, and updates the
 * message; a repeated report does neither. @throws validation_failed
 */
export async function recordReports(deps: Deps, { bytes, requestId, form }: Incoming): Promise<void> {
  let body: unknown
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    body = form && deps.config.messaging.twilio ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text)
  } catch {
    body = undefined
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalid('', 'Must be a JSON object.', 'Doit être un objet JSON.')
  const reports = readReports(body as Readonly<Record<string, unknown>>)
  const bodyHash = sha256(bytes).toString('base64url')
  const operator = operatorOrganization(deps.db)?.id
  const byOrganization = Map.groupBy(
    reports.map((report, i) => ({ report, key: keyOf(report, `${bodyHash} ${i}`) })),
    ({ report }) => findReported(deps.db, report.vendorMessageId)?.orgId ?? operator,
  )
  for (const [orgId, group] of byOrganization) {
    if (orgId === undefined) deps.log.warn('webhook.no_organization', { reports: group.length })
    await deps.write(orgId ?? null, (tx) => {
      for (const { report, key } of group) takeReport(deps, tx, orgId, requestId, report, key)
    })
  }
}

function takeReport(
  deps: Deps,
  tx: Tx,
  orgId: string | undefined,
  requestId: string,
  report: Report,
  key: string,
): void {
  const known = report.vendorMessageId !== '' && findReported(tx, report.vendorMessageId) !== undefined
  const early = known ? undefined : report
  if (!noteReport(tx, key, deps.clock.wall(), early)) return
  const message = reportMessage(deps, tx, report)
  if (orgId === undefined) return
  record(systemCtx(deps, tx, orgId, requestId), 'message.delivery_report', {
    type: 'message',
    after: { id: report.vendorMessageId },
    details: {
      vendor: message?.vendor ?? 'smsvendor',
      ...report,
      ...(message
        ? {
            channel: message.channel,
            purpose: message.purpose,
            messageId: message.id,
            maskedDestination: message.maskedDestination,
          }
        : {}),
    },
  })
}

/** Identifies a repeated report by message, status and time; without an id, by its body. */
const keyOf = (r: Report, body: string): string =>
  sha256(JSON.stringify(r.vendorMessageId === '' ? body : [r.vendorMessageId, r.rawStatus, r.eventAt])).toString(
    'base64url',
  )
