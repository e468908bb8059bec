// What a payment was for, in its message and on its page: an old balance and charges alone have no time of their own.
import { expect, test } from 'bun:test'
import { cash, letting, type Stage, stage } from '../../../support/scenario.ts'

const plain = (text: string): string => text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
/** What the tenant was told last of a payment, and the page that the message leads to. */
async function told(s: Stage): Promise<string[]> {
  const text = plain(s.t.sent.findLast(({ purpose }) => purpose === 'payment_confirmed')?.text ?? '')
  const path = /\/r\/[\w-]{42}/.exec(text)?.[0] ?? ''
  return [text, plain(await (await s.t.app.handle(new Request(`http://localhost${path}`))).text())]
}

test('an old balance, rent, charges, rent with charges, and what is for later', async () => {
  const s = await stage({ given: letting({ openingBalance: 75_000 }) })
  await s.work()
  for (const [amount, charges, says, shows, never] of [
    [75_000, 0, 'au titre du solde antérieur. Quittance', 'Payé pour Solde antérieur', 'du 28'],
    [60_000, 0, 'du 1er au 31 mars 2026. Quittance', 'du 1er au 31 mars 2026', 'titre'],
    [4_500, 4_500, 'au titre des charges. Quittance', 'Payé pour Charges', 'du 10 mars'],
    [64_500, 4_500, 'du 1er au 30 avril 2026. Quittance', 'du 1er au 30 avril 2026', 'titre'],
    [1_000, 0, 'en avance sur les loyers à venir. Reçu', 'Payé pour Gardé en avance', 'titre'],
  ] as const) {
    if (charges > 0)
      await s.make('ana', 'POST /bookings/{lease}/invoices', { lines: [{ label: 'Eau', amount: charges }] })
    await s.make('ana', 'POST /bookings/{lease}/payments', cash(amount))
    await s.work()
    const [text, page] = await told(s)
    expect(text).toContain(`pour « A1 », « Villa », ${says}`)
    expect(page).toContain(shows)
    for (const one of [text, page]) expect(one).not.toContain(never)
  }
})
