import type { Db } from '../../../../db/open.ts'
import type { Rest } from '../../../../db/snapshot.ts'
import type { ReportData } from '../../../adapters/pdf/port.ts'
import { REPORT_S } from '../../../core/budgets.ts'
import { daysInclusive, formatDate } from '../../../core/dates.ts'
import { formatMoney } from '../../../core/money.ts'
import { formatPhone } from '../../../core/phone.ts'
import { AppError, invalid } from '../../../errors.ts'
import { unlessNull } from '../../papers/documents/parties.ts'
import type { OrganizationRow } from '../../people/organizations/store.ts'
import { arrears } from './arrears.ts'
import { FIGURES, type Part, type Parts, type Report, type ReportRequest } from './figures.ts'
import { ownerAccount, ownerStatement, type PaperWords, statementPaper } from './owner-account.ts'
import { profitLoss } from './profit-loss.ts'
import {
  AGE_TOTALS,
  COLUMNS,
  type ColumnKind,
  groupBy,
  isProvisional,
  MOST_DAYS,
  monthOf,
  PAPERS,
  type PaperName,
  type ReportName,
  type Row,
  type Sums,
  sumsOf,
  totalsOf,
} from './rules.ts'
import { AGES_TITLE, BASIS, HEADINGS, PROVISIONAL, SHEETS, TOTAL, WORDS, type Words } from './texts.ts'

/** The parts of a report in order. @throws not_found for a property that the caller does not see */
export const readReport = (name: ReportName): Report => REPORTS[name]
const REPORTS: Readonly<Record<ReportName, Report>> = {
  ...FIGURES,
  arrears,
  'owner-statement': ownerStatement,
  'owner-account': ownerAccount,
  'profit-loss': profitLoss,
}

const longReport = () =>
  new AppError(
    'overloaded',
    {
      en: `This report was not finished within ${REPORT_S} s. Ask for one property or a shorter time; or again later, if the server is busy.`,
      fr: `Ce rapport n’a pas pu être terminé en ${REPORT_S} s. Demandez un seul bien ou une durée plus courte ; ou réessayez plus tard, si le serveur est occupé.`,
    },
    { retryAfter: 60 },
  )
/** Lets other work run, as `rest` does, and ends a report that takes too long: its reader would wait for ever. */
export function ending(rest: Rest, now: () => number = () => performance.now()): Rest {
  const until = now() + REPORT_S * 1000
  return () => {
    if (now() > until) throw longReport()
    return rest()
  }
}

// The earliest date of a lease.
const FIRST_DAY = '1900-01-01'
const LAST_DAY = '2199-12-31'

/**
 * The period of a report, by default the month of `today`. For arrears, `to` is the day of the balance (default
 * today), and `from` is early enough for every debt; profit and loss are those of a year. @throws validation_failed
 */
export function periodOf(
  name: ReportName,
  today: string,
  input: { readonly from?: string | undefined; readonly to?: string | undefined; readonly year?: string | undefined },
): { from: string; to: string } {
  if (name === 'profit-loss') {
    const year = Number(input.year ?? today.slice(0, 4))
    return { from: `${year}-01-01`, to: `${year}-12-31` }
  }
  for (const end of ['from', 'to'] as const)
    if (input[end] !== undefined && (input[end] < FIRST_DAY || input[end] > LAST_DAY))
      throw invalid(`/${end}`, 'Give a day from 1900 to 2199.', 'Donnez un jour entre 1900 et 2199.')
  const month = name === 'arrears' ? { from: FIRST_DAY, to: today } : monthOf(input.from ?? input.to ?? today)
  const period = { from: input.from ?? month.from, to: input.to ?? month.to }
  if (period.from > period.to) throw invalid('/to', 'Cannot be before `from`.', 'Ne peut pas précéder `from`.')
  if (name !== 'arrears' && daysInclusive(period.from, period.to) > MOST_DAYS)
    throw invalid('/to', `A report covers ${MOST_DAYS} days at most.`, `Un rapport couvre au plus ${MOST_DAYS} jours.`)
  return period
}

const decoder = new TextDecoder()
const rowsOf = ({ json }: Part): Row[] =>
  JSON.parse(`[${typeof json === 'string' ? json : decoder.decode(json)}]`) as Row[]

/** The data for the owner statement's PDF. @throws not_found, validation_failed */
export const ownerPaper = (db: Db, request: ReportRequest, org: OrganizationRow, words: PaperWords, rest: Rest) =>
  statementPaper(db, request, org, { ...words, said: (word) => WORDS[word]?.[words.locale] }, rest)

/** The report as JSON, piece by piece: its rows are JSON already. */
export async function* jsonOf(name: ReportName, head: object, parts: Parts): AsyncGenerator<Part['json']> {
  const all: Sums[] = []
  const accounts: Row[] = []
  let between = `${JSON.stringify(head).slice(0, -1)},"rows":[`
  for await (const { json, sums, account } of parts) {
    all.push(sums)
    if (account) accounts.push(account)
    if (json.length === 0) continue
    yield between
    yield json
    between = ','
  }
  const ofOwners = name === 'owner-statement' ? `"accounts":${JSON.stringify(accounts)},` : ''
  yield `${between === ',' ? '' : between}],${ofOwners}"totals":${JSON.stringify(totalsOf(name, all))}}`
}

const wordIn = (text: Words | undefined, otherwise: string, locale: 'fr' | 'en'): string => text?.[locale] ?? otherwise
const kindsOf = (name: ReportName): Readonly<Record<string, ColumnKind>> => COLUMNS[name]

/** The report as a spreadsheet: headings and words in one language, the sums in the last line. */
export function sheetOf(name: ReportName, parts: Parts, locale: 'fr' | 'en') {
  const keys = Object.entries(kindsOf(name))
  const cell = (value: Row[string], kind: ColumnKind) => {
    if (kind === 'word') return wordIn(WORDS[String(value)], '', locale)
    // In this form no spreadsheet reads it as a number or a formula.
    return kind === 'phone' && value ? formatPhone(String(value)).replace(/^(\+237)\u00a0/, '($1) ') : value
  }
  const line = (row: Row) => keys.map(([key, kind]) => cell(row[key], kind))
  async function* rows() {
    const all: Sums[] = []
    for await (const part of parts) {
      all.push(part.sums)
      for (const row of rowsOf(part)) yield line(row)
      // The rows of the leases contain the ownerAmount already.
      if (part.account) yield line({ ...part.account, ownerAmount: undefined })
    }
    yield line({ ...totalsOf(name, all), [keys[0]?.[0] ?? '']: TOTAL[locale] })
  }
  return {
    name: wordIn(SHEETS[name], name, locale),
    columns: keys.map(([key, kind]) => ({
      heading: wordIn(HEADINGS[key], key, locale),
      kind: kind === 'word' || kind === 'phone' ? ('text' as const) : kind,
    })),
    rows: rows(),
  }
}

/** The most lines of a paper: nobody reads more, and drawing them would delay other papers. */
const MOST_LINES = 1000

/** The data for a report's PDF: its main columns, property by property. @throws not_found, validation_failed */
export async function reportPaper(
  name: PaperName,
  parts: Parts,
  { from, to }: Pick<ReportRequest, 'from' | 'to'>,
  org: OrganizationRow,
  { locale, issuedOn }: PaperWords,
): Promise<ReportData> {
  const { columns, grouped, headline } = PAPERS[name]
  const kinds = kindsOf(name)
  const rows: Row[] = []
  const sums: Sums[] = []
  for await (const part of parts) {
    sums.push(part.sums)
    rows.push(...rowsOf(part))
    if (rows.length > MOST_LINES)
      throw invalid(
        '/propertyId',
        `A PDF can have at most ${MOST_LINES} lines. Choose one property or a shorter time, or use format=xlsx.`,
        `Un PDF contient au plus ${MOST_LINES} lignes : indiquez un bien ou une durée plus courte, ou prenez format=xlsx.`,
      )
  }
  const textOf = (key: string, value: Row[string]): string =>
    value === undefined ? '' : key === 'month' ? monthIn(String(value), locale) : written(kinds[key], value, locale)
  const cells = (row: Row, label?: string): string[] =>
    columns.map(([, ...keys], c) =>
      c === 0 && label !== undefined
        ? label
        : keys
            .map((key) => textOf(key, row[key]))
            .filter(Boolean)
            .join('\n'),
    )
  const totals = totalsOf(name, sums)
  const groups = grouped ? [...groupBy(rows, (row) => String(row.propertyId)).values()] : [rows]
  const money = (key: string): string => formatMoney(totals[key] ?? 0, locale)
  return {
    locale,
    issuedOn,
    number: `${from} – ${to}`,
    title: isProvisional(name, to, issuedOn)
      ? `${SHEETS[name]?.[locale]} (${PROVISIONAL[locale]})`
      : wordIn(SHEETS[name], name, locale),
    landlord: { name: org.name ?? '', address: unlessNull(org.address), niu: unlessNull(org.niu) },
    period: name === 'arrears' ? { on: to } : { from, to },
    headline: {
      label: wordIn(HEADINGS[headline[0]], headline[0], locale),
      value: kinds[headline[0]] === 'rate' ? textOf(headline[0], totals[headline[0]]) || '–' : money(headline[0]),
      notes: headline
        .slice(1)
        .map(
          (key) =>
            `${wordIn(HEADINGS[key], key, locale)}${locale === 'fr' ? '\u00a0' : ''}: ${textOf(key, totals[key]) || '–'}`,
        ),
    },
    columns: columns.map(([share, ...keys]) => ({
      label: keys.map((key) => wordIn(HEADINGS[key], key, locale)).join('\n'),
      share,
      right: ['amount', 'count', 'rate'].includes(kinds[keys[0] ?? ''] ?? ''),
    })),
    groups: groups.map((group) => ({
      ...(grouped ? { heading: String(group[0]?.propertyName ?? '') } : {}),
      rows: group.map((row) => cells(row)),
      ...(grouped && groups.length > 1 ? { totals: cells(totalsOf(name, [sumsOf(name, group)]), TOTAL[locale]) } : {}),
    })),
    totals: cells(totals, TOTAL[locale]),
    ...(name === 'arrears'
      ? {
          ages: {
            title: AGES_TITLE[locale],
            lines: Object.entries(AGE_TOTALS).map(([age, key]) => [wordIn(WORDS[age], age, locale), money(key)]),
          },
        }
      : {}),
    basis: BASIS[name][locale],
  }
}

/** Formats `2026-08` as `août 2026`. */
const monthIn = (month: string, locale: 'fr' | 'en'): string => formatDate(`${month}-02`, locale).slice(2)

/** A value as papers print it: amounts without currency, which the paper names once, and dates in digits. */
function written(kind: ColumnKind | undefined, value: string | number, locale: 'fr' | 'en'): string {
  if (kind === 'word') return wordIn(WORDS[String(value)], '', locale)
  if (kind === 'phone') return formatPhone(String(value))
  if (kind === 'date') return String(value).split('-').reverse().join('/')
  if (kind === 'amount') return formatMoney(Number(value), locale).replace(/\u00a0?FCFA\u00a0?/, '')
  if (kind === 'rate')
    return `${String(Number(value) / 100).replace('.', locale === 'fr' ? ',' : '.')}${locale === 'fr' ? '\u00a0' : ''}%`
  return String(value)
}
