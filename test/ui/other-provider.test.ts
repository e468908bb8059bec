// The pages with a sign-in provider that is not Loyer's own, as a Keycloak: it alone can end its session.
import { expect, test } from 'bun:test'
import { inBrowser } from './browser.ts'

inBrowser((world) => {
  test('sign-out ends the provider’s session and comes back; nobody is signed in by the next page', async () => {
    const { page, faults } = await world.newPage({ locale: 'en', size: 1280 })
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (/renewal|logout|sessions\//.test(pathname)) asked.push(`${request.method()} ${pathname}`)
    })
    // the same pages, told that the provider is another one
    await page.addInitScript(() => {
      new MutationObserver((_changes, watch) => {
        const meta = document.querySelector<HTMLMetaElement>('meta[name=issuer]')
        if (!meta) return
        meta.dataset.provider = 'other'
        watch.disconnect()
      }).observe(document, { childList: true, subtree: true })
    })
    await world.signIn(page, 'OWNER', '/console/me')
    await page.getByRole('heading', { name: 'My account' }).waitFor()
    // a reload goes by the provider, as there is no other way to a token
    await page.reload()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    // what it alone can change is not offered
    expect(await page.getByRole('link', { name: 'Set up the second factor' }).count()).toBe(0)
    expect(await page.getByLabel('New password').count()).toBe(0)
    expect(asked).toEqual([])
    const left = page.waitForRequest(/\/openid-connect\/logout/)
    await page.getByRole('button', { name: 'Sign out' }).click()
    const query = new URL((await left).url()).searchParams
    expect([query.get('client_id'), query.get('post_logout_redirect_uri')]).toEqual(['svc-mobile', `${world.base}/`])
    // a Keycloak knows by it who leaves, and asks nothing; this server's own provider asks once more
    expect(query.get('id_token_hint')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    expect(asked.filter((line) => !/logout/.test(line))).toEqual([])
    await page.locator('button[type=submit]').first().click()
    await page.waitForURL((url) => !url.pathname.includes('logout'))
    await page.goto(`${world.base}/console`)
    await page.locator('#username').waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  }, 60_000)

  test('a sign-out that finds no network says so, and one stays signed in', async () => {
    const { page, faults } = await world.newPage({ locale: 'en', size: 1280 })
    await world.signIn(page, 'OWNER', '/console/me')
    const out = page.getByRole('button', { name: 'Sign out' })
    await out.waitFor()
    await page.waitForLoadState('networkidle')
    await page.context().setOffline(true)
    await out.click()
    await page.getByText('No answer. Check your connection.').first().waitFor()
    await page.context().setOffline(false)
    await page.reload()
    await out.waitFor()
    await out.click()
    await page.waitForURL((url) => !url.pathname.startsWith('/console/me'))
    await page.goto(`${world.base}/console`)
    await page.locator('#username').waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  }, 60_000)
})
