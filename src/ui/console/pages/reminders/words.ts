import { bilingual } from '../../../shared/words.svelte.ts'

const fr = {
  title: 'Relances',
  lead: 'Loyer relance de lui-même selon votre calendrier. Ici, vous relancez quand vous le voulez.',
  none: 'Tout le monde est à jour',
  noneHint: 'Personne n’est à relancer.',
  sub: (n: number, amount: string) => `${n} ${n > 1 ? 'loyers' : 'loyer'} en retard, ${amount}`,
  late: (days: number) => `${days} ${days > 1 ? 'jours' : 'jour'} de retard`,
  choose: (name: string) => `Relancer ${name}`,
  all: 'Tout choisir',
  noneChosen: 'Ne rien choisir',
  send: (n: number) => (n === 0 ? 'Choisissez qui relancer' : n === 1 ? 'Envoyer 1 relance' : `Envoyer ${n} relances`),
  sending: (done: number, n: number) => `Envoi… ${done} sur ${n}`,
  sent: (n: number) => (n > 1 ? `${n} relances envoyées.` : 'Relance envoyée.'),
  whatsapp: 'WhatsApp',
  whatsappHint: 'ouvre WhatsApp avec le texte prêt',
  call: 'Appeler',
  text: (name: string, amount: string, place: string, day: string) =>
    `Bonjour ${name}, sauf erreur de notre part, il reste ${amount} à payer pour ${place} (échéance du ${day}). Merci de régler dès que possible, ou de nous dire si c’est déjà fait.`,
  schedule: 'Calendrier',
  scheduleEdit: 'Modifier le calendrier',
  failed: 'Non envoyées',
  list: 'À relancer',
}
const en: typeof fr = {
  title: 'Reminders',
  lead: 'Loyer reminds by itself on your schedule. Here you remind whenever you like.',
  none: 'Everybody is up to date',
  noneHint: 'There is nobody to remind.',
  sub: (n, amount) => `${n} late ${n === 1 ? 'rent' : 'rents'}, ${amount}`,
  late: (days) => `${days} ${days === 1 ? 'day' : 'days'} late`,
  choose: (name) => `Remind ${name}`,
  all: 'Choose all',
  noneChosen: 'Choose none',
  send: (n) => (n === 0 ? 'Choose whom to remind' : n === 1 ? 'Send 1 reminder' : `Send ${n} reminders`),
  sending: (done, n) => `Sending… ${done} of ${n}`,
  sent: (n) => (n === 1 ? 'Reminder sent.' : `${n} reminders sent.`),
  whatsapp: 'WhatsApp',
  whatsappHint: 'opens WhatsApp with the text ready',
  call: 'Call',
  text: (name, amount, place, day) =>
    `Hello ${name}, unless we are mistaken, ${amount} is still to pay for ${place} (due on ${day}). Please pay as soon as you can, or tell us if it is done already.`,
  schedule: 'Schedule',
  scheduleEdit: 'Change the schedule',
  failed: 'Not sent',
  list: 'To remind',
}
export const words = bilingual(fr, en)
