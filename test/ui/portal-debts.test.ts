// Rent and charges beside each other, as the tenant reads them and says which was paid.
import { expect, test } from 'bun:test'
import { inPortal, PASSWORD } from './portal.ts'

inPortal((world, api) => {
  test('who owes two things chooses which was paid; charges are called so, in the reader’s language', async () => {
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    const phone = await api.register('Paye', 'Deux')
    await api.lease(phone, { activate: true })
    const token = await api.tokenOf(phone)
    await api.until(async () => (await api.list(token, 'invoices')).length > 0)
    await world.signIn(page, { phone, password: PASSWORD }, '/portal')
    const [lease] = await api.list(token, 'bookings')
    const lines = [{ label: 'Eau\u00a0: quote-part', amount: 7_500 }]
    const line = `POST /api/v1/bookings/${lease?.id}/invoices`
    expect((await world.server.call(api.owner, line, { lines })).status).toBe(201)
    await page.reload()
    await page.getByText('Charges (Eau: share)').waitFor()
    await page.getByRole('link', { name: 'I have paid', exact: true }).click()
    const which = page.getByLabel('What have you paid?')
    await which.waitFor()
    expect(await which.locator('option').count()).toBe(2)
    const rent = await which.inputValue()
    await page.getByLabel('How much have you paid?').fill('1 000')
    const other = await which.locator('option', { hasText: 'Charges (Eau: share)' }).getAttribute('value')
    await which.selectOption(other)
    await page.waitForURL(`${world.base}/portal/declare/${other}`)
    // What was typed for the other debt is not taken for this one.
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>('main form input')?.value === '7,500')
    expect(await world.look(page, 'portal-declare-which-360-en')).toEqual([])
    await page.locator('main button[type=submit]').click()
    await page.waitForURL(`${world.base}/portal`)
    await page.getByText('has not confirmed it yet').waitFor()
    const payments = await api.list(token, 'payments')
    expect(payments.map(({ invoiceIds, amount }) => [invoiceIds, amount])).toEqual([[[other], 7_500]])
    expect(other).not.toBe(rent)
    await page.goto(`${world.base}/portal/papers?kind=INVOICE`)
    await page.getByText('Invoice of charges').waitFor()
    expect(await page.getByRole('button', { name: /^Open Invoice(?! of charges)/ }).count()).toBe(1)
    const fr = await world.newPage({ locale: 'fr', size: 360 })
    await world.signIn(fr.page, { phone, password: PASSWORD }, '/portal/papers?kind=INVOICE')
    await fr.page.getByText('Facture de charges').waitFor()
    await fr.page.context().close()
    expect(faults).toEqual([])
    await page.context().close()
  }, 120_000)
})
