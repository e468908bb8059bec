// The handbook's page of limits against the budgets, in both languages: its figures in order, line by line.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as budgets from '../../src/core/budgets.ts'

const seen = new Set<string>()
/** The same budgets, which remember what was read of them. */
const watched = <T extends object>(value: T, path = ''): T =>
  new Proxy(value, {
    get(target, name) {
      const inner = Reflect.get(target, name)
      const at = `${path}${String(name)}`
      if (typeof inner === 'number') seen.add(at)
      return typeof inner === 'object' && inner !== null ? watched(inner, `${at}.`) : inner
    },
  })
function* leaves(value: object, path = ''): Generator<string> {
  for (const [name, inner] of Object.entries(value))
    if (typeof inner === 'number') yield `${path}${name}`
    else yield* leaves(inner, `${path}${name}.`)
}

const [SECOND, MINUTE, DAY] = [1_000, 60_000, 86_400_000]
const b = watched({ ...budgets })
const rate = ({ perSecond, burst }: { perSecond: number; burst: number }) =>
  perSecond < 1 ? [burst, Math.round(perSecond * 60), MINUTE] : [burst, perSecond, SECOND]
const budget = ({ ms, most }: budgets.Budget) => [most, ms]
const refilled = ({ ms, most, quiet, thenEvery }: budgets.Refilled) => [most, ms, quiet, 1, thenEvery]
const share = ({ objects, bytes, pending, arrived }: Record<'objects' | 'bytes' | 'pending' | 'arrived', number>) => [
  ...[objects, bytes, pending, arrived, DAY],
]
const { CODES, FILE, FILES, NEWS, PASSWORDS, RECORDS, ROWS } = b

/** The figures of each line of the page: durations in milliseconds, sizes in bytes, shares of one. */
const LINES: readonly (readonly number[])[] = [
  rate(b.REQUESTS.user),
  rate(b.REQUESTS.address),
  rate(b.REQUESTS.signUp),
  rate(b.REQUESTS.papers),
  rate(b.REQUESTS.photos),
  rate(b.REQUESTS.deliveryReports),
  [b.BODY],
  [b.STREAMS.person, b.STREAMS.all, b.STREAMS.retryAfter * SECOND],
  budget(b.TEST_EVENTS),
  budget(b.RESETS),
  [b.WRITES.tenant.changes, b.WRITES.tenant.bytes],
  [b.WRITES.landlord.changes, b.WRITES.landlord.bytes],
  [b.WRITES.organization.changes, b.WRITES.organization.bytes],
  [b.KEPT_ANSWERS.person, b.KEPT_ANSWERS.organization],

  [1, CODES.againMs, ...CODES.numberAndNetwork.flatMap(budget)],
  [CODES.attempts],
  [...budget(CODES.guesses), CODES.shortCodes, 12],
  CODES.network.flatMap(budget),
  CODES.site.flatMap(budget),
  refilled(CODES.number),
  refilled(CODES.prefix),
  [...CODES.strangers.flatMap(refilled), ...CODES.strangersAtMost.flatMap(budget)],
  budget(CODES.account),
  [...budget(CODES.account), ...budget(CODES.signing)],
  [CODES.linkHolders],
  CODES.service.flatMap(budget),

  [CODES.quietBelow, CODES.loudFrom],
  [PASSWORDS.knownMs, CODES.loudFrom, 60 * MINUTE, b.KNOWN_SITES.aDay, DAY, b.KNOWN_SITES.stored],
  [CODES.paceMs],

  [
    PASSWORDS.free,
    ...[PASSWORDS.firstWaitSeconds, PASSWORDS.longestWaitSeconds, PASSWORDS.forgiveSeconds].map((s) => s * SECOND),
  ],
  [PASSWORDS.aDay.strangers, PASSWORDS.aDay.network, PASSWORDS.aDay.browser, PASSWORDS.aDay.session],
  [PASSWORDS.places, PASSWORDS.knownMs],
  [b.FACTORS.strangers, b.FACTORS.network, b.FACTORS.browser, b.FACTORS.recovery],
  [b.PASSKEYS],
  [b.SESSIONS.stored, b.SESSIONS.rotations, b.SESSIONS.graceSeconds * SECOND],
  [b.SIGN_INS.stored, b.SIGN_INS.bytes],
  [b.NUMBER_CHANGES],
  budget(b.RECOVERIES),
  [b.ELSEWHERE.person, b.ELSEWHERE.organization],

  [
    NEWS.number,
    NEWS.singles,
    NEWS.digest,
    NEWS.prefix,
    10_000,
    NEWS.organization,
    NEWS.service,
    NEWS.postponedDays * DAY,
  ],
  [b.NEWS_SHARE.one, b.NEWS_SHARE.all, b.NEWS_SHARE.manager],
  [NEWS.nameLength, NEWS.noteLength],

  [b.PAPERS.tenant, b.PAPERS.landlord, b.PAPERS.organization, b.PAPERS.redrawn],
  [FILE.photo, FILE.pixels, FILE.side, FILE.decoded],
  [FILE.document],
  [b.CASE_PAPERS],
  [FILES.organization.objects, FILES.organization.bytes],
  share(FILES.tenant),
  share(FILES.owner),
  share(FILES.all),

  [
    ...[ROWS.property, ROWS.unit, ROWS.tenant, ROWS.booking, ROWS.money_message, ROWS.expense, ROWS.owner_transfer],
    ...[b.WEBHOOK_ENDPOINTS, b.CLAUSE_VERSIONS],
  ],
  [b.CLAUSES.paragraphs, b.CLAUSES.placeholders],
  [b.ROWS_SHARE.landlord, ROWS.booking * b.ROWS_SHARE.tenant, b.ROWS_SHARE.all],
  [
    ...[RECORDS.deposit, RECORDS.meter, RECORDS.repairs.LANDLORD, RECORDS.repairs.TENANT, RECORDS.charges],
    ...[RECORDS.reminders, RECORDS.leaving.TENANT, RECORDS.leaving.LANDLORD, RECORDS.statements],
    ...[RECORDS.inspection, RECORDS.archives],
  ],
  [b.OPEN_REQUESTS],
  [b.LISTED],

  [
    ...[b.MAX_COLUMNS, b.MAX_CELLS, b.MAX_CELL, b.MAX_CHARACTERS],
    ...[b.SPREADSHEET.unpacked, b.SPREADSHEET.parts, b.SPREADSHEET.formats, b.IMPORT_MEMORY],
  ],
  [b.RUNS_KEPT.imports, b.RUNS_KEPT.exports],
  [b.PAPERS_AT_ONCE],
  [b.REPORTS_AT_ONCE],
  [b.REPORT_S * SECOND],

  [b.FREE_DISK.bytes, b.FREE_DISK.most, b.FREE_DISK.share],
  [b.FREE_FOR_PAPERS.bytes, b.FREE_FOR_PAPERS.most],
]

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^seconde?s?$/, SECOND],
  [/^minutes?$/, MINUTE],
  [/^(hours?|heures?)$/, 60 * MINUTE],
  [/^(days?|jours?)$/, DAY],
  [/^(KiB|Kio)$/, 1024],
  [/^(MiB|Mio)$/, 1024 * 1024],
  [/^%$/, 0.01],
]
const SPANS = 'seconde?|minute|hour|heure|day|jour'
const FIGURE = new RegExp(
  `(\\d+(?:[,\\u00a0]\\d{3})*)(?:[ \\u00a0](%|[KM]i[Bo]|(?:${SPANS})s?)(?!\\w))?|\\b(?:an?|par) (${SPANS})\\b`,
  'g',
)
/** The figures of a sentence, in order. What stands in code, and names of networks, are none. */
const figures = (text: string): number[] =>
  [...text.replace(/`[^`]*`|IPv\d|\/\d+/g, '').matchAll(FIGURE)].map(([, digits = '1', unit = '', one = unit]) => {
    const [, size = 1] = UNITS.find(([name]) => name.test(one)) ?? []
    return Number(digits.replace(/[,\u00a0]/g, '')) * size
  })

test.each(['en', 'fr'])('the figures of the page in %s are those in force', (language) => {
  const page = readFileSync(join(import.meta.dirname, `../../src/web/handbook/${language}/limits.md`), 'utf8')
  const told = page
    .split('\n')
    .filter((line) => /^(- |\| )/.test(line) && !/^\| (---|What|Quoi)/.test(line))
    .map((line) => figures(line.startsWith('|') ? (line.split('|')[2] ?? '') : line))
    .filter((all) => all.length > 0)
  for (const [i, line] of LINES.entries()) expect([i, told[i]]).toEqual([i, [...line]])
  expect(told).toHaveLength(LINES.length)
})

test('every budget is on it', () => {
  expect([...leaves(budgets)].filter((path) => !seen.has(path))).toEqual([])
  expect(seen.size).toBeGreaterThan(100)
})

test('a figure that is not in force is found', () => {
  expect(figures('1 a minute; 3 in 10 minutes; 1,500 a day, 64 KiB or 5 % of `4`, IPv6 /48')).toEqual([
    ...[1, MINUTE, 3, 10 * MINUTE, 1500, DAY, 64 * 1024, 0.05],
  ])
  expect(figures('5 par jour, puis 1 toutes les 2\u00a0heures\u00a0; 1\u00a0500, 75\u00a0%')).toEqual([
    ...[5, DAY, 1, 120 * MINUTE, 1500, 0.75],
  ])
})
