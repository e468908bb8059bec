import { moneyInWords } from '../../core/words.ts'
import { createKit, type Kit } from './kit.ts'
import { closing, masthead, partyLines, premisesText, type Speech, sealBox, speak } from './parts.ts'
import type { LeaseData, Seal } from './port.ts'
import { PAGE, SOFT, WIDTH } from './style.ts'
import { columns, table } from './tables.ts'

/** A lease: parties, particular terms, clauses, signatures, and the evidence of an electronic agreement. */
export function drawLease(data: LeaseData, seal: Seal): Promise<Uint8Array<ArrayBuffer>> {
  const speech = speak(data.locale)
  const { t } = speech
  const title = t.lease.title[data.use]
  const number = t.lease.number(data.number)
  const kit = createKit({ title: `${title} – ${data.number}`, locale: data.locale, issuedOn: data.issuedOn })
  masthead(kit, speech, { title, number, from: data.agent ?? data.landlord, issuedOn: data.issuedOn })
  kit.text(t.lease.stages[data.stage], { size: 9.5, color: SOFT })
  kit.section(t.lease.between)
  const agent = data.agent && [
    `${t.agent} ${data.agent.name}`,
    ...partyLines(speech, '', data.agent)
      .slice(2)
      .map((run) => run.text),
  ]
  columns(kit, [partyLines(speech, t.landlord, data.landlord, agent), partyLines(speech, t.tenant, data.tenant)])
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
  for (const [i, clause] of data.clauses.entries()) {
    kit.space(4)
    kit.heading(`${i + 1}. ${clause.title}`, 'H3', { size: 9.5, cut: 'bold' })
    kit.blocks(clause.blocks, { size: 9 })
  }
  signatureBlocks(kit, speech, data)
  if (data.signatures.length > 0) evidence(kit, speech, data)
  kit.space(8)
  kit.text(`${t.lease.disclaimer} ${t.lease.clausesVersion(data.clausesVersion)}.`, { size: 7.5, color: SOFT })
  sealBox(kit, speech, seal)
  closing(kit, speech, `${number} – ${data.tenant.name.slice(0, 40)}`, seal, t.lease.initials)
  return kit.finish()
}

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
    [lease.rent, money(data.rentAmount)],
    [
      lease.tva,
      data.tvaBasisPoints === 0
        ? t.exempt
        : `${lease.rate(speech.rate(data.tvaBasisPoints))} : ${speech.money(data.tvaAmount)}`,
    ],
    ...(data.tvaBasisPoints === 0 ? [] : [[lease.gross, money(data.grossAmount)] as [string, string]]),
    [lease.due, data.dueDay === undefined ? lease.dueDefault : lease.dueDay(data.dueDay)],
    [lease.deposit, data.depositAmount === undefined ? t.notAgreed : money(data.depositAmount)],
    [lease.notice, data.noticeMonths === undefined ? t.notAgreed : lease.months(data.noticeMonths)],
  ]
}

/** Room to sign by hand: kept on one page. */
function signatureBlocks(kit: Kit, { t }: Speech, data: LeaseData): void {
  const { doc } = kit
  const box = 86
  kit.room(box * 2 + 90)
  kit.section(t.lease.signatures)
  kit.text(t.lease.place, { size: 9 })
  kit.space(4)
  kit.text(t.lease.readAndApproved, { size: 8.5, color: SOFT })
  kit.space(8)
  const gap = 14
  const width = (WIDTH - gap) / 2
  const parties = [
    [t.landlord, data.agent ? `${data.landlord.name} – ${data.agent.name}` : data.landlord.name],
    [t.tenant, data.tenant.name],
    [t.lease.witness, ''],
    [t.lease.witness, ''],
  ] as const
  const first = doc.y
  for (const [i, [role, name]] of parties.entries()) {
    const x = PAGE.left + (i % 2) * (width + gap)
    const y = first + Math.floor(i / 2) * (box + 8)
    kit.artifact(() => doc.roundedRect(x, y, width, box, 4).lineWidth(0.7).strokeColor('#94a3b8').stroke())
    kit.put(kit.root, 'P', role, x + 8, y + 7, width - 16, { size: 8, cut: 'bold', color: SOFT })
    // A name of any length stays within its box.
    const shown = name.length > 110 ? `${[...name].slice(0, 110).join('')}…` : name
    if (shown !== '') kit.put(kit.root, 'P', shown, x + 8, y + 19, width - 16, { size: 9 })
  }
  doc.y = first + 2 * box + 8
  doc.x = PAGE.left
}

function evidence(kit: Kit, { t, ...speech }: Speech, data: LeaseData): void {
  kit.doc.addPage()
  kit.heading(t.lease.evidence, 'H2', { size: 13, cut: 'bold' })
  kit.space(4)
  kit.text(t.lease.evidenceLead, { size: 9 })
  kit.space(8)
  const [party = '', name = '', at = '', how = ''] = t.lease.evidenceCols
  table(
    kit,
    [
      { label: party, share: 0.15 },
      { label: name, share: 0.33 },
      { label: at, share: 0.26 },
      { label: how, share: 0.26 },
    ],
    data.signatures.map((s) => ({
      cells: [
        s.party === 'LANDLORD' ? t.landlord : t.tenant,
        s.onBehalfOf === undefined ? s.name : `${s.name}\n${t.onBehalfOf(s.onBehalfOf)}`,
        `${speech.date(s.signedAt.slice(0, 10))}\n${s.signedAt.slice(11, 19)}`,
        s.evidence,
      ],
    })),
  )
  if (data.signedSha256 !== undefined) {
    kit.space(8)
    kit.text(`${t.lease.signedText} ${data.signedSha256}`, { size: 8 })
    const { signedNumber, signedLayout = 0, clausesVersion } = data
    if (signedNumber !== undefined) {
      const of = [t.lease.number(signedNumber), `PDF v${signedLayout}`, t.lease.clausesVersion(clausesVersion)]
      kit.text(of.join(' – '), { size: 8 })
    }
  }
}
