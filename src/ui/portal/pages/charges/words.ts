import { bilingual } from '../../../shared/words.svelte.ts'

const fr = {
  title: 'Mes charges',
  back: 'Mon loyer',
  lead: 'Comment vos charges ont été calculées, relevé par relevé.',
  period: (from: string, to: string) => `Du ${from} au ${to}`,
  tva: 'Dont TVA',
  paid: 'Payé',
  left: 'Reste à payer',
  pay: 'J’ai payé',
  credit: 'Rendu en avoir',
  none: 'Pas encore de décompte',
  noneHint: 'Quand votre bailleur partage l’eau, l’électricité ou le gardiennage, le calcul paraît ici.',
}
const en: typeof fr = {
  title: 'My charges',
  back: 'My rent',
  lead: 'How your charges were calculated, reading by reading.',
  period: (from, to) => `From ${from} to ${to}`,
  tva: 'VAT included',
  paid: 'Paid',
  left: 'Left to pay',
  pay: 'I have paid',
  credit: 'Given back as credit',
  none: 'No account of charges yet',
  noneHint: 'When your landlord shares water, power or a guard, the calculation shows here.',
}
export const words = bilingual(fr, en)
