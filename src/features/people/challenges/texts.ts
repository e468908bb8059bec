import type { Purpose } from './rules.ts'

type For = { readonly locale: 'fr' | 'en'; readonly purpose: Purpose; readonly paper?: string }
const WHAT = {
  fr: { lease: (paper: string) => ` pour signer le bail ${paper}`, newNumber: ' pour changer de numéro' },
  en: { lease: (paper: string) => ` to sign lease ${paper}`, newNumber: ' to change your number' },
} as const

/**
 * The text of a code's message. It must fit one SMS in the GSM alphabet, so use no other letters. `paper`: what it
 * signs.
 */
export function codeText(code: string, { locale, purpose, paper }: For): string {
  const { lease, newNumber } = WHAT[locale]
  const what = purpose === 'REAUTHENTICATION' ? newNumber : paper ? lease(paper) : ''
  return locale === 'fr'
    ? `Loyer : votre code${what} est ${code}. Il expire dans 10 minutes. Ne le partagez avec personne.`
    : `Loyer: your code${what} is ${code}. It expires in 10 minutes. Do not share it with anyone.`
}
