// Amounts, dates and spans of time as the pages write them, in both languages; the spaces are told apart by their marks.
import { expect, test } from 'bun:test'
import { away } from '../../src/ui/console/kit/away.ts'
import { makeFormats } from '../../src/ui/shared/formats.ts'

const { fr, en } = { fr: makeFormats('fr'), en: makeFormats('en') }
/** ` ` is the space that does not break, `'` the narrow one between thousands. */
const told = (text: string): string => text.replaceAll('\u00a0', '_').replaceAll('\u202f', "'")

test.each([
  [0, '0_FCFA', 'FCFA_0'],
  [999, '999_FCFA', 'FCFA_999'],
  [85_000, "85'000_FCFA", 'FCFA_85,000'],
  [-85_000, "−85'000_FCFA", '−FCFA_85,000'],
  [1_000_000_000_000, "1'000'000'000'000_FCFA", 'FCFA_1,000,000,000,000'],
])('%d francs are %s and %s', (amount, french, english) => {
  expect([told(fr.money(amount)), told(en.money(amount))]).toEqual([french, english])
})

test.each([
  [0, 1, '0', '0'],
  [12.34, 1, '12,3', '12.3'],
  [0.05, 1, '0,1', '0.1'],
  [-0.04, 1, '0', '0'],
  [-1234.56, 1, "−1'234,6", '−1,234.6'],
  [1245.5, 3, "1'245,5", '1,245.5'],
  [0.0625, 3, '0,063', '0.063'],
  [1_000_000, 3, "1'000'000", '1,000,000'],
])('%d with at most %d decimals is %s and %s', (value, decimals, french, english) => {
  expect([told(fr.number(value, decimals)), told(en.number(value, decimals))]).toEqual([french, english])
})

test.each([
  ['2026-01-01', '1er_janv._2026', '1_Jan_2026', 'janvier_2026', 'January_2026'],
  ['2026-02-28', '28_févr._2026', '28_Feb_2026', 'février_2026', 'February_2026'],
  ['2026-03-11', '11_mars_2026', '11_Mar_2026', 'mars_2026', 'March_2026'],
  ['2026-04-01', '1er_avr._2026', '1_Apr_2026', 'avril_2026', 'April_2026'],
  ['2026-05-21', '21_mai_2026', '21_May_2026', 'mai_2026', 'May_2026'],
  ['2026-06-10', '10_juin_2026', '10_Jun_2026', 'juin_2026', 'June_2026'],
  ['2026-07-31', '31_juil._2026', '31_Jul_2026', 'juillet_2026', 'July_2026'],
  ['2026-08-09', '9_août_2026', '9_Aug_2026', 'août_2026', 'August_2026'],
  ['2026-09-30', '30_sept._2026', '30_Sept_2026', 'septembre_2026', 'September_2026'],
  ['2026-10-05', '5_oct._2026', '5_Oct_2026', 'octobre_2026', 'October_2026'],
  ['2026-11-11', '11_nov._2026', '11_Nov_2026', 'novembre_2026', 'November_2026'],
  ['2027-12-31', '31_déc._2027', '31_Dec_2027', 'décembre_2027', 'December_2027'],
])('%s is %s and %s, in %s and %s', (date, french, english, month, inEnglish) => {
  expect([told(fr.day(date)), told(en.day(date))]).toEqual([french, english])
  expect([told(fr.month(date)), told(en.month(date.slice(0, 7)))]).toEqual([month, inEnglish])
  expect([told(fr.shortDay(date)), told(en.shortDay(date))]).toEqual([french.slice(0, -5), english.slice(0, -5)])
  expect(`${told(fr.shortDay(date))}`).toEndWith(fr.shortMonth(date))
})

test.each([
  ['2026-03-05T08:07:00Z', '5_mars_2026, 09:07', '5_Mar_2026, 09:07'],
  ['2026-12-31T23:00:00.000Z', '1er_janv._2027, 00:00', '1_Jan_2027, 00:00'],
  ['2026-12-31T22:59:59Z', '31_déc._2026, 23:59', '31_Dec_2026, 23:59'],
])('the instant %s is %s and %s in Douala', (instant, french, english) => {
  expect([told(fr.time(instant)), told(en.time(Date.parse(instant)))]).toEqual([french, english])
})

test.each([
  ['2023-07-15', "il y a 1'234_jours", '1,234_days ago'],
  ['2026-11-27', 'il y a 3_jours', '3_days ago'],
  ['2026-11-28', 'avant-hier', '2_days ago'],
  ['2026-11-29', 'hier', 'yesterday'],
  ['2026-11-30', 'aujourd’hui', 'today'],
  ['2026-12-01', 'demain', 'tomorrow'],
  ['2026-12-02', 'après-demain', 'in 2_days'],
  ['2027-01-09', 'dans 40_jours', 'in 40_days'],
])('on 30 November, %s is %s, or %s', (date, french, english) => {
  expect([told(away('fr', date, '2026-11-30')), told(away('en', date, '2026-11-30'))]).toEqual([french, english])
})
