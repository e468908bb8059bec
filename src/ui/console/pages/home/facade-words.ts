import type { Schemas } from '../../../shared/api.ts'
import { bilingual } from '../../../shared/words.svelte.ts'

type State = Schemas['DoorState']
const fr = {
  title: 'Vos logements ce mois-ci',
  of: (paid: string, due: string) => `${paid} sur ${due}`,
  count: {
    LATE: (): string => 'en retard',
    PART: (): string => 'en partie',
    DECLARED: (n: number): string => (n > 1 ? 'déclarés' : 'déclaré'),
    PAID: (n: number): string => (n > 1 ? 'payés' : 'payé'),
    DUE: (): string => 'à venir',
    EMPTY: (n: number): string => (n > 1 ? 'libres' : 'libre'),
  } satisfies Record<State, (n: number) => string>,
  days: (n: number) => `${n}\u00a0${n > 1 ? 'jours' : 'jour'}`,
  months: (n: number) => `${n}\u00a0mois`,
  left: (thousands: string) => `reste ${thousands}\u00a0k`,
  late: (days: string, amount: string) => `en retard de ${days}, ${amount}`,
  part: (amount: string) => `payé en partie, reste ${amount}`,
  declared: (amount: string) => `${amount} déclarés, à confirmer`,
  floor: (n: number) => (n === 0 ? 'Rez-de-chaussée' : n === 1 ? 'Premier étage' : `Étage ${n}`),
  homes: (n: number) => `${n}\u00a0${n > 1 ? 'logements' : 'logement'}`,
  show: (name: string) => `Voir la façade\u00a0: ${name}`,
}
const en: typeof fr = {
  title: 'Your homes this month',
  of: (paid, due) => `${paid} of ${due}`,
  count: {
    LATE: () => 'late',
    PART: () => 'in part',
    DECLARED: () => 'declared',
    PAID: () => 'paid',
    DUE: () => 'to come',
    EMPTY: () => 'vacant',
  },
  days: (n) => `${n} ${n === 1 ? 'day' : 'days'}`,
  months: (n) => `${n} ${n === 1 ? 'month' : 'months'}`,
  left: (thousands) => `${thousands} k left`,
  late: (days, amount) => `late by ${days}, ${amount}`,
  part: (amount) => `paid in part, ${amount} left`,
  declared: (amount) => `${amount} declared, to confirm`,
  floor: (n) => (n === 0 ? 'Ground floor' : `Floor ${n}`),
  homes: (n) => `${n} ${n === 1 ? 'home' : 'homes'}`,
  show: (name) => `See the façade: ${name}`,
}
export const facadeWords = bilingual(fr, en)
