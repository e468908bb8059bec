// Repairs as both sides say them.

import type { Schemas } from './api.ts'
import type { Tone } from './tone.ts'
import { bilingual } from './words.svelte.ts'

export type Repair = Schemas['Repair']
export type RepairEntry = Schemas['RepairEntry']
export const STATUSES = ['OPEN', 'SEEN', 'PLANNED', 'DONE', 'REFUSED'] as const
export const TONE: Readonly<Record<Repair['status'], Tone>> = {
  OPEN: 'warn',
  SEEN: 'brand',
  PLANNED: 'brand',
  DONE: 'good',
  REFUSED: 'bad',
}

const fr = {
  status: { OPEN: 'À traiter', SEEN: 'Vue', PLANNED: 'Prévue', DONE: 'Terminée', REFUSED: 'Refusée' },
  urgency: { LOW: 'Peut attendre', NORMAL: 'Normale', URGENT: 'Urgente' },
  category: {
    WATER: 'Eau, plomberie',
    ELECTRICITY: 'Électricité',
    LOCKS: 'Portes, serrures',
    STRUCTURE: 'Murs, toit, sols',
    APPLIANCE: 'Appareils',
    PESTS: 'Nuisibles',
    COMMON_PARTS: 'Parties communes',
    OTHER: 'Autre',
  },
  thread: 'Échanges',
  side: { LANDLORD: 'Bailleur', TENANT: 'Locataire' },
  event: {
    SEEN: 'a vu la demande',
    PLANNED: (day: string) => `a prévu la réparation le ${day}`,
    DONE: 'a terminé la réparation',
    REFUSED: 'a refusé la demande',
    REOPENED: 'a rouvert la demande',
  },
  noEntries: 'Pas encore de message.',
  gone: 'Contenu effacé.',
  photo: 'Photo de la réparation',
  message: 'Votre message',
  send: 'Envoyer',
  sent: 'Le message est envoyé.',
  what: 'Que faut-il réparer ?',
  whatHint: 'En quelques mots, par exemple « Fuite sous l’évier ».',
  details: 'Détails',
  detailsHint: 'Depuis quand, où, ce que vous avez déjà essayé.',
  kind: 'Nature',
  howUrgent: 'Urgence',
  reopen: 'Rouvrir la demande',
  reopenReason: 'Pourquoi la rouvrir ?',
  reopened: 'La demande est rouverte.',
  asked: 'Demandée le',
  planned: 'Prévue le',
  done: 'Terminée le',
  refused: 'Motif du refus',
}
const en: typeof fr = {
  status: { OPEN: 'To handle', SEEN: 'Seen', PLANNED: 'Planned', DONE: 'Done', REFUSED: 'Refused' },
  urgency: { LOW: 'Can wait', NORMAL: 'Normal', URGENT: 'Urgent' },
  category: {
    WATER: 'Water, plumbing',
    ELECTRICITY: 'Electricity',
    LOCKS: 'Doors, locks',
    STRUCTURE: 'Walls, roof, floors',
    APPLIANCE: 'Appliances',
    PESTS: 'Pests',
    COMMON_PARTS: 'Common parts',
    OTHER: 'Other',
  },
  thread: 'Messages',
  side: { LANDLORD: 'Landlord', TENANT: 'Tenant' },
  event: {
    SEEN: 'has seen the request',
    PLANNED: (day) => `planned the repair for ${day}`,
    DONE: 'finished the repair',
    REFUSED: 'refused the request',
    REOPENED: 'opened the request again',
  },
  noEntries: 'No message yet.',
  gone: 'Content erased.',
  photo: 'Photo of the repair',
  message: 'Your message',
  send: 'Send',
  sent: 'The message is sent.',
  what: 'What has to be repaired?',
  whatHint: 'In a few words, such as “Leak under the sink”.',
  details: 'Details',
  detailsHint: 'Since when, where, what you have tried already.',
  kind: 'Kind',
  howUrgent: 'Urgency',
  reopen: 'Open it again',
  reopenReason: 'Why open it again?',
  reopened: 'The request is open again.',
  asked: 'Asked on',
  planned: 'Planned for',
  done: 'Done on',
  refused: 'Reason of the refusal',
}
export const repairWords = bilingual(fr, en)
