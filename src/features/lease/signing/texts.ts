import { formatDate } from '../../../core/dates.ts'
import { quotedPlace } from '../../../core/message-text.ts'

type Lease = { readonly unitLabel: string; readonly propertyName: string; readonly startDate: string }
const fr = (l: Lease): string => quotedPlace(l, 'fr')
const en = (l: Lease): string => quotedPlace(l, 'en')

/** Messages to the parties of a lease about their signatures. Of the words that people typed, they quote only the place. */
export const TEXTS = {
  fr: {
    proposed: (l: Lease, url: string) =>
      `Le bail pour ${fr(l)} est prêt. Lisez-le et signez-le sur Loyer\u00a0: ${url}`,
    signed: {
      TENANT: (l: Lease, url: string) =>
        `Le locataire a signé le bail pour ${fr(l)}. À votre tour de le lire et de le signer sur Loyer\u00a0: ${url}`,
      LANDLORD: (l: Lease, url: string) =>
        `Le bailleur a signé le bail pour ${fr(l)}. À votre tour de le lire et de le signer sur Loyer\u00a0: ${url}`,
      CO_TENANT: (l: Lease, url: string) =>
        `Un colocataire a signé le bail pour ${fr(l)}. À votre tour de le lire et de le signer sur Loyer\u00a0: ${url}`,
      GUARANTOR: (l: Lease, url: string) =>
        `Le garant a signé le bail pour ${fr(l)}. À votre tour de le lire et de le signer sur Loyer\u00a0: ${url}`,
    },
    invited: {
      CO_TENANT: (l: Lease, url: string) =>
        `Vous êtes colocataire dans le bail pour ${fr(l)}. Lisez-le et signez-le sur Loyer\u00a0: ${url}`,
      GUARANTOR: (l: Lease, url: string) =>
        `Vous êtes inscrit comme garant dans le bail pour ${fr(l)}. Lisez-le\u00a0; si vous êtes d’accord, signez-le sur Loyer\u00a0: ${url}`,
    },
    unsigned: (l: Lease, url: string) =>
      `Le bail pour ${fr(l)} a changé après votre signature, qui ne compte plus. Relisez-le et signez de nouveau\u00a0: ${url}`,
    agreed: (l: Lease) =>
      `Le bail pour ${fr(l)} est signé par les deux parties\u00a0: il est en vigueur, avec effet le ${formatDate(l.startDate, 'fr')}.`,
    agreedByAll: (l: Lease) =>
      `Le bail pour ${fr(l)} est signé par toutes les parties\u00a0: il est en vigueur, avec effet le ${formatDate(l.startDate, 'fr')}.`,
    onPaper: (l: Lease) =>
      `Le bail pour ${fr(l)}, signé sur papier, est en vigueur, avec effet le ${formatDate(l.startDate, 'fr')}. Vous ne l’avez pas signé\u00a0? Dites-le sans attendre.`,
  },
  en: {
    proposed: (l: Lease, url: string) => `The lease for ${en(l)} is ready. Read and sign it on Loyer: ${url}`,
    signed: {
      TENANT: (l: Lease, url: string) =>
        `The tenant has signed the lease for ${en(l)}. It is your turn to read and sign it on Loyer: ${url}`,
      LANDLORD: (l: Lease, url: string) =>
        `The landlord has signed the lease for ${en(l)}. It is your turn to read and sign it on Loyer: ${url}`,
      CO_TENANT: (l: Lease, url: string) =>
        `A co-tenant has signed the lease for ${en(l)}. It is your turn to read and sign it on Loyer: ${url}`,
      GUARANTOR: (l: Lease, url: string) =>
        `The guarantor has signed the lease for ${en(l)}. It is your turn to read and sign it on Loyer: ${url}`,
    },
    invited: {
      CO_TENANT: (l: Lease, url: string) =>
        `You are a co-tenant in the lease for ${en(l)}. Read and sign it on Loyer: ${url}`,
      GUARANTOR: (l: Lease, url: string) =>
        `You are named as guarantor in the lease for ${en(l)}. Read it; if you agree, sign it on Loyer: ${url}`,
    },
    unsigned: (l: Lease, url: string) =>
      `The lease for ${en(l)} was changed after you signed, so your signature no longer counts. Read it and sign again: ${url}`,
    agreed: (l: Lease) =>
      `The lease for ${en(l)} is signed by both parties: it is in force, with effect from ${formatDate(l.startDate, 'en')}.`,
    agreedByAll: (l: Lease) =>
      `The lease for ${en(l)} is signed by all parties: it is in force, with effect from ${formatDate(l.startDate, 'en')}.`,
    onPaper: (l: Lease) =>
      `The lease for ${en(l)}, signed on paper, is in force, with effect from ${formatDate(l.startDate, 'en')}. If you did not sign it, tell us at once.`,
  },
} as const
