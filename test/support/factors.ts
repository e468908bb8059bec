import { setSystemTime } from 'bun:test'
import { createHmac } from 'node:crypto'
import {
  authorizeUrl,
  Browser,
  codeOf,
  exchange,
  PASSWORD,
  type Page,
  PHONE,
  type TestIdentity,
  type Tokens,
} from './oidc.ts'

export const advance = (seconds: number) => setSystemTime(Date.now() + seconds * 1000)

/** RFC 6238 without the library, so that tests check the library independently. */
export function totp(secret: string, steps = 0): string {
  const bits = [...secret]
    .map((c) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(c).toString(2).padStart(5, '0'))
    .join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps))
  const mac = createHmac('sha1', key).update(counter).digest()
  const at = (mac.at(-1) ?? 0) & 15
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}
export const secretOn = (page: Page): string =>
  /class="key">([A-Z2-7 ]+)</.exec(page.text)?.[1]?.replaceAll(' ', '') ?? ''
export const codesOn = (page: Page): string[] =>
  [...page.text.matchAll(/<li><code>(\d{5}-\d{5})<\/code>/g)].map((m) => m[1] ?? '')
export const optionsOn = (page: Page): string =>
  (/data-passkey="([^"]+)"/.exec(page.text)?.[1] ?? '').replaceAll('&quot;', '"')
export const PASS = { username: PHONE, password: PASSWORD }

/** Posts the form of one step of the page. */
export function step(browser: Browser, page: Page, name: string, fields: Record<string, string> = {}): Promise<Page> {
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const action = /<form method="post" action="([^"]+)"/.exec(page.text)?.[1] ?? ''
  return browser.visit(new URL(action, page.url).href, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ csrf, step: name, lang: 'en', ...fields }).toString(),
  })
}
export const begin = async (idp: TestIdentity, browser: Browser, change: Record<string, string> = {}, who = PASS) =>
  browser.submit(await browser.visit(authorizeUrl(idp, change)), who)
export async function tokensOf(idp: TestIdentity, page: Page): Promise<Tokens> {
  if (!page.left) throw new Error(`not signed in: ${page.response.status} ${page.text.slice(0, 1500)}`)
  return (await exchange(idp, codeOf(new URL(page.url)))).body
}
/** Sets an app up in the course of a sign-in that asks for it. */
export async function withApp(idp: TestIdentity, browser = new Browser(idp), who = PASS) {
  const setup = await begin(idp, browser, { acr_values: '2' }, who)
  const secret = secretOn(setup)
  const shown = await step(browser, setup, 'app', { code: totp(secret) })
  const done = await step(browser, shown, 'continue')
  advance(31)
  return { secret, codes: codesOn(shown), tokens: await tokensOf(idp, done), browser }
}
