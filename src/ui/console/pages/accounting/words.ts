import { bilingual } from '../../../shared/words.svelte.ts'

const fr = {
  title: 'Comptabilité',
  lead: 'Le journal en partie double de tout l’argent, sa balance, et les mois clôturés.',
  month: 'Mois',
  thisMonth: 'Ce mois',
  balance: 'Balance',
  account: 'Compte',
  opening: 'Solde au début',
  debit: 'Débit',
  credit: 'Crédit',
  closing: 'Solde à la fin',
  total: 'Total',
  download: (format: string) => `Télécharger le journal en ${format}`,
  none: 'Aucun mouvement',
  noneHint: 'La comptabilité commence avec la première facture ou le premier paiement.',
  closed: (day: string) => `Clôturé jusqu’au ${day}. Ce qui est daté d’avant compte au premier jour ouvert.`,
  open: 'Aucun mois n’est clôturé.',
  close: (month: string) => `Clôturer ${month}`,
  closeTitle: 'Clôturer ce mois\u00a0?',
  closeLead: (month: string) =>
    `Plus rien n’est inscrit en ${month} ni avant. Un administrateur peut rouvrir le dernier mois clôturé.`,
  reopen: (month: string) => `Rouvrir ${month}`,
}
const en: typeof fr = {
  title: 'Accounting',
  lead: 'The double-entry journal of all money, its trial balance, and closed months.',
  month: 'Month',
  thisMonth: 'This month',
  balance: 'Trial balance',
  account: 'Account',
  opening: 'Opening balance',
  debit: 'Debit',
  credit: 'Credit',
  closing: 'Closing balance',
  total: 'Total',
  download: (format) => `Download the journal as ${format}`,
  none: 'Nothing moved',
  noneHint: 'The books begin with the first invoice or payment.',
  closed: (day) => `Closed until ${day}. What is dated before counts on the first open day.`,
  open: 'No month is closed.',
  close: (month) => `Close ${month}`,
  closeTitle: 'Close this month?',
  closeLead: (month) =>
    `Nothing is entered in ${month} or before any more. An administrator can open the last closed month again.`,
  reopen: (month) => `Open ${month} again`,
}
export const words = bilingual(fr, en)
