// What is done to running leases and their parties, in words.
export const LEASES_FR = {
  'booking.correct': 'Bail corrigé',
  'lease_party.create': 'Personne ajoutée à un bail',
  'lease_party.remove': 'Personne retirée d’un bail',
  'lease_party.update': 'Personne d’un bail modifiée',
  'rent_change.agree': 'Changement de loyer signé',
  'rent_change.begin': 'Nouveau loyer en vigueur',
  'rent_change.cancel': 'Changement de loyer annulé',
  'rent_change.create': 'Changement de loyer annoncé',
  'rent_change.decline': 'Changement de loyer refusé par le locataire',
}
export const LEASES_EN = {
  'booking.correct': 'Lease corrected',
  'lease_party.create': 'Person added to a lease',
  'lease_party.remove': 'Person taken off a lease',
  'lease_party.update': 'Person of a lease changed',
  'rent_change.agree': 'Change of rent signed',
  'rent_change.begin': 'New rent in force',
  'rent_change.cancel': 'Change of rent cancelled',
  'rent_change.create': 'Change of rent announced',
  'rent_change.decline': 'Change of rent refused by the tenant',
}
