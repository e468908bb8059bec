import { CM } from './cm.ts'
import type { Country } from './country.ts'

/** The countries whose law is known, by their code. */
export const COUNTRIES: Readonly<Record<string, Country>> = { CM }

/** Where an organization stands that says nothing else. */
export const HOME_COUNTRY = CM

/** @throws RangeError for a code that is not in the table */
export function countryOf(code: string): Country {
  const country = COUNTRIES[code]
  if (!country) throw new RangeError(`no country ${code}`)
  return country
}
