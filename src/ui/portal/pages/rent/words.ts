import { bilingual } from '../../../shared/words.svelte.ts'

const fr = {
  title: 'Mon loyer',
  nothing: 'Vous ne devez rien',
  amount: 'Vous devez',
  until: (day: string) => `Payé jusqu’au ${day}`,
  due: (day: string) => `À payer au plus tard le ${day}`,
  late: (day: string) => `En retard depuis le ${day}`,
  pay: 'J’ai payé',
  how: 'Voir le calcul',
  payFor: 'J’ai payé ce mois',
  open: 'Ce que vous devez',
  paid: 'Ce que vous avez payé',
  checking: (amount: string, day: string) => `${amount} du ${day}, en cours de vérification par votre bailleur.`,
  landlord: (name: string) => `Votre bailleur : ${name}`,
  call: 'Appeler',
  empty: 'Pas encore de loyer',
  emptyHint: 'Votre bailleur ne vous a pas encore envoyé de loyer.',
}
const en: typeof fr = {
  title: 'My rent',
  nothing: 'You owe nothing',
  amount: 'You owe',
  until: (day) => `Paid until ${day}`,
  due: (day) => `To pay by ${day}`,
  late: (day) => `Late since ${day}`,
  pay: 'I have paid',
  how: 'See the calculation',
  payFor: 'I have paid this month',
  open: 'What you owe',
  paid: 'What you have paid',
  checking: (amount, day) => `${amount} of ${day}: your landlord is checking it.`,
  landlord: (name) => `Your landlord: ${name}`,
  call: 'Call',
  empty: 'No rent yet',
  emptyHint: 'Your landlord has not sent you a rent yet.',
}
export const words = bilingual(fr, en)
