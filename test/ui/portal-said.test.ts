// What a tenant said they paid leads the portal, with what it leaves, until the landlord answers.
import { expect, test } from 'bun:test'
import { inPortal, PASSWORD } from './portal.ts'

/** Amounts have spaces that do not break. */
const plain = (text: string | null): string => (text ?? '').replace(/[\u00a0\u202f]/g, ' ')
const SAYINGS = [
  {
    locale: 'fr',
    pay: 'J’ai payé',
    owed: 'Vous devez',
    said: /^Vous avez dit avoir payé 20 000 FCFA le \d/,
    saidTimes: /^Vous avez dit avoir payé 50 000 FCFA, en 2 fois$/,
    unconfirmed: 'ne l’a pas encore confirmé.',
    left: 'Il vous restera ensuite 30 000 FCFA à payer.',
    nothing: 'Ensuite, vous ne devrez plus rien.',
    unsent: 'sera envoyé dès le retour du réseau.',
    refused: 'n’a pas accepté votre paiement de',
  },
  {
    locale: 'en',
    pay: 'I have paid',
    owed: 'You owe',
    said: /^You said you paid FCFA 20,000 on \d/,
    saidTimes: /^You said you paid FCFA 50,000, in 2 payments$/,
    unconfirmed: 'has not confirmed it yet.',
    left: 'You will then have FCFA 30,000 left to pay.',
    nothing: 'You will then owe nothing.',
    unsent: 'will be sent when there is network again.',
    refused: 'did not accept your payment of',
  },
] as const

inPortal((world, api) => {
  test.each(SAYINGS)(
    'the portal leads with what was said and what that leaves, not with the debt; a refusal is told ($locale)',
    async (words) => {
      const { page, faults } = await world.newPage({ locale: words.locale, size: 360 })
      const phone = await api.register('Paye', 'Loyer')
      await api.lease(phone, { activate: true })
      await world.signIn(page, { phone, password: PASSWORD }, '/portal')
      const token = await api.tokenOf(phone)
      const pay = page.getByRole('link', { name: words.pay, exact: true })
      await api.until(async () => {
        await page.reload()
        await page.locator('h1').waitFor()
        return (await pay.count()) > 0
      })
      const title = page.locator('main h1')
      const top = page.locator('main section').first()
      const say = async (amount: string) => {
        await pay.click()
        await page.locator('input[inputmode=numeric]').fill(amount)
        await page.locator('main button[type=submit]').click()
      }
      expect(await title.textContent()).toBe(words.owed)
      await say('20000')
      await top.getByText(words.unconfirmed).waitFor()
      expect(plain(await title.textContent())).toMatch(words.said)
      expect(plain(await top.textContent())).toContain(words.left)
      // without network, on top of it: nothing is left
      await page.context().setOffline(true)
      await say('30000')
      await top.getByText(words.unsent).waitFor()
      expect(plain(await title.textContent())).toMatch(words.saidTimes)
      expect(plain(await top.textContent())).toContain(words.nothing)
      // who said that all is paid is not asked once more
      expect(await pay.count()).toBe(0)
      await page.context().setOffline(false)
      await top.getByText(words.unconfirmed).waitFor()
      expect(await page.getByText(words.unsent).count()).toBe(0)
      expect(await world.look(page, `portal-said-${words.locale}`)).toEqual([])
      // the landlord refuses both: the debt leads again, below the reason
      for (const { id } of await api.list(token, 'payments'))
        await world.server.call(api.owner, `POST /api/v1/payments/${id}/reject`, { reason: 'Rien reçu <b>hier</b>' })
      await page.reload()
      await page.getByText(words.refused).waitFor()
      expect(await page.getByText('Rien reçu <b>hier</b>').count()).toBe(1)
      expect(await title.textContent()).toBe(words.owed)
      expect(await page.getByText(words.unconfirmed).count()).toBe(0)
      // declared anew, it is the new word that counts
      await say('50000')
      await top.getByText(words.unconfirmed).waitFor()
      expect(await page.getByText(words.refused).count()).toBe(0)
      expect(await api.list(token, 'payments')).toHaveLength(3)
      expect(faults).toEqual([])
      await page.context().close()
    },
    90_000,
  )

  test('without network an amount that is none is said beside the field, and does not wait as if it had been said', async () => {
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    const phone = await api.register('Paye', 'Rien')
    await api.lease(phone, { activate: true })
    await world.signIn(page, { phone, password: PASSWORD }, '/portal')
    const pay = page.getByRole('link', { name: 'I have paid', exact: true })
    await api.until(async () => {
      await page.reload()
      await page.locator('h1').waitFor()
      return (await pay.count()) > 0
    })
    await pay.click()
    const send = page.locator('main button[type=submit]')
    await send.waitFor()
    await page.context().setOffline(true)
    for (const amount of ['', 'douze', '12,5']) {
      await page.locator('main input[inputmode=numeric]').fill(amount)
      await send.click()
      await page.locator('[aria-invalid=true]').waitFor()
      expect([amount, await page.getByText('Write the amount in francs, in figures.').count()]).toEqual([amount, 1])
    }
    await page.getByRole('link', { name: 'Cancel' }).click()
    const owed = page.getByRole('heading', { name: 'You owe', exact: true })
    await owed.waitFor()
    expect(await page.getByText('will be sent when there is network again').count()).toBe(0)
    await page.context().setOffline(false)
    await page.reload()
    await owed.waitFor()
    expect([await api.list(await api.tokenOf(phone), 'payments'), faults]).toEqual([[], []])
    await page.context().close()
  }, 60_000)
})
