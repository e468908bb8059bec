import { createKit, type Kit } from '../kit.ts'
import {
  closing,
  landlordLines,
  masthead,
  offsetOf,
  partyLines,
  premisesText,
  SEAL,
  type Speech,
  sealBox,
  shortened,
  speak,
} from '../parts.ts'
import type { InspectionData, Seal } from '../port.ts'
import { BRAND, PAGE, SOFT, WIDTH } from '../style.ts'
import { columns, table } from '../tables.ts'

const fr = {
  title: { ENTRY: 'État des lieux d’entrée', EXIT: 'État des lieux de sortie' },
  number: 'État des lieux n° ',
  proposed: 'Projet soumis à la signature des deux parties.',
  signed: 'Établi contradictoirement et signé par les deux parties.',
  premises: 'Lieux loués',
  on: 'Constaté le',
  compared: 'Comparé à',
  comparedTo: (number: string, day: string) => `l’état des lieux d’entrée n° ${number} du ${day}`,
  keys: 'Clés remises',
  keysBack: (now: number, before: number) => `${now} rendues, ${before} remises à l’entrée`,
  note: 'Observations',
  states: {
    NEW: 'Neuf',
    GOOD: 'Bon état',
    WORN: 'Usagé',
    DAMAGED: 'Dégradé',
    MISSING: 'Manquant',
    NOT_CHECKED: 'Non vérifié',
  } as Readonly<Record<string, string>>,
  item: 'Élément',
  state: 'État',
  before: 'Entrée',
  after: 'Sortie',
  remark: 'Remarque',
  photos: (n: number) => (n === 1 ? '1 photo' : `${n} photos`),
  meters: 'Compteurs',
  meterKinds: { WATER: 'Eau', POWER: 'Électricité', GAS: 'Gaz' } as Readonly<Record<string, string>>,
  meterCols: ['Compteur', 'Numéro', 'À l’entrée', 'Relevé'],
  used: 'Retenues proposées sur le dépôt de garantie',
  usedCols: ['Pièce et élément', 'Motif', 'Montant'],
  total: 'Total proposé',
  usedNote:
    'Ces retenues sont proposées par le bailleur ; elles ne valent que justifiées. L’usure normale n’est pas à la charge du locataire.',
  none: 'Aucune retenue n’est proposée.',
  evidence: 'Photos jointes',
  evidenceNote: 'Chaque photo est conservée avec cette pièce ; son empreinte SHA-256 la désigne.',
  photoCols: ['N°', 'Pièce', 'Empreinte SHA-256'],
  signatures: 'Signatures',
  toSign: 'Signé électroniquement par code sur Loyer, ou à la main ci-dessous.',
  agreed: 'Signé le',
  remarks: 'Réserves',
  text: 'Empreinte SHA-256 du texte signé',
}
const en: typeof fr = {
  title: { ENTRY: 'Move-in inspection', EXIT: 'Move-out inspection' },
  number: 'Inspection No. ',
  proposed: 'Draft for both parties to sign.',
  signed: 'Made by both parties together, and signed by both.',
  premises: 'Premises',
  on: 'Inspected on',
  compared: 'Compared with',
  comparedTo: (number, day) => `inspection No. ${number} of ${day}, at the beginning`,
  keys: 'Keys handed over',
  keysBack: (now, before) => `${now} given back, ${before} handed over at the beginning`,
  note: 'Remarks',
  states: {
    NEW: 'New',
    GOOD: 'Good',
    WORN: 'Worn',
    DAMAGED: 'Damaged',
    MISSING: 'Missing',
    NOT_CHECKED: 'Not checked',
  },
  item: 'Item',
  state: 'State',
  before: 'Beginning',
  after: 'End',
  remark: 'Remark',
  photos: (n) => (n === 1 ? '1 photo' : `${n} photos`),
  meters: 'Meters',
  meterKinds: { WATER: 'Water', POWER: 'Electricity', GAS: 'Gas' },
  meterCols: ['Meter', 'Number', 'At the beginning', 'Reading'],
  used: 'Deductions from the deposit, as proposed',
  usedCols: ['Room and item', 'Reason', 'Amount'],
  total: 'Total proposed',
  usedNote:
    'The landlord proposes these deductions; they count only where they are justified. Normal wear is not charged to the tenant.',
  none: 'No deduction is proposed.',
  evidence: 'Photos',
  evidenceNote: 'Each photo is kept with this paper; its SHA-256 digest names it.',
  photoCols: ['No.', 'Room', 'SHA-256 digest'],
  signatures: 'Signatures',
  toSign: 'Signed electronically by a code on Loyer, or by hand below.',
  agreed: 'Signed on',
  remarks: 'Reservations',
  text: 'SHA-256 digest of the text that was signed',
}
const WORDS = { fr, en }
type Words = typeof fr

/** The state of the premises, room by room; at the end of a lease beside the first inspection, with the proposed deductions. */
export function drawInspection(data: InspectionData, seal: Seal): Promise<Uint8Array<ArrayBuffer>> {
  const speech = speak(data.locale)
  const { t } = speech
  const w = WORDS[data.locale]
  const title = w.title[data.kind]
  const number = `${w.number}${data.number}`
  const kit = createKit({ title: `${title} – ${data.number}`, locale: data.locale, issuedOn: data.issuedOn })
  masthead(kit, speech, { title, number, from: data.agent ?? data.landlord, issuedOn: data.issuedOn })
  kit.text(data.signatures.length > 0 ? w.signed : w.proposed, { size: 9.5, color: SOFT })
  kit.space(4)
  columns(kit, [landlordLines(speech, data), partyLines(speech, t.tenant, data.tenant)])
  kit.space(8)
  facts(kit, speech, w, data)
  for (const room of data.rooms) roomTable(kit, w, data.kind, room)
  if (data.meters.length > 0) meters(kit, speech, w, data)
  if (data.kind === 'EXIT') deductions(kit, speech, w, data)
  if (data.photos.length > 0) photoList(kit, w, data)
  signatures(kit, speech, w, data)
  kit.space(6)
  sealBox(kit, speech, seal)
  closing(kit, speech, `${number} – ${shortened(data.tenant.name, 40)}`, seal)
  return kit.finish()
}

const TWO = [
  { label: '', share: 0.34 },
  { label: '', share: 0.66 },
]
function facts(kit: Kit, speech: Speech, w: Words, data: InspectionData): void {
  const { entry, keyCount, keysBefore, note } = data
  const rows: [string, string][] = [
    [w.premises, premisesText(speech, data.premises)],
    [w.on, speech.date(data.inspectedOn)],
    ...(entry ? [[w.compared, w.comparedTo(entry.number, speech.date(entry.inspectedOn))] as [string, string]] : []),
    ...(keyCount === undefined
      ? []
      : [[w.keys, keysBefore === undefined ? String(keyCount) : w.keysBack(keyCount, keysBefore)] as [string, string]]),
    ...(note === undefined ? [] : [[w.note, note] as [string, string]]),
  ]
  table(
    kit,
    TWO,
    rows.map((cells) => ({ cells })),
    false,
  )
}

function roomTable(kit: Kit, w: Words, kind: InspectionData['kind'], room: InspectionData['rooms'][number]): void {
  const stateName = (state: string | undefined): string => (state === undefined ? '–' : (w.states[state] ?? state))
  const remark = ({ note, photos }: (typeof room.items)[number]): string =>
    [note, photos > 0 ? w.photos(photos) : undefined].filter((part) => part !== undefined).join(' – ') || '–'
  kit.section(room.name)
  if (kind === 'ENTRY')
    table(
      kit,
      [
        { label: w.item, share: 0.3 },
        { label: w.state, share: 0.2 },
        { label: w.remark, share: 0.5 },
      ],
      room.items.map((item) => ({ cells: [item.name, stateName(item.state), remark(item)] })),
    )
  else
    table(
      kit,
      [
        { label: w.item, share: 0.28 },
        { label: w.before, share: 0.17 },
        { label: w.after, share: 0.17 },
        { label: w.remark, share: 0.38 },
      ],
      room.items.map((item) => ({ cells: [item.name, stateName(item.before), stateName(item.state), remark(item)] })),
    )
}

function meters(kit: Kit, { locale }: Speech, w: Words, data: InspectionData): void {
  const [meter = '', no = '', before = '', reading = ''] = w.meterCols
  const figure = (n: number | undefined): string =>
    n === undefined ? '–' : n.toLocaleString(locale === 'fr' ? 'fr-FR' : 'en-GB').replace(/\u202f/g, '\u00a0')
  kit.section(w.meters)
  table(
    kit,
    [
      { label: meter, share: 0.28 },
      { label: no, share: 0.28 },
      { label: before, share: 0.22, align: 'right' },
      { label: reading, share: 0.22, align: 'right' },
    ],
    data.meters.map((m) => ({
      cells: [w.meterKinds[m.kind] ?? m.kind, m.number ?? '–', figure(m.before), figure(m.reading)],
    })),
  )
}

function deductions(kit: Kit, { money }: Speech, w: Words, data: InspectionData): void {
  const rows = data.rooms.flatMap((room) =>
    room.items.flatMap(({ name, note, state, deduction }) =>
      deduction ? [[`${room.name} – ${name}`, note ?? w.states[state] ?? state, money(deduction)]] : [],
    ),
  )
  kit.section(w.used)
  if (rows.length === 0) {
    kit.text(w.none)
    return
  }
  const [what = '', why = '', amount = ''] = w.usedCols
  table(
    kit,
    [
      { label: what, share: 0.4 },
      { label: why, share: 0.38 },
      { label: amount, share: 0.22, align: 'right' },
    ],
    [...rows.map((cells) => ({ cells })), { cells: [w.total, '', money(data.deductionAmount)], strong: true }],
  )
  kit.space(3)
  kit.text(w.usedNote, { size: 8, color: SOFT })
}

function photoList(kit: Kit, w: Words, data: InspectionData): void {
  const [no = '', place = '', digest = ''] = w.photoCols
  kit.section(w.evidence)
  kit.text(w.evidenceNote, { size: 8, color: SOFT })
  kit.space(3)
  table(
    kit,
    [
      { label: no, share: 0.08 },
      { label: place, share: 0.27 },
      { label: digest, share: 0.65 },
    ],
    data.photos.map((photo, i) => ({ cells: [String(i + 1), photo.place, photo.sha256.replace(/^(.{32})/, '$1\n')] })),
  )
}

const BOX = 70
/** Both signature boxes with the code of the paper, so that no page holds signatures alone; and the reservations of both. */
function signatures(kit: Kit, speech: Speech, w: Words, data: InspectionData): void {
  const { t } = speech
  const { doc } = kit
  const { timeZone = 'UTC' } = data
  const remarks = data.signatures.flatMap(({ party, remarks: said }) =>
    said === undefined ? [] : [[`${w.remarks} – ${party === 'LANDLORD' ? t.landlord : t.tenant}`, said]],
  )
  const tall = remarks.reduce((sum, [, said = '']) => sum + kit.heightOf(said, WIDTH * 0.64, { size: 9 }) + 12, 0)
  kit.room(Math.min(BOX + 70 + SEAL + tall, kit.bottom - PAGE.top))
  kit.section(w.signatures)
  if (data.signatures.length === 0) kit.text(w.toSign, { size: 8.5, color: SOFT })
  if (remarks.length > 0)
    table(
      kit,
      TWO,
      remarks.map((cells) => ({ cells })),
      false,
    )
  kit.space(6)
  const gap = 14
  const width = (WIDTH - gap) / 2
  const top = doc.y
  for (const [i, party] of (['LANDLORD', 'TENANT'] as const).entries()) {
    const signature = data.signatures.find((s) => s.party === party)
    const name = party === 'LANDLORD' ? data.landlord.name : data.tenant.name
    const x = PAGE.left + i * (width + gap)
    kit.artifact(() => doc.roundedRect(x, top, width, BOX, 4).lineWidth(0.7).strokeColor('#94a3b8').stroke())
    const role = party === 'LANDLORD' ? t.landlord : t.tenant
    kit.put(kit.root, 'P', role, x + 8, top + 6, width - 16, { size: 8, cut: 'bold', color: SOFT })
    kit.put(kit.root, 'P', shortened(signature?.name ?? name, 45), x + 8, top + 17, width - 16, { size: 9 })
    if (!signature) continue
    if (signature.onBehalfOf !== undefined)
      kit.put(kit.root, 'P', shortened(t.onBehalfOf(signature.onBehalfOf), 58), x + 8, top + 30, width - 16, {
        size: 7.5,
      })
    const at = `${speech.instant(signature.signedAt, timeZone)} (${offsetOf(signature.signedAt, timeZone)})`
    const proof = `${w.agreed} ${at}\n${signature.evidence}`
    kit.put(kit.root, 'P', proof, x + 8, top + BOX - 26, width - 16, { size: 7, color: BRAND })
  }
  doc.y = top + BOX
  doc.x = PAGE.left
  if (data.signedSha256 === undefined) return
  kit.space(6)
  kit.text(t.named(w.text, data.signedSha256), { size: 7.5, color: SOFT })
}
