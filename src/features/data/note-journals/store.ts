import { and, asc, eq, type SQLWrapper, sql } from 'drizzle-orm'
import { writing } from '../../../../db/json.ts'
import { type Seen, seenBy } from '../../../../db/matching.ts'
import { query } from '../../../../db/query.ts'
import { creditNote, invoice } from '../../../../db/schema/invoices.ts'

const MOST_NOTES = 500
const SEEN = seenBy(invoice)
type Place = { readonly [N in 'orgId' | 'from' | 'after']: SQLWrapper }
/** After a place in the order of the days. */
const within = (p: Place, day: SQLWrapper) =>
  and(eq(creditNote.orgId, p.orgId), sql`(${day}, ${creditNote.id}) > (${p.from}, ${p.after})`)
/** Credit notes of a time that a caller sees, with their invoices; `withdrawn`: by the day on which they were taken back. */
const notesBy = (name: string, withdrawn: boolean, seen: Seen) => {
  const day = withdrawn ? creditNote.withdrawnOn : creditNote.issuedOn
  const signed = (of: SQLWrapper) => (withdrawn ? sql`${of}` : sql`-${of}`)
  const [net, tva, gross] = [signed(creditNote.netAmount), signed(creditNote.tvaAmount), signed(creditNote.grossAmount)]
  const stand = { standingNetAmount: net, standingTvaAmount: tva, standingGrossAmount: gross }
  return writing(name, ['orgId', 'of', 'from', 'after', 'to', 'until', 'nius'], (p) => ({
    members: {
      kind: ['word', withdrawn ? sql`'CREDIT_NOTE_WITHDRAWN'` : sql`'CREDIT_NOTE'`],
      creditNoteNumber: ['text', creditNote.number],
      invoiceId: ['word', invoice.id],
      invoiceNumber: ['text', invoice.number],
      issuedOn: ['word', day],
      propertyId: ['word', invoice.propertyId],
      propertyName: ['text', invoice.propertyName],
      unitLabel: ['text', invoice.unitLabel],
      tenantName: ['text', invoice.tenantName],
      tenantNiu: ['maybe', sql`(${p.nius} ->> ('$.' || json_quote(${invoice.tenantId})))`],
      periodStart: ['word', invoice.periodStart],
      periodEnd: ['word', invoice.periodEnd],
      netAmount: ['number', net],
      tvaBasisPoints: ['number', creditNote.tvaBasisPoints],
      tvaAmount: ['number', tva],
      grossAmount: ['number', gross],
      status: ['word', invoice.status],
      creditedAmount: ['number', sql`0`],
      standingNetAmount: ['number', net],
      standingTvaAmount: ['number', tva],
      standingGrossAmount: ['number', gross],
    },
    sums: { netAmount: net, tvaAmount: tva, grossAmount: gross, creditedAmount: sql`0`, ...stand },
    from: sql`from ${creditNote} cross join ${invoice} where ${and(
      within(p, day),
      sql`(${day}, ${creditNote.id}) <= (${p.to}, ${p.until})`,
      eq(invoice.orgId, creditNote.orgId),
      eq(invoice.id, creditNote.invoiceId),
      seen?.(p.of),
    )}`,
  }))
}
const lastNote = (name: string, withdrawn: boolean) => {
  const day = withdrawn ? creditNote.withdrawnOn : creditNote.issuedOn
  return query(name, ['orgId', 'from', 'after', 'to'], (db, p) =>
    db
      .select({ from: sql<string>`${day}`, after: creditNote.id })
      .from(creditNote)
      .where(and(within(p, day), sql`${day} <= ${p.to}`))
      .orderBy(asc(day), asc(creditNote.id))
      .limit(1)
      .offset(MOST_NOTES - 1),
  )
}
const notesOf = (withdrawn: boolean, name: string) => ({
  until: lastNote(`${name}.until`, withdrawn),
  all: notesBy(name, withdrawn, SEEN.all),
  owner: notesBy(`${name}OfOwner`, withdrawn, SEEN.owner),
  limited: notesBy(`${name}OfManaged`, withdrawn, SEEN.limited),
  property: notesBy(`${name}OfProperty`, withdrawn, SEEN.property),
})
/** Credit notes by the day on which they were issued, and by that on which they were withdrawn. */
export const noteJournals = [notesOf(false, 'report.notes'), notesOf(true, 'report.withdrawn')]
