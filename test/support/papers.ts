// One paper of each kind, and how to read a PDF back.
import { extractText, getDocumentProxy } from 'unpdf'
import type {
  InspectionData,
  InvoiceData,
  LeaseData,
  LeaseNoticeData,
  LetterData,
  Papers,
  ReceiptData,
  StatementData,
} from '../../src/adapters/pdf/port.ts'

type Locale = 'fr' | 'en'
const people = {
  landlord: { name: 'Odile Owona', phoneNumber: '+237677000001' },
  agent: { name: 'Agence Ŋgɔ', address: 'Rue Njo-Njo, Douala', niu: 'M012345678901A', rccm: 'RC/DLA/2019/B/1234' },
  tenant: { name: 'Thérèse Ɛbɔlɔwa', phoneNumber: '+237677000004', idType: 'NATIONAL_ID', idNumber: '112233445' },
}
const premises = {
  propertyName: 'Résidence Bonamoussadi',
  unitLabel: 'A1',
  type: 'APARTMENT',
  addressLine: 'Derrière la pharmacie',
  quartier: 'Bonamoussadi',
  city: 'Douala',
  areaSqm: 68.5,
}
const head = (locale: Locale, number: string) => ({ locale, number, issuedOn: '2026-03-01', ...people, premises })

export const lease = (locale: Locale = 'fr', more: Partial<LeaseData> = {}): LeaseData => ({
  ...head(locale, 'L-2026-000012'),
  use: 'HOME',
  stage: 'PROPOSED',
  startDate: '2026-03-01',
  endDate: '2027-02-28',
  autoRenew: true,
  rentAmount: 1_234_567,
  tvaBasisPoints: 0,
  tvaAmount: 0,
  grossAmount: 1_234_567,
  dueDay: 1,
  clauses: ['Parties', 'Objet', 'Destination', 'Durée', 'Loyer', 'Charges', 'Paiement', 'Avance', 'Caution'].map(
    (title) => ({
      title,
      blocks: [
        {
          kind: 'paragraph',
          runs: [
            { text: 'Le bailleur loue au locataire, qui accepte, les lieux désignés aux conditions particulières. ' },
            { text: 'Le locataire déclare les connaître', bold: true },
            { text: ' pour les avoir visités, et les prend dans l’état que décrit l’état des lieux signé à l’entrée.' },
          ],
        },
        { kind: 'item', runs: [{ text: 'les clés et badges remis à l’entrée ;' }] },
      ],
    }),
  ),
  clausesVersion: 3,
  signatures: [],
  ...more,
})
export const invoice = (locale: Locale = 'fr', more: Partial<InvoiceData> = {}): InvoiceData => ({
  ...head(locale, '2026-000123'),
  periodStart: '2026-03-01',
  periodEnd: '2026-03-31',
  dueDate: '2026-03-06',
  lines: [
    { label: 'Loyer du 1er au 31 mars 2026', amount: 1_234_567 },
    { label: 'Eau, mars', amount: 4_500 },
  ],
  netAmount: 1_239_067,
  tvaBasisPoints: 1925,
  tvaAmount: 238_520,
  grossAmount: 1_477_587,
  ...more,
})
export const receipt = (locale: Locale = 'fr', more: Partial<ReceiptData> = {}): ReceiptData => ({
  ...head(locale, 'R-2026-000034'),
  full: true,
  amount: 85_000,
  payment: { method: 'MTN_MOMO', paidOn: '2026-03-04', reference: '7712345678' },
  invoices: [
    {
      number: '2026-000123',
      periodStart: '2026-03-01',
      periodEnd: '2026-03-31',
      grossAmount: 85_000,
      amount: 85_000,
      balanceAmount: 0,
    },
  ],
  creditAmount: 0,
  earlier: [],
  ...more,
})
export const statement = (locale: Locale = 'fr', more: Partial<StatementData> = {}): StatementData => ({
  ...head(locale, 'S-2026-000001'),
  startDate: '2025-09-01',
  endDate: '2026-03-15',
  reason: 'Départ',
  invoices: [
    {
      number: '2026-000123',
      periodStart: '2026-03-01',
      periodEnd: '2026-03-15',
      grossAmount: 42_500,
      amountPaid: 20_000,
      creditedAmount: 0,
      balanceAmount: 22_500,
    },
  ],
  payments: [{ type: 'PAYMENT', paidOn: '2026-03-04', method: 'CASH', amount: 20_000 }],
  depositAmount: 170_000,
  deposits: [{ type: 'RECEIVED', paidOn: '2025-09-01', amount: 170_000 }],
  heldAmount: 170_000,
  debtAmount: 22_500,
  creditAmount: 0,
  ...more,
})
export const letter = (locale: Locale = 'fr', more: Partial<LetterData> = {}): LetterData => ({
  ...head(locale, 'N-2026-000001'),
  invoices: [
    {
      number: '2026-000123',
      periodStart: '2026-01-01',
      periodEnd: '2026-01-31',
      dueDate: '2026-01-06',
      grossAmount: 85_000,
      amountPaid: 20_000,
      balanceAmount: 65_000,
    },
  ],
  totalAmount: 65_000,
  coming: [],
  days: 8,
  payBefore: '2026-03-09',
  ...more,
})
export const rentChange = (locale: Locale = 'fr', more: object = {}): LeaseNoticeData => ({
  ...head(locale, 'A-2026-000001'),
  leaseStart: '2025-09-01',
  subject: 'RIDER',
  fromDate: '2026-04-01',
  previousAmount: 85_000,
  rentAmount: 90_000,
  tvaBasisPoints: 0,
  tvaAmount: 0,
  grossAmount: 90_000,
  paid: [],
  reason: 'Révision annuelle',
  signatures: [],
  ...more,
})
export const leave = (locale: Locale = 'fr', more: object = {}): LeaseNoticeData => ({
  ...head(locale, 'A-2026-000002'),
  leaseStart: '2025-09-01',
  subject: 'LEAVE',
  by: 'TENANT',
  givenOn: '2026-03-10',
  leaveOn: '2026-04-15',
  noticeMonths: 2,
  earliestLeaveOn: '2026-05-10',
  signatures: [],
  ...more,
})
export const inspection = (locale: Locale = 'fr', more: object = {}): InspectionData => ({
  ...head(locale, 'E-2026-000001'),
  kind: 'EXIT',
  inspectedOn: '2026-03-10',
  rooms: [
    {
      name: 'Cuisine',
      items: [
        { name: 'Évier', before: 'GOOD', state: 'DAMAGED', note: 'Fêlé', deduction: 25_000, photos: 1 },
        { name: 'Placards', before: 'GOOD', state: 'WORN', photos: 0 },
      ],
    },
  ],
  meters: [{ kind: 'WATER', number: 'C-1', reading: 1_520, before: 1_204 }],
  keyCount: 2,
  keysBefore: 3,
  entry: { number: 'E-2025-000004', inspectedOn: '2025-09-01' },
  deductionAmount: 25_000,
  photos: [{ place: 'Cuisine – Évier', sha256: 'a'.repeat(64) }],
  signatures: [],
  ...more,
})
export const papers = { inspection, lease, invoice, receipt, statement, letter, leaseNotice: rentChange } satisfies {
  [T in Exclude<keyof Papers, 'ownerStatement' | 'report'>]: (locale?: Locale) => Papers[T]
}

/** Pages of text with every kind of space as one blank, and the structure of the first page. */
export async function readPdf(bytes: Uint8Array) {
  // drizzle-kit, which the schema's test loads, puts words into every array; pdf.js then refuses to read.
  for (const word in []) Object.defineProperty(Array.prototype, word, { enumerable: false })
  const document = await getDocumentProxy(bytes.slice())
  const { text } = await extractText(document, { mergePages: false })
  const pages = text.map((page) => page.replace(/\s+/g, ' ').replaceAll('\u2011', '-'))
  const roles: string[] = []
  const walk = (node: { role?: string; children?: unknown[] } | null): void => {
    if (node?.role) roles.push(node.role)
    for (const child of node?.children ?? []) walk(child as { role?: string; children?: unknown[] })
  }
  walk(await (await document.getPage(1)).getStructTree())
  const info = (await document.getMetadata()).info as unknown as Record<string, unknown>
  return { pages, text: pages.join(' '), roles, info, marked: (await document.getMarkInfo())?.Marked }
}
