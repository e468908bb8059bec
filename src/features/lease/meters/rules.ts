import { all, type BodyRule, isText, notAhead, wrongAt } from '../../../core/body-rules.ts'
import { addMonths } from '../../../core/dates.ts'

/** A reading that was a mistake is CANCELLED, never deleted. */
export const READING_STATUS = ['RECORDED', 'CANCELLED'] as const
export const MOST_METERS_OF_UNIT = 10
/** The highest value that a meter can show, in its measure. */
export const MOST_SHOWN = 999_999_999
const YEARS = 10

const LONG_AGO = { en: `Within the last ${YEARS} years.`, fr: `Au plus ${YEARS} ans en arrière.` }
const DECIMALS = { en: 'At most three decimals.', fr: 'Trois décimales au plus.' }
const exact =
  (...members: readonly string[]): BodyRule =>
  (body) =>
    members.flatMap((member) => {
      const value = body[member]
      return typeof value === 'number' && value !== Math.round(value * 1000) / 1000
        ? wrongAt(DECIMALS, `/${member}`)
        : []
    })
/** The rules of a reading's own members. */
export const readingRule = all(notAhead('readOn'), exact('value', 'finalValue'), ({ readOn }, today) =>
  isText(readOn) && readOn < addMonths(today, -12 * YEARS) ? wrongAt(LONG_AGO, '/readOn') : [],
)

/** In thousandths, which are whole. */
export const thousandthsOf = (value: number): number => Math.round(value * 1000)
