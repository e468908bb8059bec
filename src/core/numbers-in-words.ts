/** Sums of many invoices go beyond the largest amount of one. */
const LIMIT = Number.MAX_SAFE_INTEGER

const FR_UNITS =
  'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf'.split(
    ' ',
  )
const FR_TENS = '  vingt trente quarante cinquante soixante soixante quatre-vingt quatre-vingt'.split(' ')
const EN_UNITS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const EN_TENS = '  twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

/**
 * A whole number in words: `deux cent mille`, `quatre-vingts`, `mille` (fr) or `two hundred thousand`, `one thousand and
 * one` (en). From 0 to 9,007,199,254,740,991. Throws RangeError outside.
 */
export function numberInWords(n: number, locale: 'fr' | 'en'): string {
  if (!Number.isSafeInteger(n) || n < 0 || n > LIMIT) throw new RangeError(`n must be an integer from 0 to ${LIMIT}`)
  return locale === 'fr' ? french(n, true) : english(n)
}

/** Whole francs in words: `cent cinquante mille francs CFA`, `un million de francs CFA`, `one CFA franc`. */
export function moneyInWords(amount: number, locale: 'fr' | 'en'): string {
  const words = numberInWords(amount, locale)
  if (locale === 'en') return `${words} CFA ${amount === 1 ? 'franc' : 'francs'}`
  // "de" follows million and milliard, which are nouns.
  const of = amount > 0 && amount % 1_000_000 === 0 ? 'de ' : ''
  return `${words} ${of}${amount < 2 ? 'franc' : 'francs'} CFA`
}

/** `last`: no numeral follows, so cent and vingt take their plural s. */
function french(n: number, last: boolean): string {
  if (n >= 1_000_000_000) return nouns(n, 1_000_000_000, 'milliard', last)
  if (n >= 1_000_000) return nouns(n, 1_000_000, 'million', last)
  if (n >= 1000) {
    const thousands = Math.floor(n / 1000)
    // Before mille, a numeral itself, cent and vingt take no s.
    return joined(thousands === 1 ? 'mille' : `${french(thousands, false)} mille`, n % 1000, last)
  }
  if (n >= 100) {
    const hundreds = Math.floor(n / 100)
    const cents = hundreds === 1 ? 'cent' : `${FR_UNITS[hundreds]} cent${last && n % 100 === 0 ? 's' : ''}`
    return joined(cents, n % 100, last)
  }
  if (n < 20) return FR_UNITS[n] ?? ''
  const ten = Math.floor(n / 10)
  const tens = FR_TENS[ten] ?? ''
  // 70 and 90 count on from 60 and 80.
  const rest = n - (ten === 7 || ten === 9 ? ten - 1 : ten) * 10
  if (rest === 0) return ten === 8 && last ? `${tens}s` : tens
  return (rest === 1 || rest === 11) && ten < 8 ? `${tens} et ${FR_UNITS[rest]}` : `${tens}-${FR_UNITS[rest]}`
}

function nouns(n: number, unit: number, noun: string, last: boolean): string {
  const count = Math.floor(n / unit)
  // `un million de milliards`
  const of = count % 1_000_000 === 0 ? 'de ' : ''
  return joined(`${french(count, true)} ${of}${noun}${count > 1 ? 's' : ''}`, n % unit, last)
}

const joined = (words: string, rest: number, last: boolean): string =>
  rest === 0 ? words : `${words} ${french(rest, last)}`

const EN_SCALES = [
  [1_000_000_000_000_000, 'quadrillion'],
  [1_000_000_000_000, 'trillion'],
  [1_000_000_000, 'billion'],
  [1_000_000, 'million'],
  [1000, 'thousand'],
] as const

function english(n: number): string {
  const parts: string[] = []
  let rest = n
  for (const [unit, name] of EN_SCALES) {
    if (rest >= unit) parts.push(`${below1000(Math.floor(rest / unit))} ${name}`)
    rest %= unit
  }
  // One hundred and one, and also one thousand and one.
  if (rest > 0 || n === 0) parts.push(`${parts.length > 0 && rest < 100 ? 'and ' : ''}${below1000(rest)}`)
  return parts.join(' ')
}

function below1000(n: number): string {
  if (n < 20) return EN_UNITS[n] ?? ''
  if (n < 100) return `${EN_TENS[Math.floor(n / 10)]}${n % 10 === 0 ? '' : `-${EN_UNITS[n % 10]}`}`
  return `${EN_UNITS[Math.floor(n / 100)]} hundred${n % 100 === 0 ? '' : ` and ${below1000(n % 100)}`}`
}
