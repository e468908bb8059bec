import { moneyInWords } from '../../../core/numbers-in-words.ts'
import { createKit, type Kit } from '../kit.ts'
import {
  amountBox,
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
  tvaRows,
} from '../parts.ts'
import type { LeaseNoticeData, Seal } from '../port.ts'
import { BRAND, PAGE, SOFT, type Style, WIDTH } from '../style.ts'
import { columns, table } from '../tables.ts'

const fr = {
  title: {
    RENT_CHANGE: 'Avis de modification du loyer',
    RIDER: 'Avenant au bail : modification du loyer',
    LEAVE: { LANDLORD: 'Congé donné par le bailleur', TENANT: 'Congé donné par le locataire' },
  },
  number: { RENT_CHANGE: 'Avis n° ', RIDER: 'Avenant n° ', LEAVE: 'Congé n° ' },
  lease: 'Bail',
  since: (day: string) => `ayant pris effet le ${day}`,
  premises: 'Lieux loués',
  before: (net: boolean) => `Loyer mensuel${net ? ' hors taxe' : ''} jusqu’ici`,
  after: (net: boolean) => `Nouveau loyer mensuel${net ? ' hors taxe' : ''}`,
  newRent: 'Nouveau loyer mensuel',
  from: 'À compter du',
  clause: 'Clause de révision du bail',
  clauseFrom: (formula: string, day: string) => `${formula} (à partir du ${day})`,
  reason: 'Motif indiqué',
  notice: (day: string) =>
    `Le loyer des lieux désignés ci-dessus est modifié à compter du ${day}. Il s’applique à chaque période de loyer qui commence ce jour-là ou plus tard. Toutes les autres conditions du bail demeurent inchangées.`,
  rider: (day: string) =>
    `Les parties conviennent que le loyer des lieux désignés ci-dessus est modifié à compter du ${day}. Il s’applique à chaque période de loyer qui commence ce jour-là ou plus tard. Toutes les autres clauses du bail demeurent inchangées.`,
  unsigned: 'Cet avenant ne produit effet qu’une fois signé par le locataire ; jusque-là, le loyer reste le même.',
  paid: (list: string) => `Déjà payé au loyer précédent, et qui le reste : ${list}.`,
  paidItem: (n: string, period: string) => `facture ${n}, ${period}`,
  givenOn: 'Donné le',
  leaveOn: 'Dernier jour du bail',
  askedFor: 'Date demandée',
  agreed: 'Préavis convenu',
  months: (n: number) => (n === 0 ? 'sans préavis' : `${n} mois`),
  leave: {
    LANDLORD: (on: string, leave: string) =>
      `Le bailleur a donné congé au locataire le ${on}. Le bail des lieux désignés ci-dessus prend fin le ${leave} au soir.`,
    TENANT: (on: string, leave: string) =>
      `Le locataire a donné congé au bailleur le ${on}. Le bail des lieux désignés ci-dessus prend fin le ${leave} au soir.`,
  },
  short: (on: string, leave: string) =>
    `Le bailleur a donné congé au locataire le ${on}, et demande que le bail des lieux désignés ci-dessus prenne fin le ${leave} au soir.`,
  ifAgreed:
    'Le bail prend fin à cette date si le locataire l’accepte par écrit\u00a0; il se poursuit sinon, aux mêmes conditions.',
  settled:
    'Le compte est arrêté à cette date : loyer dû jusqu’au dernier jour, paiements pour la suite rendus, dépôt de garantie restitué après l’état des lieux, déduction faite des sommes justifiées.',
  place: (day: string) => `Fait à ____________________________ , le ${day}.`,
  received: 'Reçu le, nom et signature',
  evidence: 'Preuve de l’accord électronique',
  lead: 'Le locataire a demandé un code à usage unique, envoyé au numéro inscrit à son dossier, puis a saisi ce code et son nom complet. Il s’agit d’un accord électronique, non d’une signature électronique qualifiée au sens de la loi n° 2010/012.',
  cols: ['Nom saisi', 'Date et heure', 'Code envoyé à'],
  digest: 'Empreinte SHA-256 du texte accepté',
}
const en: typeof fr = {
  title: {
    RENT_CHANGE: 'Notice of rent change',
    RIDER: 'Amendment to the lease: rent change',
    LEAVE: { LANDLORD: 'Notice to leave given by the landlord', TENANT: 'Notice to leave given by the tenant' },
  },
  number: { RENT_CHANGE: 'Notice No. ', RIDER: 'Amendment no. ', LEAVE: 'Notice No. ' },
  lease: 'Lease',
  since: (day) => `in effect since ${day}`,
  premises: 'Premises let',
  before: (net) => `Monthly rent until now${net ? ', before VAT' : ''}`,
  after: (net) => `New monthly rent${net ? ', before VAT' : ''}`,
  newRent: 'New monthly rent',
  from: 'From',
  clause: 'Review clause of the lease',
  clauseFrom: (formula, day) => `${formula} (from ${day})`,
  reason: 'Reason given',
  notice: (day) =>
    `The rent of the premises named above changes from ${day}. It applies to each rent period that begins on that day or later. All other terms of the lease stay as they are.`,
  rider: (day) =>
    `The parties agree that the rent of the premises named above changes from ${day}. It applies to each rent period that begins on that day or later. All other terms of the lease stay as they are.`,
  unsigned: 'This amendment takes effect only once the tenant has signed it; until then the rent stays the same.',
  paid: (list) => `Paid already at the previous rent, which it keeps: ${list}.`,
  paidItem: (n, period) => `invoice ${n}, ${period}`,
  givenOn: 'Given on',
  leaveOn: 'Last day of the lease',
  askedFor: 'Date asked for',
  agreed: 'Notice agreed',
  months: (n) => (n === 0 ? 'none' : n === 1 ? '1 month' : `${n} months`),
  leave: {
    LANDLORD: (on, leave) =>
      `The landlord gave the tenant notice on ${on}. The lease of the premises named above ends at the close of ${leave}.`,
    TENANT: (on, leave) =>
      `The tenant gave the landlord notice on ${on}. The lease of the premises named above ends at the close of ${leave}.`,
  },
  short: (on, leave) =>
    `The landlord gave the tenant notice on ${on}, and asks that the lease of the premises named above end at the close of ${leave}.`,
  ifAgreed: 'The lease ends on that day if the tenant accepts it in writing; otherwise it goes on, on the same terms.',
  settled:
    'The account is closed on that day: rent due up to the last day, payments for the time after given back, and the deposit returned after the inspection, less what is justified.',
  place: (day) => `Signed at ____________________________ , on ${day}.`,
  received: 'Received on, name and signature',
  evidence: 'Evidence of the electronic agreement',
  lead: 'The tenant asked for a one-time code, sent to the number on their file, then entered this code and their full name. This is an electronic agreement, not a qualified electronic signature within the meaning of Law No. 2010/012.',
  cols: ['Name entered', 'Date and time', 'Code sent to'],
  digest: 'SHA-256 digest of the text that was accepted',
}
const WORDS = { fr, en } as const
type Rent = Extract<LeaseNoticeData, { subject: 'RENT_CHANGE' | 'RIDER' }>
type Leave = Extract<LeaseNoticeData, { subject: 'LEAVE' }>

/** A change of the rent, for the tenant to know or to sign, or a notice to leave: parties, what changes, room to sign. */
export function drawLeaseNotice(data: LeaseNoticeData, seal: Seal): Promise<Uint8Array<ArrayBuffer>> {
  const speech = speak(data.locale)
  const w = WORDS[data.locale]
  const title = data.subject === 'LEAVE' ? w.title.LEAVE[data.by] : w.title[data.subject]
  const number = `${w.number[data.subject]}${data.number}`
  const kit = createKit({ title: `${title} – ${data.number}`, locale: data.locale, issuedOn: data.issuedOn })
  const byTenant = data.subject === 'LEAVE' && data.by === 'TENANT'
  const from = byTenant ? data.tenant : (data.agent ?? data.landlord)
  masthead(kit, speech, { title, number, from, issuedOn: data.issuedOn })
  kit.space(4)
  columns(kit, [landlordLines(speech, data), partyLines(speech, speech.t.tenant, data.tenant)])
  kit.space(12)
  const rows = data.subject === 'LEAVE' ? leaveRows(speech, w, data) : rentRows(speech, w, data)
  const head = [
    [w.premises, premisesText(speech, data.premises)],
    [w.lease, w.since(speech.date(data.leaseStart))],
  ]
  const sizes = [0.34, 0.66].map((share) => ({ label: '', share }))
  table(
    kit,
    sizes,
    [...head, ...rows, ...(data.reason === undefined ? [] : [[w.reason, data.reason]])].map((cells) => ({ cells })),
    false,
  )
  kit.space(10)
  // Signatures stand on a page with what is signed.
  const end = (data.signatures.length > 0 ? 130 : 112) + SEAL
  if (data.subject === 'LEAVE') leave(kit, speech, w, data, end)
  else rent(kit, speech, w, data, end)
  if (data.signatures.length > 0) evidence(kit, speech, w, data)
  else signatures(kit, speech, w, data)
  sealBox(kit, speech, seal)
  closing(kit, speech, `${number} – ${shortened(data.tenant.name, 40)}`, seal)
  return kit.finish()
}

function rentRows(speech: Speech, w: typeof fr, data: Rent): string[][] {
  const { money, date } = speech
  const net = data.tvaBasisPoints > 0
  return [
    [w.before(net), money(data.previousAmount)],
    [w.after(net), money(data.rentAmount)],
    ...tvaRows(speech, data),
    [w.from, date(data.fromDate)],
    ...(data.clause ? [[w.clause, w.clauseFrom(data.clause.formula, date(data.clause.from))]] : []),
  ]
}

/** What changes; `end`: points of the signatures, on the page of what is signed. */
function rent(kit: Kit, speech: Speech, w: typeof fr, data: Rent, end: number): void {
  const { money, date, period } = speech
  const lead = data.subject === 'RIDER' ? w.rider(date(data.fromDate)) : w.notice(date(data.fromDate))
  const list = data.paid.map((i) => w.paidItem(i.number, period(i.periodStart, i.periodEnd))).join(' ; ')
  const after: [string, Style][] = [
    ...(list === '' ? [] : [[w.paid(list), { size: 9 }] as [string, Style]]),
    ...(data.subject === 'RIDER' && data.signatures.length === 0
      ? [[w.unsigned, { cut: 'bold' }] as [string, Style]]
      : []),
  ]
  const rest = after.reduce((sum, [words, style]) => sum + 8 + kit.heightOf(words, WIDTH, style), 0)
  // A list longer than a page continues on the next one.
  kit.room(Math.min(kit.heightOf(lead, WIDTH, {}) + 66 + rest + end, kit.bottom - PAGE.top))
  kit.text(lead)
  kit.space(8)
  amountBox(kit, w.newRent, money(data.grossAmount), moneyInWords(data.grossAmount, data.locale))
  for (const [words, style] of after) {
    kit.space(8)
    kit.text(words, style)
  }
}

function leaveRows({ date }: Speech, w: typeof fr, data: Leave): string[][] {
  return [
    [w.givenOn, date(data.givenOn)],
    ...(data.noticeMonths === undefined ? [] : [[w.agreed, w.months(data.noticeMonths)]]),
    [data.tooShort ? w.askedFor : w.leaveOn, date(data.leaveOn)],
  ]
}

function leave(kit: Kit, { date }: Speech, w: typeof fr, data: Leave, end: number): void {
  const [say, then] = data.tooShort ? [w.short, w.ifAgreed] : [w.leave[data.by], w.settled]
  kit.room(kit.heightOf(then, WIDTH, {}) + 50 + end)
  kit.blocks([{ kind: 'paragraph', runs: [{ text: say(date(data.givenOn), date(data.leaveOn)), bold: true }] }])
  kit.space(6)
  kit.text(then)
}

/** Room for both signatures by hand, kept on one page with the place and the seal. */
function signatures(kit: Kit, { t, date }: Speech, w: typeof fr, data: LeaseNoticeData): void {
  const { doc } = kit
  const box = 66
  kit.room(box + 34 + SEAL)
  kit.space(12)
  kit.text(w.place(date(data.issuedOn)), { size: 9 })
  kit.space(6)
  const gap = 14
  const width = (WIDTH - gap) / 2
  const top = doc.y
  const byTenant = data.subject === 'LEAVE' && data.by === 'TENANT'
  const hands = [
    [byTenant ? `${t.landlord} – ${w.received}` : t.landlord, (data.agent ?? data.landlord).name],
    [byTenant || data.subject === 'RIDER' ? t.tenant : `${t.tenant} – ${w.received}`, data.tenant.name],
  ] as const
  for (const [i, [role, name]] of hands.entries()) {
    const x = PAGE.left + i * (width + gap)
    kit.artifact(() => doc.roundedRect(x, top, width, box, 4).lineWidth(0.7).strokeColor('#94a3b8').stroke())
    kit.put(kit.root, 'P', role, x + 8, top + 7, width - 16, { size: 8, cut: 'bold', color: SOFT })
    kit.put(kit.root, 'P', shortened(name, 80), x + 8, top + 19, width - 16, { size: 9 })
  }
  doc.y = top + box
  doc.x = PAGE.left
}

/** The tenant's signature by code. */
function evidence(kit: Kit, { instant }: Speech, w: typeof fr, data: LeaseNoticeData): void {
  const { timeZone = 'UTC', signedSha256 } = data
  kit.room(130 + SEAL)
  kit.section(w.evidence)
  kit.text(w.lead, { size: 9 })
  kit.space(6)
  const [name = '', at = '', how = ''] = w.cols
  table(
    kit,
    [
      { label: name, share: 0.4 },
      { label: at, share: 0.34 },
      { label: how, share: 0.26 },
    ],
    data.signatures.map((s) => ({
      cells: [s.name, `${instant(s.signedAt, timeZone)} (${offsetOf(s.signedAt, timeZone)})`, s.evidence],
    })),
  )
  kit.space(6)
  if (signedSha256 !== undefined) kit.text(`${w.digest}\n${signedSha256}`, { size: 8, color: BRAND })
}
