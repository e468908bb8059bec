// Words of a share in charges, for landlord and tenant alike.
import { bilingual } from './words.svelte.ts'

const fr = {
  price: (count: string, price: string) => `${count} × ${price} FCFA`,
  meter: (number: string) => `Compteur ${number}`,
  replaced: (value: string) => `remplacé ou remis à zéro : l’ancien montrait ${value}`,
  photo: (day: string) => `Photo du compteur, ${day}`,
  part: (own: string, all: string) => `part : ${own} sur ${all}`,
  days: (n: number) => (n > 1 ? `${n}\u00a0jours` : `${n}\u00a0jour`),
  deducted: (amount: string) => `hors TVA du fournisseur : ${amount} déduits`,
  share: 'Part dans les charges',
  provisions: 'Provisions déjà facturées',
  toPay: 'À payer',
  withTva: 'À payer, TVA comprise',
  back: 'Rendu au locataire',
  even: 'Rien à payer',
}
const en: typeof fr = {
  price: (count, price) => `${count} × FCFA ${price}`,
  meter: (number) => `Meter ${number}`,
  replaced: (value) => `replaced or set back: the old one showed ${value}`,
  photo: (day) => `Photo of the meter, ${day}`,
  part: (own, all) => `part: ${own} of ${all}`,
  days: (n) => (n === 1 ? '1 day' : `${n} days`),
  deducted: (amount) => `without the supplier’s VAT: ${amount} deducted`,
  share: 'Share in the charges',
  provisions: 'Provisions invoiced before',
  toPay: 'To pay',
  withTva: 'To pay, with VAT',
  back: 'Given back to the tenant',
  even: 'Nothing to pay',
}
export const chargeWords = bilingual(fr, en)
