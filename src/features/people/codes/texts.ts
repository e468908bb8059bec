import type { Purpose } from './rules.ts'

/** The paper that a code signs, with its number. */
export type Signs = { readonly kind: 'LEASE' | 'RIDER' | 'INSPECTION'; readonly number: string }
type For = { readonly locale: 'fr' | 'en'; readonly purpose: Purpose; readonly signs?: Signs }
const WHAT = {
  fr: {
    LEASE: ' pour signer le bail ',
    RIDER: ' pour signer l’avenant ',
    INSPECTION: ' pour signer l’état des lieux ',
    newNumber: ' pour changer de numéro',
  },
  en: {
    LEASE: ' to sign lease ',
    RIDER: ' to sign amendment ',
    INSPECTION: ' to sign inspection ',
    newNumber: ' to change your number',
  },
} as const

/**
 * The text of a code's message. It must fit one SMS in the GSM alphabet, so use no other letters. `signs`: the
 * paper that it signs.
 */
export function codeText(code: string, { locale, purpose, signs }: For): string {
  const w = WHAT[locale]
  const what = purpose === 'REAUTHENTICATION' ? w.newNumber : signs ? `${w[signs.kind]}${signs.number}` : ''
  return locale === 'fr'
    ? `Loyer : votre code${what} est ${code}. Il expire dans 10 minutes. Ne le partagez avec personne.`
    : `Loyer: your code${what} is ${code}. It expires in 10 minutes. Do not share it with anyone.`
}

/** Why a right recovery code is refused. */
export const TOO_EARLY = {
  en: 'This recovery code is not valid yet: its day begins 24 hours after it was made, or once you confirm it by the link you received.',
  fr: 'Ce code de secours ne vaut pas encore\u00a0: il vaut 24\u00a0heures après sa création, ou dès que vous le confirmez par le lien reçu.',
}
