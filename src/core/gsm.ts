// The default alphabet of 3GPP TS 23.038: 160 characters per message; one letter outside it reduces that to 70.
const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
/** Characters of the extension table, which take two places. */
const EXTENDED = new Set('\f^{}\\[~]|€')
const INSTEAD: Readonly<Record<string, string>> = {
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
  '«': '"',
  '»': '"',
  '–': '-',
  '—': '-',
  '‑': '-',
  '\u2212': '-',
  '…': '...',
  '•': '*',
  œ: 'oe',
  Œ: 'OE',
}
const fits = (text: string): boolean => [...text].every((c) => BASIC.has(c) || EXTENDED.has(c))

/** Replaces letters outside the GSM alphabet by the nearest: ê by e, œ by oe; letters without one stay. */
export const gsmText = (text: string): string =>
  [...text.normalize('NFC').replace(/«\s?/g, '"').replace(/\s?»/g, '"')]
    .map((c) => {
      if (fits(c)) return c
      const near = /\s/.test(c) ? ' ' : (INSTEAD[c] ?? c.normalize('NFD').replace(/\p{M}/gu, ''))
      return fits(near) ? near : c
    })
    .join('')

export type SmsLength = { readonly gsm: boolean; readonly segments: number }

/** Encoding and segments of an SMS: a single message holds 160 septets or 70 UTF-16 units, each of several 153 or 67. */
export function smsLength(text: string): SmsLength {
  const gsm = fits(text)
  const units = gsm ? [...text].reduce((n, c) => n + (EXTENDED.has(c) ? 2 : 1), 0) : text.length
  const [alone, each] = gsm ? [160, 153] : [70, 67]
  return { gsm, segments: units <= alone ? 1 : Math.ceil(units / each) }
}

/** Prepares a text for SMS: in the GSM alphabet where possible, truncated with dots after `most` segments. */
export function smsText(text: string, most = 3): string {
  const whole = gsmText(text)
  if (smsLength(whole).segments <= most) return whole
  const letters = [...whole]
  let count = letters.length
  while (smsLength(`${letters.slice(0, count).join('')}...`).segments > most) count -= 1
  return `${letters.slice(0, count).join('').trimEnd()}...`
}
