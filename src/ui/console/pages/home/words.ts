import { bilingual } from '../../../shared/words.svelte.ts'

const fr = {
  title: 'Accueil',
  hello: (name: string) => `Bonjour ${name}`,
  paid: (paid: number, all: number) => `${paid}\u00a0${paid > 1 ? 'factures payées' : 'facture payée'} sur ${all}`,
  paidOf: 'Réglé sur le mois',
  outstanding: 'Reste dû',
  overdue: 'En retard, tous mois confondus',
  vacant: (n: number, all: number) => `${n}\u00a0${n > 1 ? 'logements libres' : 'logement libre'} sur ${all}`,
  needs: 'À faire aujourd’hui',
  nothing: 'Rien ne vous attend.',
  nothingHint: 'Les paiements déclarés et les demandes de logement apparaîtront ici.',
  need: {
    RECOVERY_ASKED: (n: number) =>
      n > 1 ? `${n} demandes pour rouvrir un compte administrateur` : 'On demande à rouvrir un compte administrateur',
    PAYMENT_DECLARED: (n: number) => (n > 1 ? `${n} paiements à confirmer` : 'Un paiement à confirmer'),
    ADJUSTMENT_MADE: (n: number) =>
      n > 1
        ? `${n} annulations ou remboursements faits par d’autres`
        : 'Une annulation ou un remboursement fait par un autre',
    MESSAGE_UNMATCHED: (n: number) =>
      n > 1 ? `${n} SMS d’argent reçu à attribuer` : 'Un SMS d’argent reçu à attribuer',
    BOOKING_REQUESTED: (n: number) => (n > 1 ? `${n} demandes de logement` : 'Une demande de logement'),
    REPAIR_REQUESTED: (n: number) => (n > 1 ? `${n} réparations à traiter` : 'Une réparation à traiter'),
    LEASE_TO_SIGN: (n: number) => (n > 1 ? `${n}\u00a0baux à signer` : 'Un bail à signer'),
    RENT_CHANGE_TO_SIGN: (n: number) =>
      n > 1 ? `${n} avenants attendent la signature du locataire` : 'Un avenant attend la signature du locataire',
    INSPECTION_TO_SIGN: (n: number) =>
      n > 1 ? `${n} états des lieux attendent une signature` : 'Un état des lieux attend une signature',
    INSPECTION_DUE: (n: number) =>
      n > 1 ? `${n} états des lieux de sortie à faire` : 'Un état des lieux de sortie à faire',
    NOTICE_GIVEN: (n: number) => (n > 1 ? `${n} locations sous congé` : 'Un congé est donné'),
    LEASE_ENDING: (n: number) => (n > 1 ? `${n}\u00a0baux se terminent bientôt` : 'Un bail se termine bientôt'),
    VERIFICATION_TO_REVIEW: (n: number) => (n > 1 ? `${n} dossiers à vérifier` : 'Un dossier à vérifier'),
    PAPER_FAILED: (n: number) =>
      n > 1 ? `${n} documents n’ont pas pu être préparés` : 'Un document n’a pas pu être préparé',
    MESSAGE_UNDELIVERED: (n: number) => (n > 1 ? `${n} messages ne sont pas arrivés` : 'Un message n’est pas arrivé'),
    IMPORT_DONE: (n: number) => (n > 1 ? `${n} imports terminés` : 'Votre import est terminé'),
    SETUP: (_n: number) => 'Donnez un nom à votre organisation',
  },
  waits: (day: string) => `Depuis le ${day}`,
  firstOn: (day: string, n: number) => (n > 1 ? `Le premier le ${day}` : `Le ${day}`),
  reminded: (day: string) => `Relancé le ${day}`,
  depositCounted: (amount: string) => `Bail terminé\u00a0: dépôt compté, ${amount}.`,
  deduct: 'Déduire du dépôt',
  late: 'Qui n’a pas payé',
  everyonePaid: 'Personne n’est en retard.',
  since: (days: number, months: number) =>
    `${months > 1 ? `${months}\u00a0mois, le plus ancien en retard de ` : 'En retard de '}${days}\u00a0${days > 1 ? 'jours' : 'jour'}`,
  record: 'Noter un paiement',
  all: 'Voir tous les retards',
  chart: 'Réglé sur chaque mois',
  month: 'Mois',
  backupLate: (when: string) => `La dernière bonne sauvegarde date du ${when}.`,
  backupNone: 'Il n’y a encore aucune sauvegarde\u00a0: la dernière tentative a échoué.',
  backupSee: 'Voir les sauvegardes',
  noRent: 'Aucun loyer ce mois-ci.',
  emptyGiven: 'Aucun logement ne vous est confié',
  emptyGivenHint: 'Un administrateur de l’organisation vous confie des biens : leurs loyers apparaîtront ici.',
}
const en: typeof fr = {
  title: 'Home',
  hello: (name) => `Hello ${name}`,
  paid: (paid, all) => `${paid} of ${all} invoices paid`,
  paidOf: 'Paid of the month',
  outstanding: 'Still to collect',
  overdue: 'Late, all months',
  vacant: (n, all) => `${n} of ${all} units vacant`,
  needs: 'To do',
  nothing: 'Nothing is waiting for you.',
  nothingHint: 'Payments that tenants declare and requests for a unit will show here.',
  need: {
    RECOVERY_ASKED: (n) =>
      n === 1
        ? 'Somebody asks to reopen an administrator’s account'
        : `${n} requests to reopen administrators’ accounts`,
    PAYMENT_DECLARED: (n) => (n === 1 ? 'A payment to confirm' : `${n} payments to confirm`),
    ADJUSTMENT_MADE: (n) =>
      n === 1 ? 'Somebody else cancelled or refunded' : `${n} cancellations or refunds by others`,
    MESSAGE_UNMATCHED: (n) => (n === 1 ? 'Mobile money to match' : `${n} mobile money messages to match`),
    BOOKING_REQUESTED: (n) => (n === 1 ? 'New rental request' : `${n} rental requests`),
    REPAIR_REQUESTED: (n) => (n === 1 ? 'A repair to handle' : `${n} repairs to handle`),
    LEASE_TO_SIGN: (n) => (n === 1 ? 'A lease to sign' : `${n} leases to sign`),
    RENT_CHANGE_TO_SIGN: (n) =>
      n === 1 ? 'An amendment waits for the tenant’s signature' : `${n} amendments wait for the tenant’s signature`,
    INSPECTION_TO_SIGN: (n) =>
      n === 1 ? 'An inspection waits for a signature' : `${n} inspections wait for a signature`,
    INSPECTION_DUE: (n) => (n === 1 ? 'A move-out inspection to do' : `${n} move-out inspections to do`),
    NOTICE_GIVEN: (n) => (n === 1 ? 'A lease is under notice' : `${n} leases are under notice`),
    LEASE_ENDING: (n) => (n === 1 ? 'A lease ends soon' : `${n} leases end soon`),
    VERIFICATION_TO_REVIEW: (n) => (n === 1 ? 'A case to review' : `${n} cases to review`),
    PAPER_FAILED: (n) => (n === 1 ? 'A paper could not be made' : `${n} papers could not be made`),
    MESSAGE_UNDELIVERED: (n) => (n === 1 ? 'A message did not arrive' : `${n} messages did not arrive`),
    IMPORT_DONE: (n) => (n === 1 ? 'Your import is done' : `${n} imports are done`),
    SETUP: () => 'Give your organization a name',
  },
  waits: (day) => `Since ${day}`,
  firstOn: (day, n) => (n > 1 ? `The first on ${day}` : `On ${day}`),
  reminded: (day) => `Reminded on ${day}`,
  depositCounted: (amount) => `The lease has ended: deposit counted, ${amount}.`,
  deduct: 'Deduct it',
  late: 'Who has not paid',
  everyonePaid: 'Nobody is late.',
  since: (days, months) =>
    `${months > 1 ? `${months} months, the oldest ` : ''}${days} ${days === 1 ? 'day' : 'days'} late`,
  record: 'Record payment',
  all: 'See all that are late',
  chart: 'Paid of each month',
  month: 'Month',
  backupLate: (when) => `The last good backup was made on ${when}.`,
  backupNone: 'There is no backup yet: the last attempt failed.',
  backupSee: 'See the backups',
  noRent: 'No rent this month.',
  emptyGiven: 'No unit is in your care',
  emptyGivenHint: 'An administrator of the organization puts properties into your care: their rents will show here.',
}
export const words = bilingual(fr, en)
