import { bilingual } from '../../../shared/words.svelte.ts'

const fr = {
  title: 'Règles du pays',
  lead: 'Taux, délais et plafonds appliqués à vos baux, avec leur source.',
  advice:
    'Ces informations ne sont pas un conseil juridique. Ce qui est sans source est à faire vérifier par un juriste.',
  currency: 'Monnaie',
  prefix: 'Indicatif',
  mobileMoney: 'Mobile money',
  taxNumbers: 'Numéros sur les documents',
  none: 'Pas de règle fixe',
  units: {
    BASIS_POINTS: (n: number) => `${String(n / 100).replace('.', ',')}\u00a0%`,
    DAYS: (n: number) => `${n}\u00a0${n === 1 ? 'jour' : 'jours'}`,
    MONTHS: (n: number) => `${n}\u00a0mois`,
    YEARS: (n: number) => `${n}\u00a0${n === 1 ? 'an' : 'ans'}`,
  },
  toCheck: 'À faire vérifier par un juriste',
  since: (day: string) => `depuis le ${day}`,
  coming: (day: string) => `à partir du ${day}`,
  mayOwn: 'Vous pouvez fixer le vôtre.',
  own: (usual: string) => `Fixé par vous\u00a0; usage du pays\u00a0: ${usual}.`,
  change: 'Changer',
}
const en: typeof fr = {
  title: 'Rules of the country',
  lead: 'Rates, times and limits that your leases follow, with their source.',
  advice: 'This is not legal advice. What has no source needs a lawyer’s check.',
  currency: 'Currency',
  prefix: 'Dialling code',
  mobileMoney: 'Mobile money',
  taxNumbers: 'Numbers on papers',
  none: 'No fixed rule',
  units: {
    BASIS_POINTS: (n) => `${n / 100}%`,
    DAYS: (n) => `${n} ${n === 1 ? 'day' : 'days'}`,
    MONTHS: (n) => `${n} ${n === 1 ? 'month' : 'months'}`,
    YEARS: (n) => `${n} ${n === 1 ? 'year' : 'years'}`,
  },
  toCheck: 'To be checked by a lawyer',
  since: (day) => `since ${day}`,
  coming: (day) => `from ${day}`,
  mayOwn: 'You may set your own.',
  own: (usual) => `Set by you; usual in the country: ${usual}.`,
  change: 'Change',
}
export const words = bilingual(fr, en)
