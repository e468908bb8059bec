import { formatDate } from '../../core/dates.ts'

type Lease = { readonly unitLabel: string; readonly propertyName: string; readonly startDate: string }
const of = ({ unitLabel, propertyName }: Lease): string => `${unitLabel}, ${propertyName}`

/** What the parties of a lease are told on the way to their signatures: never a name that somebody typed. */
export const TEXTS = {
  fr: {
    proposed: (l: Lease, url: string) => `Le bail de ${of(l)} est prêt. Lisez-le et signez-le sur Loyer : ${url}`,
    signed: {
      TENANT: (l: Lease, url: string) =>
        `Le locataire a signé le bail de ${of(l)}. À votre tour de le lire et de le signer sur Loyer : ${url}`,
      LANDLORD: (l: Lease, url: string) =>
        `Le bailleur a signé le bail de ${of(l)}. À votre tour de le lire et de le signer sur Loyer : ${url}`,
    },
    unsigned: (l: Lease, url: string) =>
      `Le bail de ${of(l)} a changé après votre signature, qui ne compte plus. Relisez-le et signez de nouveau : ${url}`,
    agreed: (l: Lease) =>
      `Le bail de ${of(l)} est signé par les deux parties : il est en vigueur, avec effet le ${formatDate(l.startDate, 'fr')}.`,
    onPaper: (l: Lease) =>
      `Le bail de ${of(l)}, signé sur papier, est en vigueur, avec effet le ${formatDate(l.startDate, 'fr')}. Vous ne l'avez pas signé ? Dites-le sans attendre.`,
  },
  en: {
    proposed: (l: Lease, url: string) => `The lease of ${of(l)} is ready. Read and sign it on Loyer: ${url}`,
    signed: {
      TENANT: (l: Lease, url: string) =>
        `The tenant has signed the lease of ${of(l)}. It is your turn to read and sign it on Loyer: ${url}`,
      LANDLORD: (l: Lease, url: string) =>
        `The landlord has signed the lease of ${of(l)}. It is your turn to read and sign it on Loyer: ${url}`,
    },
    unsigned: (l: Lease, url: string) =>
      `The lease of ${of(l)} was changed after you signed, so your signature no longer counts. Read it and sign again: ${url}`,
    agreed: (l: Lease) =>
      `The lease of ${of(l)} is signed by both parties: it is in force, with effect from ${formatDate(l.startDate, 'en')}.`,
    onPaper: (l: Lease) =>
      `The lease of ${of(l)}, signed on paper, is in force, with effect from ${formatDate(l.startDate, 'en')}. You did not sign it? Say so at once.`,
  },
} as const
