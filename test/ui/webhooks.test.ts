// An address that is told what happens: added, its secret shown once, sent to, switched off and on, deleted by name; and
// the audit trail, which says it in words.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openWorld, type World, withBrowser } from './browser.ts'

type Body = Record<string, unknown>

test('every action of the audit trail has words in both languages', () => {
  const src = join(import.meta.dirname, '../../src')
  const found = [...new Bun.Glob('features/*/*/*.ts').scanSync({ cwd: src })].flatMap((name) =>
    [
      ...readFileSync(join(src, name), 'utf8').matchAll(/\b(?:record|change|told|move\w*)\(.*?, '([a-z_]+\.[a-z_]+)'/g),
    ].map(([, action = '']) => action),
  )
  expect(found.length).toBeGreaterThan(50)
  const words = ['action-words', 'cost-actions', 'lease-actions']
    .map((name) => readFileSync(join(src, `ui/console/kit/${name}.ts`), 'utf8'))
    .join('')
  const lacks = (action: string) => words.split(`  '${action}': '`).length !== 3
  expect([...new Set(found)].filter(lacks)).toEqual([])
})

withBrowser(() => {
  let world: World
  let receiver: ReturnType<typeof Bun.serve>
  let token: string
  let received = 0
  beforeAll(async () => {
    receiver = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch() {
        received += 1
        return new Response(null, { status: 204 })
      },
    })
    world = await openWorld({})
    token = await world.server.token('ADMIN')
  }, 60_000)
  afterAll(async () => {
    await receiver?.stop(true)
    await world?.close()
  }, 30_000)

  const objects = (events: unknown): string[] => [
    ...new Set((events as string[]).map((type) => type.split('.')[0] ?? '')),
  ]
  const endpoints = async (): Promise<Body[]> => {
    const answer = await fetch(`${world.base}/api/v1/webhook-endpoints`, {
      headers: { authorization: `Bearer ${token}` },
    })
    return (await answer.json()) as Body[]
  }

  test('the secret is shown once; events arrive and are sent again; it is switched and deleted by name', async () => {
    const { page, faults } = await world.newPage({ locale: 'en', size: 360 })
    page.setDefaultTimeout(10_000)
    await world.signIn(page, 'ADMIN', '/console/settings/webhooks')
    await page.getByText('No address yet').waitFor()
    await page.getByRole('button', { name: 'Add an address' }).click()
    await page.getByLabel('Address', { exact: true }).fill(`http://127.0.0.1:${receiver.port}/loyer`)
    await page.getByLabel('Name').fill('Accounting')
    await page.getByLabel('Reviews').uncheck()
    await page.getByLabel('Documents').uncheck()
    await page.locator('dialog button[type=submit]').click()
    const secret = page.locator('[data-secret]')
    await secret.waitFor()
    const shown = (await secret.textContent())?.trim() ?? ''
    expect(shown).toStartWith('whsec_')
    expect(await world.look(page, 'console-webhook-secret-360-en')).toEqual([])
    expect((await endpoints()).map(({ description, events }) => [description, objects(events)])).toEqual([
      [
        'Accounting',
        [
          'booking',
          'invoice',
          'payment',
          'transfer',
          'repair',
          'inspection',
          'expense',
          'owner_transfer',
          'regularisation',
        ],
      ],
    ])
    await page.reload()
    await page.locator('h1').waitFor()
    expect(await page.content()).not.toContain(shown)
    await page.goto(`${world.base}/console/settings/webhooks`)

    await page.getByRole('link', { name: 'Accounting' }).click()
    await page.getByText('Nothing has been sent yet').waitFor()
    await page.getByRole('button', { name: 'Send a test event' }).click()
    await page.getByText('Test event sent.').waitFor()
    const tested = page.locator('[data-row]', { hasText: 'Test event sent' })
    await tested.waitFor()
    for (let tries = 0; tries < 50 && received === 0; tries += 1) await Bun.sleep(100)
    expect([received, await tested.count()]).toEqual([1, 1])
    const owner = await world.server.token('OWNER')
    const headers = { authorization: `Bearer ${owner}` }
    const due = (await (
      await fetch(`${world.base}/api/v1/invoices?status=OVERDUE&limit=1`, { headers })
    ).json()) as Body[]
    const paid = { amount: 1000, method: 'CASH', paidOn: '2026-01-05' }
    const made = await world.server.call(owner, `POST /api/v1/invoices/${due[0]?.id}/payments`, paid)
    expect(made.status).toBe(201)
    const row = page.locator('[data-row]', { hasText: 'Payment recorded' })
    const arrives = async (times: number): Promise<void> => {
      for (let tries = 0; tries < 50; tries += 1) {
        await page.reload()
        await page.locator('[data-row], .card p').first().waitFor()
        if (received >= times && (await row.getByText('Received').count()) === 1) return
        await Bun.sleep(100)
      }
      throw new Error(`${received} events arrived, the page shows none of them`)
    }
    await arrives(2)
    expect(await world.look(page, 'console-webhook-360-en')).toEqual([])
    await page.setViewportSize({ width: 1280, height: 860 })
    expect(await world.look(page, 'console-webhook-1280-en')).toEqual([])
    const before = received
    await row.getByRole('button', { name: /^Send again/ }).click()
    await page.getByText('It is being sent again.').waitFor()
    await arrives(before + 1)

    await page.getByRole('button', { name: 'Stop sending' }).click()
    await page.getByRole('button', { name: 'Resume sending' }).waitFor()
    expect((await endpoints())[0]?.status).toBe('DISABLED')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Stop sending' }).waitFor()
    expect((await endpoints())[0]?.status).toBe('ENABLED')
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const form = page.locator('dialog')
    await form.getByLabel('Address').fill('nowhere')
    await form.locator('button[type=submit]').click()
    await form.locator('[aria-invalid=true]').waitFor()
    await form.getByLabel('Address').fill(`${(await endpoints())[0]?.url}?v=2`)
    await form.getByLabel('Rents').uncheck()
    expect(await world.look(page, 'console-webhook-edit-1280-en')).toEqual([])
    await form.locator('button[type=submit]').click()
    await page.getByText('The address is changed.').waitFor()
    expect((await endpoints()).map(({ url, events }) => [String(url).endsWith('?v=2'), objects(events)])).toEqual([
      [true, ['booking', 'payment', 'transfer', 'repair', 'inspection', 'expense', 'owner_transfer', 'regularisation']],
    ])
    await page.getByRole('button', { name: 'Change the secret' }).click()
    await secret.waitFor()
    const next = (await secret.textContent())?.trim() ?? ''
    expect([next.startsWith('whsec_'), next === shown]).toEqual([true, false])
    await page.getByRole('button', { name: 'I have copied the secret' }).click()
    expect(await page.content()).not.toContain(next)

    await page.getByRole('button', { name: 'Delete the address' }).click()
    const act = page.locator('dialog button[type=submit]')
    await page.locator('dialog input').fill('Something else')
    expect(await act.isDisabled()).toBe(true)
    await page.locator('dialog input').fill('accounting')
    await act.click()
    await page.getByText('No address yet').waitFor()
    expect(await endpoints()).toEqual([])

    await page.goto(`${world.base}/console/audit?subjectType=webhook_endpoint`)
    await page.locator('[data-row]').first().waitFor()
    const rows = await page.locator('[data-row] th').allTextContents()
    // what changed stands behind it
    expect(rows.map((text) => text.trim().split(/\s{2,}/)[0])).toEqual([
      'Webhook deleted',
      'Webhook secret changed',
      'Webhook changed',
      'Webhook changed',
      'Webhook changed',
      'Webhook added',
    ])
    await page.goto(`${world.base}/console/audit?subjectType=webhook_endpoint&to=2020-01-01`)
    await page.getByRole('button', { name: 'Clear the filters' }).click()
    await page.locator('[data-row]').first().waitFor()
    expect(new URL(page.url()).search).toBe('')
    expect(faults).toEqual([])
    await page.context().close()
  }, 60_000)
})
