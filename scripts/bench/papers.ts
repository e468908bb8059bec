// An invoice as paper, beside the same words by PDFKit alone: no tags, no boxes, no QR code, and its fonts read each time.
import { Buffer } from 'node:buffer'
import { gunzipSync } from 'node:zlib'
import PDFDocument from 'pdfkit'
import { draw } from '../../src/adapters/pdf/draw.ts'
import { fonts } from '../../src/adapters/pdf/fonts.gen.ts'
import type { InvoiceData } from '../../src/adapters/pdf/port.ts'
import { interleaved } from './load.ts'

const read = (text: string): Buffer => gunzipSync(Buffer.from(text, 'base64'))
const bytesOf = { regular: read(fonts.regular), bold: read(fonts.bold) }
const NAMES = ['Odile Owona', 'Thérèse Ɛbɔlɔwa', 'Jean-Baptiste Mbarga', 'Aïssatou Bello', 'Paul Ngɔ', 'Marie Fotso']
const seal = { url: 'https://rent.example.cm/verify/7h3k9m2q4wx8c5vb6n1zd0f2gt', dataSha256: 'ab'.repeat(32) }

/** The nth invoice of a night: other people, numbers and amounts than the one before. */
const invoice = (n: number): InvoiceData => ({
  locale: 'fr',
  number: `2026-${String(n).padStart(6, '0')}`,
  issuedOn: '2026-03-01',
  landlord: { name: 'Odile Owona', phoneNumber: '+237677000001' },
  tenant: { name: `${NAMES[n % 6]} ${NAMES[(n * 7) % 5]}`, phoneNumber: `+2376${70_000_000 + n * 37}` },
  premises: {
    propertyName: 'Résidence Bonamoussadi',
    unitLabel: `A${n % 90}`,
    type: 'APARTMENT',
    addressLine: 'Derrière la pharmacie',
    quartier: 'Bonamoussadi',
    city: 'Douala',
  },
  periodStart: '2026-03-01',
  periodEnd: '2026-03-31',
  dueDate: '2026-03-06',
  lines: [
    { label: 'Loyer du 1er mars 2026 au 31 mars 2026', amount: 85_000 + 250 * n },
    { label: 'Eau, mars', amount: 4500 },
  ],
  netAmount: 89_500 + 250 * n,
  tvaBasisPoints: 0,
  tvaAmount: 0,
  grossAmount: 89_500 + 250 * n,
})

const words = ({ number, landlord, tenant, premises, lines, grossAmount }: InvoiceData): string[] => [
  'Facture de loyer',
  `Facture n° ${number} du 1er mars 2026`,
  `Bailleur : ${landlord.name}, ${landlord.phoneNumber}`,
  `Locataire : ${tenant.name}, ${tenant.phoneNumber}`,
  `${premises.propertyName}, ${premises.unitLabel}, ${premises.addressLine}, ${premises.city}`,
  'Période : du 1er mars 2026 au 31 mars 2026. Échéance : 6 mars 2026',
  ...lines.flatMap(({ label, amount }) => [label, `${amount} FCFA`]),
  `Total à payer : ${grossAmount} FCFA`,
  'Arrêtée la présente facture à la somme de quatre-vingt-neuf mille cinq cents francs CFA',
  'Pour vérifier ce document, ouvrez cette adresse ou scannez le code :',
  seal.url,
  `Empreinte des données (SHA-256) : ${seal.dataSha256}`,
]
const plain = (data: InvoiceData): Promise<number> =>
  new Promise((resolve) => {
    const doc = new PDFDocument({ size: 'A4', font: null as never })
    let size = 0
    doc.on('data', (chunk: Buffer) => {
      size += chunk.length
    })
    doc.on('end', () => resolve(size))
    for (const [name, bytes] of Object.entries(bytesOf)) doc.registerFont(name, bytes)
    for (const [i, line] of words(data).entries())
      doc
        .font(i % 2 === 0 ? 'regular' : 'bold')
        .fontSize(10)
        .text(line)
    doc.end()
  })

/** An invoice against the bare paper. */
export function drawn(rounds: number) {
  let n = 0
  return interleaved(
    () => draw('invoice', invoice(n++), seal),
    () => plain(invoice(n++)),
    { each: 40, rounds },
  )
}
