import { bilingual } from '../../../shared/words.svelte.ts'

const fr = {
  title: 'Qui paie aussi',
  hint: 'L’argent qui vient de ces numéros est reconnu comme celui du locataire.',
  source: {
    MESSAGE: (day: string) => `Depuis le ${day}, par un message`,
    PAYMENT: (day: string) => `Depuis le ${day}, par un paiement noté`,
    ENTERED: (day: string) => `Depuis le ${day}, saisi ici`,
  },
  kiosk: 'Kiosque\u00a0: rien ne s’enregistre seul',
  isKiosk: 'C’est un kiosque',
  isNone: 'Ce n’est pas un kiosque',
  remove: 'Retirer',
  marked: (name: string) => `${name}\u00a0: chaque paiement attendra votre choix.`,
  unmarked: (name: string) => `${name} n’est plus un kiosque.`,
  removed: (name: string) => `${name} ne paie plus pour ce bail.`,
}
const en: typeof fr = {
  title: 'Who else pays',
  hint: 'Money from these numbers is recognized like the tenant’s own.',
  source: {
    MESSAGE: (day) => `Since ${day}, from a message`,
    PAYMENT: (day) => `Since ${day}, from a recorded payment`,
    ENTERED: (day) => `Since ${day}, entered here`,
  },
  kiosk: 'Kiosk: nothing is recorded by itself',
  isKiosk: 'It is a kiosk',
  isNone: 'It is no kiosk',
  remove: 'Remove',
  marked: (name) => `${name}: each payment will wait for your choice.`,
  unmarked: (name) => `${name} is no kiosk any more.`,
  removed: (name) => `${name} no longer pays for this lease.`,
}
export const payerWords = bilingual(fr, en)
