import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The texts shipped with the program; the operator replaces them with files in the data folder. */
const SHIPPED_VERSION = '2026-11-23'

const SHIPPED = {
  terms: {
    fr: `# Conditions d’utilisation

1. **Objet.** Ce service aide les bailleurs et leurs locataires à gérer des biens, des baux, des factures de loyer et des paiements. Son exploitant est l’organisation qui vous y a invité.
2. **Compte.** Votre compte est lié à votre numéro de téléphone. Gardez votre mot de passe et vos codes pour vous ; prévenez l’exploitant si vous perdez votre téléphone.
3. **Exactitude.** Vous donnez des informations vraies et les tenez à jour. Un document ou un paiement faux peut entraîner la fermeture du compte.
4. **Baux et paiements.** Les baux, factures et quittances sont établis à partir de ce que les parties saisissent. Le service n’est ni partie au bail, ni banque, ni conseil juridique.
5. **Disponibilité.** L’exploitant fait de son mieux pour que le service soit disponible et sauvegardé, sans garantie d’absence d’interruption.
6. **Fin.** Vous pouvez fermer votre compte à tout moment. Les baux, factures et reçus que la loi oblige à conserver le restent.
7. **Droit.** Le droit camerounais s’applique, sauf accord contraire écrit.
`,
    en: `# Terms of use

1. **Purpose.** This service helps landlords and their tenants to manage properties, leases, rent invoices and payments. Its operator is the organization that invited you.
2. **Account.** Your account belongs to your telephone number. Keep your password and codes to yourself; tell the operator if you lose your telephone.
3. **Accuracy.** You give true information and keep it up to date. A false document or payment may close the account.
4. **Leases and payments.** Leases, invoices and receipts are made from what the parties enter. The service is neither a party to the lease, nor a bank, nor legal advice.
5. **Availability.** The operator does what it can to keep the service available and backed up, without promising that it never stops.
6. **End.** You may close your account at any time. Leases, invoices and receipts that the law requires to be kept stay.
7. **Law.** The law of Cameroon applies unless agreed otherwise in writing.
`,
  },
  privacy: {
    fr: `# Protection des données

1. **Responsable.** L’organisation qui exploite ce service répond de vos données.
2. **Données.** Nom, numéro de téléphone, adresse électronique si vous la donnez, pièces d’identité que vous déposez, baux, factures, paiements, et le journal de ce qui a été fait.
3. **Usage.** Gérer les locations, établir les documents, vous écrire au sujet de votre bail, prouver les paiements et protéger le service. Rien n’est vendu ni utilisé pour la publicité.
4. **Accès.** Votre bailleur et son organisation voient ce qui concerne votre bail. Vos pièces d’identité ne sont vues que par vous et par la personne qui les vérifie ; chaque consultation est journalisée.
5. **Durée.** Les baux, factures, quittances et paiements restent dix ans au moins, comme la loi le demande. Les codes sont effacés après deux jours, les messages après quatre-vingt-dix jours, les lieux de connexion après quatre-vingt-dix jours sans visite, les pièces d’une vérification refusée ou abandonnée après six mois. Le journal de ce qui a été fait est gardé douze mois au moins. Le reste est gardé tant que le compte existe.
6. **Vos droits.** Vous pouvez demander une copie de vos données, leur correction ou leur effacement, dans les limites de la loi n° 2024/017.
`,
    en: `# Data protection

1. **Controller.** The organization that operates this service answers for your data.
2. **Data.** Name, telephone number, e-mail address if you give one, identity papers that you upload, leases, invoices, payments, and the record of what was done.
3. **Use.** To manage rentals, make the documents, write to you about your lease, prove payments and protect the service. Nothing is sold or used for advertising.
4. **Access.** Your landlord and their organization see what concerns your lease. Your identity papers are seen by you and by the person who checks them only; each view is recorded.
5. **Time.** Leases, invoices, receipts and payments stay for ten years at least, as the law requires. Codes are deleted after two days, messages after ninety days, places of sign-in after ninety days without a visit, papers of a verification that was refused or abandoned after six months. The record of what was done is kept for twelve months at least. The rest is kept as long as the account exists.
6. **Your rights.** You may ask for a copy of your data, for their correction or erasure, within the limits of Law No. 2024/017.
`,
  },
} as const

export const LEGAL_DOCUMENTS = ['terms', 'privacy'] as const
export type LegalDocument = (typeof LEGAL_DOCUMENTS)[number]
export type Locale = 'fr' | 'en'
type Edition = {
  readonly version: string
  readonly text: Readonly<Record<Locale, string>>
  readonly sha256: Readonly<Record<Locale, string>>
}
export type Legal = {
  readonly current: (document: LegalDocument) => Edition
  readonly find: (document: LegalDocument, version: string) => Edition | undefined
}

const VERSION = /^(\d{4}-\d{2}-\d{2}[a-z0-9.-]{0,20})\.(fr|en)\.md$/
const edition = (version: string, text: Record<Locale, string>): Edition => ({
  version,
  text,
  sha256: { fr: sha256(text.fr), en: sha256(text.en) },
})
const sha256 = (text: string): string => hash('sha256', text, 'hex')

/**
 * The terms and privacy texts: those shipped, or the operator's own in
 * `<data>/legal/{terms,privacy}/<version>.{fr,en}.md`. They are read once, at start; the newest version by name
 * applies, and it needs both languages.
 */
export function readLegal(dataDir: string): Legal {
  const editions = (document: LegalDocument): Edition[] => {
    const folder = join(dataDir, 'legal', document)
    const own = new Map<string, Partial<Record<Locale, string>>>()
    for (const file of existsSync(folder) ? readdirSync(folder).sort() : []) {
      const [, version, locale] = VERSION.exec(file) ?? []
      if (version !== undefined)
        own.set(version, { ...own.get(version), [locale as Locale]: readFileSync(join(folder, file), 'utf8') })
    }
    const complete = [...own].flatMap(([version, { fr, en }]) =>
      fr === undefined || en === undefined ? [] : [edition(version, { fr, en })],
    )
    return [edition(SHIPPED_VERSION, SHIPPED[document]), ...complete].sort((a, b) => (a.version < b.version ? -1 : 1))
  }
  const all = { terms: editions('terms'), privacy: editions('privacy') }
  return {
    current: (document) => {
      const own = all[document].filter((e) => e.version !== SHIPPED_VERSION)
      const newest = own.at(-1) ?? all[document].at(-1)
      if (!newest) throw new Error('there is always a shipped text')
      return newest
    },
    find: (document, version) => all[document].find((e) => e.version === version),
  }
}
