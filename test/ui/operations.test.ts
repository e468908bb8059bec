// Every operation has its place in the pages of the console or the portal, or a reason why no page calls it: what the API
// can and nobody finds is noticed here.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { operations } from '../support/documented.ts'

const ui = join(import.meta.dirname, '../../src/ui')
const sources = [...new Bun.Glob('**/*.{svelte,ts}').scanSync({ cwd: ui })].map((name) =>
  readFileSync(join(ui, name), 'utf8'),
)

const NO_PAGE: Readonly<Record<string, string>> = {
  'pages outside of the console do the same within the service: an account, a new password, the first start': `registrationOtp
    registrationVerify registrationComplete passwordResetRequest passwordResetComplete setUp`,
  'is a page or a file itself, which a link opens': `verifyDocument vacancyPage sharedInvoice sharedPaper sharedPayment
    sharedReceipt publicPhoto downloadMedia uploadMedia legalVersions legalText`,
  'asked by machines': 'healthz readyz deliveryReport',
  'of the sandbox, for tests': 'sandboxClock sandboxMessages sandboxToken',
  'for a program that knows one id: the pages read it in its list or with what it belongs to': `getDocument getKyc
    getPropertyProof getSignedCopy getRentChange getPayment getTransfer getOwnerTransfer getAuditArchive getProposedDeductions`,
  'for a program that matches them with an account: the pages list payments': 'listTransfers attributeTransfer',
  'for an accounting program: the page downloads the journal as a file': 'listLedgerEntries updateLedgerAccounts',
  'a page that lost the link of an upload announces the file anew': 'renewUploadLink',
}
const reasoned = Object.values(NO_PAGE).flatMap((ids) => ids.split(/\s+/))

/** What a page calls: by the typed client, or by fetch where the answer is a file or a stream. */
const calls = sources.flatMap((text) =>
  [
    ...text.matchAll(/(?:\.(GET|POST|PUT|PATCH|DELETE)|\bfetch|\bRequest)\(\s*(['"`])(?:\$\{[\w.]+\})?(\/[^'"`]+)\2/g),
  ].map(([, method = '', , path = '']) => ({
    method,
    path: new RegExp(`^${path.replace(/\$?\{[^}]*\}/g, '[^/]+').replace(/\?.*/, '')}$`),
  })),
)
const isCalled = (line: string): boolean => {
  const [verb = '', path = ''] = line.split(' ')
  return calls.some((call) => (call.method === '' || call.method === verb) && call.path.test(path))
}

test('each operation is called by a page, or says why none calls it', () => {
  expect(calls.length).toBeGreaterThan(150)
  const idle = operations.filter(([line]) => !isCalled(line)).map(([, { operationId }]) => operationId)
  expect(idle.sort()).toEqual(reasoned.sort())
})

test('one that no page calls would be found', () => {
  expect(isCalled('GET /api/v1/bookings/{id}/nothing')).toBe(false)
  expect(isCalled('DELETE /api/v1/bookings/{id}')).toBe(false)
  expect(isCalled('GET /api/v1/bookings/{id}')).toBe(true)
})
