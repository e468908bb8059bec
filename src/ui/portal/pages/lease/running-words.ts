import { bilingual } from '../../../shared/words.svelte.ts'

const fr = {
  rent: 'Changement de loyer',
  proposed: (now: string, amount: string, day: string) =>
    `Votre bailleur propose de passer le loyer de ${now} à ${amount} à compter du ${day}.`,
  planned: (amount: string, day: string) => `Le loyer sera de ${amount} à compter du ${day}.`,
  unsigned: 'Tant que vous ne signez pas, rien ne change.',
  open: 'Lire l’avenant',
  preparing: 'L’avenant est en préparation. Revenez dans un instant.',
  leave: 'Quitter le logement',
  leaveLead:
    'Choisissez votre dernier jour. Le bail prend fin de lui-même ce jour-là. Vous pouvez retirer votre congé jusque-là.',
  agreed: (months: number) => `Préavis convenu\u00a0: ${months}\u00a0mois.`,
  give: 'Donner congé',
  leaveOn: 'Dernier jour',
  reason: 'Motif',
  mine: (day: string) => `Vous avez donné congé\u00a0: le bail prend fin le ${day}.`,
  asked: (day: string) =>
    `Votre bailleur demande la fin du bail pour le ${day}. Le bail ne prend fin ce jour-là que si vous l’acceptez par écrit.`,
  lawful: (day: string) => `Le préavis de la loi va jusqu’au ${day}.`,
  theirs: (day: string) => `Votre bailleur a donné congé\u00a0: le bail prend fin le ${day}.`,
  early: (day: string) => `C’est plus tôt que le préavis convenu, qui va jusqu’au ${day}.`,
  withdraw: 'Retirer mon congé',
  refuse: 'Je ne suis pas d’accord',
  refuseDo: 'Refuser le changement',
  refuseHint: 'Votre bailleur le lit tel quel. Le loyer reste le même.',
}
const en: typeof fr = {
  rent: 'Rent change',
  proposed: (now, amount, day) => `Your landlord proposes to change the rent from ${now} to ${amount} from ${day}.`,
  planned: (amount, day) => `The rent will be ${amount} from ${day}.`,
  unsigned: 'Until you sign, nothing changes.',
  open: 'Read the amendment',
  preparing: 'The amendment is being prepared. Come back in a moment.',
  leave: 'Leave the home',
  leaveLead: 'Choose your last day. The lease ends by itself on that day. You can withdraw your notice until then.',
  agreed: (months) => (months === 1 ? 'Notice agreed: 1 month.' : `Notice agreed: ${months} months.`),
  give: 'Give notice',
  leaveOn: 'Last day',
  reason: 'Reason',
  mine: (day) => `You gave notice: the lease ends on ${day}.`,
  asked: (day) => `Your landlord asks to end the lease on ${day}. It ends on that day only if you accept in writing.`,
  lawful: (day) => `The notice of the law runs until ${day}.`,
  theirs: (day) => `Your landlord gave notice: the lease ends on ${day}.`,
  early: (day) => `That is earlier than the notice agreed, which runs until ${day}.`,
  withdraw: 'Withdraw my notice',
  refuse: 'I do not agree',
  refuseDo: 'Refuse the change',
  refuseHint: 'Your landlord reads it as it is. The rent stays the same.',
}
export const runningWords = bilingual(fr, en)
