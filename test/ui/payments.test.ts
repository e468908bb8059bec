// A payment that a tenant declared: the landlord sees it with its proof, confirms it, and takes that back.
import { expect, test } from 'bun:test'
import { inBrowser } from './browser.ts'

inBrowser((world) => {
  test('a declared payment is confirmed once however often it is pressed, and "Undo" reverses it', async () => {
    const owner = await world.server.token('OWNER')
    const headers = { authorization: `Bearer ${owner}` }
    const read = async (path: string) => (await fetch(`${world.base}/api/v1/${path}`, { headers })).json()
    const [declared] = await read('payments?status=PENDING')
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    await world.signIn(page, 'OWNER', '/console/payments')
    await page
      .getByRole('button', { name: /^Confirm FCFA/ })
      .and(page.locator(':visible'))
      .dblclick()
    const undo = page.getByRole('button', { name: 'Undo' })
    await undo.waitFor()
    await page.getByText('Nothing to confirm').waitFor()
    expect((await read(`payments/${declared.id}`)).status).toBe('CONFIRMED')
    await undo.click()
    await page.getByRole('button', { name: 'Reversed', exact: true }).click()
    await page.getByText('Thérèse Tchoua').first().waitFor()
    await page.getByText('Confirmed by mistake').waitFor()
    const { status, note } = await read(`payments/${declared.id}`)
    expect([status, note, await read('payments?status=PENDING')]).toEqual(['REVERSED', 'Confirmed by mistake', []])
    expect(faults).toEqual([])
    await page.context().close()
  }, 60_000)

  test('a declared payment is refused with a reason, once; the rent stays owed and the tenant reads why', async () => {
    const [owner, tenant] = [await world.server.token('OWNER'), await world.server.token('TENANT')]
    const read = async (path: string, token = owner) =>
      (await fetch(`${world.base}/api/v1/${path}`, { headers: { authorization: `Bearer ${token}` } })).json()
    const [rent] = (await read('invoices?limit=100', tenant)).filter(
      ({ balanceAmount }: { balanceAmount: number }) => balanceAmount > 0,
    )
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    const { body: declared } = await world.server.call(tenant, `POST /api/v1/invoices/${rent.id}/payments`, {
      amount: 7_000,
      method: 'MTN_MOMO',
      paidOn: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10),
    })
    await world.signIn(page, 'OWNER', '/console/payments')
    const row = page.locator('[data-row]', { hasText: '7,000' })
    await row.getByText('No proof attached').waitFor()
    await row.getByRole('button', { name: /^Refuse/ }).click()
    await page.getByLabel(/^Reason/).fill('Rien reçu sur ce compte')
    await page.locator('dialog button[type=submit]').dblclick()
    await page.locator('dialog').waitFor({ state: 'detached' })
    const { status, note } = await read(`payments/${declared.id}`, tenant)
    expect([status, note]).toEqual(['REJECTED', 'Rien reçu sur ce compte'])
    expect((await read(`invoices/${rent.id}`)).balanceAmount).toBe(rent.balanceAmount)
    expect(faults).toEqual([])
    await page.context().close()
  }, 60_000)

  test('pasted messages: one is what the tenant declared, one waits, with the day that was asked for', async () => {
    const [owner, tenant] = [await world.server.token('OWNER'), await world.server.token('TENANT')]
    const read = async (path: string, token = owner) =>
      (await fetch(`${world.base}/api/v1/${path}`, { headers: { authorization: `Bearer ${token}` } })).json()
    const [rent] = (await read('invoices?limit=100', tenant)).filter(
      ({ balanceAmount }: { balanceAmount: number }) => balanceAmount > 7_500,
    )
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
    const { body: declared } = await world.server.call(tenant, `POST /api/v1/invoices/${rent.id}/payments`, {
      ...{ amount: 7_500, method: 'MTN_MOMO', paidOn: yesterday },
    })
    const number = (await read('me', tenant)).phoneNumber.slice(1)
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    await world.signIn(page, 'OWNER', '/console/payments/message')
    await page
      .locator('main textarea')
      .fill(
        `You have received 7,500 XAF from TENANT (${number}) at ${yesterday} 10:00:00. Financial Transaction Id: 6612345001.\nYou have received 900 XAF from A STRANGER. Financial Transaction Id: 6612349002.`,
      )
    await page.getByRole('button', { name: 'Read the message' }).click()
    const [first, second] = [page.locator('[data-message]').first(), page.locator('[data-message]').last()]
    await first
      .getByRole('button', { name: /^Assign/ })
      .first()
      .click()
    await first.getByRole('button', { name: 'It is the declared payment' }).dblclick()
    await page.getByText(/7,500 recorded/).waitFor()
    const { status, reference } = await read(`payments/${declared.id}`)
    expect([status, reference]).toEqual(['CONFIRMED', '6612345001'])
    await second.getByLabel('On what day did this amount arrive?').fill(yesterday)
    await second.getByRole('button', { name: 'Set aside' }).click()
    await page.getByText('Message set aside.').waitFor()
    const waiting = await read('payments/unmatched')
    expect(waiting.filter(({ amount }: { amount: number }) => amount === 900)).toMatchObject([{ paidOn: yesterday }])
    const { body: later } = await world.server.call(tenant, `POST /api/v1/invoices/${rent.id}/payments`, {
      ...{ amount: 900, method: 'MTN_MOMO', paidOn: yesterday },
    })
    await page
      .locator('[data-row]', { hasText: '900' })
      .getByRole('button', { name: /^Assign/ })
      .click()
    await page.locator('dialog select').selectOption(rent.id)
    await page.locator('dialog button[type=submit]').click()
    await page.locator('dialog').getByRole('button', { name: 'It is the declared payment' }).dblclick()
    await page.getByText(/900 recorded/).waitFor()
    expect((await read(`payments/${later.id}`)).status).toBe('CONFIRMED')
    expect(faults).toEqual([])
    await page.context().close()
  }, 60_000)

  test('what an operator told of already is asked about before it is confirmed again', async () => {
    const [owner, tenant] = [await world.server.token('OWNER'), await world.server.token('TENANT')]
    const read = async (path: string, token = owner) =>
      (await fetch(`${world.base}/api/v1/${path}`, { headers: { authorization: `Bearer ${token}` } })).json()
    const [rent] = (await read('invoices?limit=100', tenant)).filter(
      ({ balanceAmount }: { balanceAmount: number }) => balanceAmount > 20_000,
    )
    const sum = {
      amount: 9_000,
      method: 'MTN_MOMO',
      paidOn: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10),
    }
    const line = `POST /api/v1/invoices/${rent.id}/payments`
    expect((await world.server.call(owner, line, { ...sum, reference: '7700000123' })).status).toBe(201)
    const { body: declared } = await world.server.call(tenant, line, sum)
    const { page, faults } = await world.newPage({ locale: 'fr', size: 360 })
    await world.signIn(page, 'OWNER', '/console/payments')
    await page
      .getByRole('button', { name: /^Confirmer 9/ })
      .and(page.locator(':visible'))
      .click()
    await page.getByText('C’est peut-être le même argent').waitFor()
    expect((await read(`payments/${declared.id}`)).status).toBe('PENDING')
    expect(await world.look(page, 'counted-360')).toEqual([])
    await page.getByRole('button', { name: 'C’est un autre paiement' }).click()
    await page.getByRole('button', { name: 'Annuler' }).first().waitFor()
    expect((await read(`payments/${declared.id}`)).status).toBe('CONFIRMED')
    expect((await read(`invoices/${rent.id}`)).balanceAmount).toBe(rent.balanceAmount - 18_000)
    expect(faults).toEqual([])
    await page.context().close()
  }, 60_000)

  test('an amount that is no whole number is refused beside its field, and is not read as another one', async () => {
    const headers = { authorization: `Bearer ${await world.server.token('OWNER')}` }
    const [rent] = await (await fetch(`${world.base}/api/v1/invoices?status=OVERDUE&limit=1`, { headers })).json()
    const paid = async () =>
      (await (await fetch(`${world.base}/api/v1/invoices/${rent.id}/payments`, { headers })).json()).map(
        ({ amount }: { amount: number }) => amount,
      )
    const before = await paid()
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    await world.signIn(page, 'OWNER', `/console/invoices/${rent.id}?pay=${rent.id}`)
    const field = page.locator('dialog input').first()
    for (const [typed, says] of [
      ['12,5', 'Must be a whole number.'],
      ['-500', 'Must be a whole number.'],
      ['1e3', 'Must be a whole number.'],
      ['', 'Must not be empty.'],
    ] as const) {
      await field.fill(typed)
      await page.locator('dialog button[type=submit]').click()
      await page.locator('dialog').getByText(says).waitFor()
      expect([await paid(), await field.inputValue()]).toEqual([before, typed])
    }
    // groups may be set off as people do
    await field.fill('1.250')
    await page.locator('dialog button[type=submit]').click()
    await page.locator('dialog').waitFor({ state: 'detached' })
    expect((await paid()).toSorted()).toEqual([...before, 1250].toSorted())
    expect(faults).toEqual([])
    await page.context().close()
  }, 60_000)
})
