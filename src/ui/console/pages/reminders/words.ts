import { either } from '../../../shared/sending.ts'
import { bilingual } from '../../../shared/words.svelte.ts'

const fr = {
  lead: either(
    'Loyer relance de lui-même selon votre calendrier. Ici, vous relancez quand vous le voulez.',
    'Loyer prépare les relances selon votre calendrier\u00a0; vous les envoyez.',
  ),
  none: 'Tout le monde est à jour',
  noneHint: 'Personne n’est à relancer.',
  sub: (n: number, amount: string) => `${n}\u00a0${n > 1 ? 'loyers' : 'loyer'} en retard, ${amount}`,
  late: (days: number) => `${days}\u00a0${days > 1 ? 'jours' : 'jour'} de retard`,
  depositHeld: (amount: string) => `Bail terminé\u00a0: dépôt détenu, ${amount}. La relance le compte.`,
  deduct: 'Déduire du dépôt',
  choose: (name: string) => `Relancer ${name}`,
  all: 'Tout choisir',
  noneChosen: 'Ne rien choisir',
  send: (n: number) =>
    n === 0
      ? 'Choisissez qui relancer'
      : `${either('Envoyer', 'Préparer')} ${n}\u00a0${n > 1 ? 'relances' : 'relance'}`,
  sent: (n: number) =>
    n > 1
      ? either(`${n}\u00a0relances en route.`, `${n}\u00a0relances prêtes.`)
      : either('Relance en route.', 'Relance prête.'),
  whatsapp: 'WhatsApp',
  schedule: 'Calendrier',
  scheduleEdit: 'Modifier le calendrier',
  failed: either('Non envoyées', 'Non préparées'),
  list: 'À relancer',
  step: 'Étape',
  steps: { '': 'Étape suivante', REMINDER: 'Rappel', FINAL: 'Dernier rappel', FORMAL_NOTICE: 'Mise en demeure' },
  preview: (name: string) => either(`Ce que ${name} reçoit :`, `Le message pour ${name} :`),
  byMyself: 'L’envoyer moi-même par WhatsApp',
  mine: 'À envoyer par WhatsApp',
  mineHint: 'Chaque lien ouvre WhatsApp avec le texte prêt. Rien n’a été envoyé par Loyer.',
}
const en: typeof fr = {
  lead: either(
    'Loyer reminds by itself on your schedule. Here you remind whenever you like.',
    'Loyer prepares reminders on your schedule; you send them.',
  ),
  none: 'Everybody is up to date',
  noneHint: 'There is nobody to remind.',
  sub: (n, amount) => `${n} late ${n === 1 ? 'rent' : 'rents'}, ${amount}`,
  late: (days) => `${days} ${days === 1 ? 'day' : 'days'} late`,
  depositHeld: (amount) => `The lease has ended: deposit held, ${amount}. The reminder counts it.`,
  deduct: 'Deduct it',
  choose: (name) => `Remind ${name}`,
  all: 'Choose all',
  noneChosen: 'Choose none',
  send: (n) =>
    n === 0 ? 'Choose whom to remind' : `${either('Send', 'Prepare')} ${n} ${n === 1 ? 'reminder' : 'reminders'}`,
  sent: (n) =>
    n === 1
      ? either('Reminder on its way.', 'Reminder ready.')
      : either(`${n} reminders on their way.`, `${n} reminders ready.`),
  whatsapp: 'WhatsApp',
  schedule: 'Schedule',
  scheduleEdit: 'Change the schedule',
  failed: either('Not sent', 'Not prepared'),
  list: 'To remind',
  step: 'Step',
  steps: { '': 'Next step', REMINDER: 'Reminder', FINAL: 'Last reminder', FORMAL_NOTICE: 'Formal notice' },
  preview: (name) => either(`What ${name} receives:`, `The message for ${name}:`),
  byMyself: 'Send it myself by WhatsApp',
  mine: 'To send by WhatsApp',
  mineHint: 'Each link opens WhatsApp with the text ready. Loyer has sent nothing.',
}
export const words = bilingual(fr, en)
