import { moneyInWords } from '../../../core/numbers-in-words.ts'
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
  tvaRows,
} from '../parts.ts'
import type { Block, LeaseData, Party, Seal } from '../port.ts'
import { ALERT, BRAND, PAGE, SOFT, WIDTH } from '../style.ts'
import { columns, table } from '../tables.ts'

/** A lease: parties, particular terms, clauses, signatures, and the evidence of an electronic agreement. */
export function drawLease(data: LeaseData, seal: Seal): Promise<Uint8Array<ArrayBuffer>> {
  const speech = speak(data.locale)
  const { t } = speech
  const title = t.lease.title[data.use]
  const number = t.lease.number(data.number)
  const kit = createKit({ title: `${title} – ${data.number}`, locale: data.locale, issuedOn: data.issuedOn })
  masthead(kit, speech, { title, number, from: data.agent ?? data.landlord, issuedOn: data.issuedOn })
  const stage = data.stage === 'SIGNED' && othersOf(data).length > 0 ? 'SIGNED_BY_ALL' : data.stage
  if (seal) kit.text(t.lease.stages[stage], { size: 9.5, color: SOFT })
  else kit.text(t.preview, { size: 9.5, cut: 'bold', color: ALERT })
  kit.section(t.lease.between)
  columns(kit, [landlordLines(speech, data), partyLines(speech, t.tenant, data.tenant, { gaps: true })])
  const others = othersOf(data).map(({ role, party }) => partyLines(speech, t[role], party))
  for (let i = 0; i < others.length; i += 2) {
    kit.space(8)
    columns(kit, others.slice(i, i + 2))
  }
  kit.section(t.lease.particular)
  table(
    kit,
    [
      { label: '', share: 0.34 },
      { label: '', share: 0.66 },
    ],
    termRows(speech, data).map((cells) => ({ cells })),
    false,
  )
  kit.section(t.lease.general)
  const body = { size: 9 }
  for (const [i, clause] of data.clauses.entries()) {
    // Signatures stand on a page with some of what is signed: all of the last clause, or its end.
    const withEnd = (blocks: readonly Block[]): number => kit.blocksHeight(blocks, body) + endHeight(data)
    const isLast = i === data.clauses.length - 1
    const whole = isLast && withEnd(clause.blocks) < kit.bottom - PAGE.top - 40
    const [blocks, rest] = isLast && !whole ? cutBeforeEnd(clause.blocks) : [clause.blocks, []]
    kit.space(4)
    const follow = whole ? withEnd(clause.blocks) : kit.together(blocks, 0, body)
    kit.heading(`${i + 1}. ${clause.title}`, 'H3', { size: 9.5, cut: 'bold' }, follow)
    kit.blocks(blocks, body)
    if (rest.length === 0) continue
    kit.room(withEnd(rest))
    kit.blocks(rest, body)
  }
  signatureBlocks(kit, speech, data)
  if (data.signatures.length > 0) evidence(kit, speech, data)
  kit.space(8)
  const version = t.lease.clausesVersion(data.clausesVersion)
  kit.text(`${t.lease.disclaimer} ${version}.`, { size: 7.5, color: SOFT })
  sealBox(kit, speech, seal)
  closing(kit, speech, `${number} – ${shortened(data.tenant.name || t.tenant, 40)}`, seal, t.lease.initials)
  return kit.finish()
}

/** What stands before the last sentences of a text, and these. */
function cutBeforeEnd(blocks: readonly Block[]): [Block[], Block[]] {
  const last = blocks.at(-1)
  const { text = '', ...style } = last?.runs.at(-1) ?? {}
  const before = text.slice(0, -LAST_WORDS)
  const at = Math.max(before.lastIndexOf('. ') + 1, 0) || before.lastIndexOf(' ')
  if (!last || at <= 0) return [blocks.slice(0, -1), blocks.slice(-1)]
  const head = [...last.runs.slice(0, -1), { ...style, text: text.slice(0, at) }]
  return [
    [...blocks.slice(0, -1), { ...last, runs: head }],
    [{ kind: 'paragraph', runs: [{ ...style, text: text.slice(at + 1) }] }],
  ]
}

/** Who signs beside landlord and tenant. */
const othersOf = ({ coTenants = [], guarantors = [] }: LeaseData) => [
  ...coTenants.map((party) => ({ role: 'coTenant', party }) as const),
  ...guarantors.map((party) => ({ role: 'guarantor', party }) as const),
]
const namesOf = (parties: readonly Party[]): string => parties.map(({ name }) => name).join(', ')

function termRows({ t, ...speech }: Speech, data: LeaseData): [string, string][] {
  const { lease } = t
  const money = (amount: number): string => `${speech.money(amount)}\n${moneyInWords(amount, data.locale)}`
  return [
    [lease.premises, premisesText({ t, ...speech }, data.premises)],
    [lease.start, speech.date(data.startDate)],
    [lease.term, data.endDate === undefined ? lease.openEnded : lease.until(speech.date(data.endDate))],
    ...(data.endDate === undefined
      ? []
      : [[lease.renewal, data.autoRenew ? lease.renews : lease.renewsNot] as [string, string]]),
    [data.tvaBasisPoints > 0 ? lease.netRent : lease.rent, money(data.rentAmount)],
    ...tvaRows({ t, ...speech }, data),
    ...(data.tvaBasisPoints === 0 ? [] : [[lease.gross, money(data.grossAmount)] as [string, string]]),
    [lease.due, data.dueDay === undefined ? lease.dueDefault : lease.dueDay(data.dueDay)],
    [lease.deposit, data.depositAmount === undefined ? t.notAgreed : money(data.depositAmount)],
    [lease.notice, data.noticeMonths === undefined ? t.notAgreed : lease.months(data.noticeMonths)],
    ...(data.coTenants ? [[lease.together, lease.jointly(namesOf(data.coTenants))] as [string, string]] : []),
    ...(data.guarantors
      ? [[lease.surety, `${lease.answers(namesOf(data.guarantors))}.\n${lease.sumByHand}`] as [string, string]]
      : []),
  ]
}

const BOX = 84
/** Characters of the last clause, at least, above the signatures. */
const LAST_WORDS = 200
const BOX_GAP = 8
/** Points from the last clause to the end of the paper, but for the evidence. */
const endHeight = (data: LeaseData): number => {
  const more = Math.ceil(othersOf(data).length / 2) * (BOX + BOX_GAP)
  return 60 + more + (data.signatures.length > 0 ? BOX : 2 * BOX + BOX_GAP + 40 + SEAL + 30)
}

/** Room to sign by hand, kept on one page; or that both agreed electronically. */
function signatureBlocks(kit: Kit, { t, ...speech }: Speech, data: LeaseData): void {
  const { doc } = kit
  const { signatures, timeZone = 'UTC' } = data
  const byHand = signatures.length === 0
  kit.room(endHeight(data))
  kit.section(t.lease.signatures)
  if (byHand) {
    kit.text(t.lease.place, { size: 9 })
    kit.space(4)
    kit.text(t.lease.readAndApproved, { size: 8.5, color: SOFT })
  }
  kit.space(8)
  const gap = 14
  const width = (WIDTH - gap) / 2
  const agreed = (party: string, signerId?: string): string => {
    const signature = signatures.find((s) => s.party === party && s.signerId === signerId)
    return signature
      ? t.lease.agreedAt(`${speech.instant(signature.signedAt, timeZone)} (${offsetOf(signature.signedAt, timeZone)})`)
      : ''
  }
  const parties = [
    [t.landlord, data.agent ? `${data.landlord.name} – ${data.agent.name}` : data.landlord.name, agreed('LANDLORD')],
    [t.tenant, [data.tenant.name, data.tenant.representative?.name].filter(Boolean).join(' – '), agreed('TENANT')],
    ...othersOf(data).map(
      ({ role, party }) =>
        [t[role], party.name, agreed(role === 'coTenant' ? 'CO_TENANT' : 'GUARANTOR', party.id)] as const,
    ),
    ...(byHand ? [[t.lease.witness, '', ''] as const, [t.lease.witness, '', ''] as const] : []),
  ] as const
  const first = doc.y
  for (const [i, [role, name, note]] of parties.entries()) {
    const x = PAGE.left + (i % 2) * (width + gap)
    const y = first + Math.floor(i / 2) * (BOX + BOX_GAP)
    kit.artifact(() => doc.roundedRect(x, y, width, BOX, 4).lineWidth(0.7).strokeColor('#94a3b8').stroke())
    kit.put(kit.root, 'P', role, x + 8, y + 7, width - 16, { size: 8, cut: 'bold', color: SOFT })
    // A name of any length stays within its box.
    if (name !== '') kit.put(kit.root, 'P', shortened(name, 110), x + 8, y + 19, width - 16, { size: 9 })
    if (note !== '') kit.put(kit.root, 'P', note, x + 8, y + BOX - 18, width - 16, { size: 7.5, color: BRAND })
  }
  doc.y = first + Math.ceil(parties.length / 2) * (BOX + BOX_GAP) - BOX_GAP
  doc.x = PAGE.left
}

const ROLES = { LANDLORD: 'landlord', TENANT: 'tenant', CO_TENANT: 'coTenant', GUARANTOR: 'guarantor' } as const
/** Who agreed to which text, when and by which proof; on a page of its own where it does not fit below the signatures. */
function evidence(kit: Kit, { t, ...speech }: Speech, data: LeaseData): void {
  const { signatures, timeZone = 'UTC' } = data
  kit.room(160 + 36 * signatures.length + SEAL)
  kit.section(t.lease.evidence)
  kit.text(t.lease.evidenceLead, { size: 9 })
  kit.space(8)
  const [party = '', name = '', at = '', how = ''] = t.lease.evidenceCols
  table(
    kit,
    [
      { label: party, share: 0.14 },
      { label: name, share: 0.32 },
      { label: at, share: 0.28 },
      { label: how, share: 0.26 },
    ],
    signatures.map((s) => ({
      cells: [
        t[ROLES[s.party]],
        s.onBehalfOf !== undefined
          ? `${s.name}\n${t.onBehalfOf(s.onBehalfOf)}`
          : s.party === 'TENANT' && data.tenant.representative
            ? `${s.name}\n${t.forCompany(data.tenant.name)}`
            : s.name,
        speech.instant(s.signedAt, timeZone),
        s.evidence,
      ],
    })),
  )
  const [first] = signatures
  kit.space(8)
  if (first) kit.text(t.lease.zone(timeZone, offsetOf(first.signedAt, timeZone)), { size: 8 })
  const { signedSha256, signedNumber, signedLayout = 0, clausesVersion } = data
  if (signedSha256 !== undefined) kit.text(t.named(t.lease.signedText, signedSha256), { size: 8 })
  if (signedNumber !== undefined) {
    const of = [t.lease.number(signedNumber), `PDF v${signedLayout}`, t.lease.clausesVersion(clausesVersion)]
    kit.text(of.join(' – '), { size: 8 })
  }
}
