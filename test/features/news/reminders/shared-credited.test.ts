// What the pages without an account say of an invoice of which something was given back.
import { expect, test } from 'bun:test'
import { ANA, start } from '../../../support/reminded.ts'

test('an invoice of which the end of the lease gave something back says so, to whoever looks', async () => {
  const s = await start()
  const call = s.t.sent.find(({ purpose }) => purpose === 'invoice_issued')?.text
  const open = async (path: string): Promise<string> =>
    (await (await s.t.app.handle(new Request(`http://localhost${path}`))).text()).replace(/\s+/g, ' ')
  const link = /\/i\/[\w-]{42}/.exec(call ?? '')?.[0] ?? ''
  await s.pay(60_000)
  const [paper] = (
    await s.t.call<{ verificationCode: string }[]>(ANA, `GET /api/v1/documents?invoiceId=${s.invoice}&kind=INVOICE`)
  ).body
  const checked = () => open(`/verify/${paper?.verificationCode}`)
  for (const page of [await open(link), await checked()]) expect(page).not.toContain('avoir')
  s.t.advance(10)
  await s.t.call(ANA, `POST /api/v1/bookings/${s.booking}/terminate`, { endDate: '2026-03-19' })
  await s.t.work()
  // Ten of 31 days were lived.
  const given = '40 645 FCFA'
  expect(await open(link)).toContain(`${given} en sont déduits par avoir.`)
  expect(await open(link)).toContain('<th scope="row">Payé</th><td>19 355 FCFA</td>')
  expect(await checked()).toContain(`<dt>Déduit par avoir</dt><dd>${given}</dd>`)
  // Who has no account is led to no page that asks for one.
  const ended = s.t.sent.find(({ purpose }) => purpose === 'lease_ended')?.text
  expect(ended?.replace(/\s+/g, ' ')).toContain(`Solde, dépôt compris : ${given} à vous rendre.`)
  expect(ended).not.toContain('/portal/')
})
