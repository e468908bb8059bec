import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../../../db/open.ts'
import type { LeaseData } from '../../../adapters/pdf/port.ts'
import { record } from '../../../changes/record.ts'
import type { Ctx } from '../../../context.ts'
import { CLAUSE_VERSIONS, CLAUSES } from '../../../core/budgets.ts'
import { countryOf, HOME_COUNTRY } from '../../../core/countries/countries.ts'
import { formatDate } from '../../../core/dates.ts'
import { formatMoney, tvaAmount } from '../../../core/money.ts'
import { moneyInWords } from '../../../core/numbers-in-words.ts'
import { formatPhone } from '../../../core/phone.ts'
import { standardTva } from '../../../core/tva.ts'
import { AppError, type FieldError, invalid } from '../../../errors.ts'
import { findOrganization } from '../../people/organizations/store.ts'
import { compose, type LeaseKind, sizeOf, unknownPlaceholders, type Values } from './rules.ts'
import { insertTemplate, latestTemplate } from './store.ts'
import { type Clause, clausesIn, WORDS } from './texts.ts'

export type Clauses = { readonly kind: LeaseKind; readonly version: number; readonly clauses: readonly Clause[] }
type Stored = Clauses & { readonly createdAt?: string }

/** The clauses in force: the organization's own, else those that come with the program (version 0). */
export function clausesOf(db: Db, orgId: string, kind: LeaseKind): Stored {
  const row = latestTemplate(db).get({ orgId, kind })
  if (row) return { kind, version: row.version, clauses: row.clauses, createdAt: row.createdAt }
  return {
    kind,
    version: 0,
    clauses: clausesIn(countryOf(findOrganization(db, orgId)?.country ?? HOME_COUNTRY.code))[kind],
  }
}

/** @throws validation_failed, with the name of each unknown placeholder, or where the paper would become too long */
export function checkClauses(clauses: readonly Clause[]): void {
  for (const locale of ['fr', 'en'] as const) {
    const { paragraphs, placeholders } = sizeOf(clauses.flatMap((c) => [c[`title_${locale}`], c[`body_${locale}`]]))
    if (paragraphs > CLAUSES.paragraphs)
      throw invalid(
        '/clauses',
        `The clauses have more than ${CLAUSES.paragraphs} paragraphs and entries of lists together. Shorten them.`,
        `Les clauses ont plus de ${CLAUSES.paragraphs} paragraphes et points de liste en tout. Abrégez-les.`,
      )
    if (placeholders > CLAUSES.placeholders)
      throw invalid(
        '/clauses',
        `The clauses have more than ${CLAUSES.placeholders} placeholders together. Use fewer.`,
        `Les clauses ont plus de ${CLAUSES.placeholders} champs en tout. Utilisez-en moins.`,
      )
  }
  const errors: FieldError[] = []
  for (const [i, clause] of clauses.entries())
    for (const member of ['title_fr', 'body_fr', 'title_en', 'body_en'] as const)
      for (const name of unknownPlaceholders(clause[member]))
        errors.push({
          path: `/clauses/${i}/${member}`,
          message:
            name === ''
              ? { en: 'A brace opens or closes nothing.', fr: 'Une accolade n’ouvre ou ne ferme rien.' }
              : { en: `There is no placeholder {{${name}}}.`, fr: `Il n’y a pas de champ {{${name}}}.` },
        })
  if (errors.length > 0) throw new AppError('validation_failed', undefined, { errors: errors.slice(0, 20) })
}

/** Saves the next version of an organization's clauses; unchanged clauses make no new version. */
export function putClauses(ctx: Ctx, kind: LeaseKind, clauses: readonly Clause[]): Stored {
  const before = clausesOf(ctx.tx, ctx.caller.orgId, kind)
  checkClauses(clauses)
  if (isDeepStrictEqual(clauses, before.clauses)) return before
  if (before.version >= CLAUSE_VERSIONS)
    throw new AppError('quota_exceeded', {
      en: `The clauses have been changed ${CLAUSE_VERSIONS} times, which is the maximum. Ask the operator of this server.`,
      fr: `Les clauses ont été modifiées ${CLAUSE_VERSIONS} fois, le maximum. Adressez-vous à l’exploitant de ce serveur.`,
    })
  const version = before.version + 1
  const { orgId, userId } = ctx.caller
  insertTemplate(ctx.tx, { orgId, kind, version, clauses, createdBy: userId, createdAt: ctx.now })
  const subject = (v: number, list: readonly Clause[]) => ({ id: kind, version: v, clauses: list })
  record(ctx, 'lease_template.update', {
    type: 'lease_template',
    before: subject(before.version, before.clauses),
    after: subject(version, clauses),
    details: { kind, version },
  })
  return { kind, version, clauses, createdAt: ctx.now }
}

type Lease = Omit<LeaseData, 'clauses' | 'clausesVersion'>
/** What a lease puts in the place of each placeholder, in its language. */
function valuesOf(lease: Lease): Values {
  const { locale, premises } = lease
  const t = WORDS[locale]
  const date = (d: string): string => formatDate(d, locale)
  const money = (n: number | undefined): string | undefined => (n === undefined ? undefined : formatMoney(n, locale))
  const words = (n: number | undefined): string | undefined => (n === undefined ? undefined : moneyInWords(n, locale))
  const phone = (n: string | undefined): string | undefined => (n === undefined ? undefined : formatPhone(n))
  const rate = String(lease.tvaBasisPoints / 100).replace('.', locale === 'fr' ? ',' : '.')
  return {
    landlord: lease.landlord.name,
    landlordPhone: phone((lease.agent ?? lease.landlord).phoneNumber ?? lease.landlord.phoneNumber),
    agent: lease.agent?.name,
    tenant: lease.tenant.name,
    tenantPhone: phone(lease.tenant.phoneNumber),
    tenantAddress: lease.tenant.address,
    property: premises.propertyName,
    unit: premises.unitLabel,
    address: [premises.addressLine, premises.quartier].filter((s) => s !== undefined).join(', '),
    city: premises.city,
    region: premises.province,
    area:
      premises.areaSqm === undefined
        ? undefined
        : `${String(premises.areaSqm).replace('.', locale === 'fr' ? ',' : '.')} m²`,
    startDate: date(lease.startDate),
    endDate: lease.endDate === undefined ? t.openEnded : date(lease.endDate),
    term: lease.endDate === undefined ? t.openEnded : t.until(date(lease.endDate)),
    renewal: lease.endDate === undefined ? t.endless : lease.autoRenew ? t.renews : t.renewsNot,
    rent: money(lease.rentAmount),
    rentInWords: words(lease.rentAmount),
    tva:
      lease.tvaBasisPoints === 0 ? (lease.tvaRegistered ? t.exempt : t.noTva) : `${rate}${locale === 'fr' ? ' ' : ''}%`,
    rentGross: money(lease.grossAmount),
    dueDay: lease.dueDay === undefined ? t.dueDefault : t.dueDay(lease.dueDay),
    deposit: money(lease.depositAmount),
    depositInWords: words(lease.depositAmount),
    notice: lease.noticeMonths === undefined ? undefined : t.months(lease.noticeMonths),
    trade: lease.trade,
    review: lease.reviewClause && t.review(lease.reviewClause.formula, date(lease.reviewClause.from)),
  }
}

/** A lease with its clauses in its own language, every placeholder filled. */
export function withClauses(lease: Lease, { version, clauses }: Pick<Clauses, 'version' | 'clauses'>): LeaseData {
  const { locale } = lease
  const values = valuesOf(lease)
  const missing = WORDS[locale]
  return {
    ...lease,
    clausesVersion: version,
    clauses: clauses.map((c) => ({
      title: compose(c[`title_${locale}`], values, missing)
        .flatMap((b) => b.runs.map((r) => r.text))
        .join(' '),
      blocks: compose(c[`body_${locale}`], values, missing),
    })),
  }
}

/** An invented lease of a kind, with the given clauses. */
export function previewLease(
  kind: LeaseKind,
  locale: 'fr' | 'en',
  clauses: Pick<Clauses, 'version' | 'clauses'>,
): LeaseData {
  const home = kind === 'HOME'
  const rentAmount = home ? 85_000 : 250_000
  const tvaBasisPoints = home ? 0 : standardTva(HOME_COUNTRY, '')
  const tva = tvaAmount(rentAmount, tvaBasisPoints)
  const { premises, ...people } = WORDS[locale].sample
  return withClauses(
    {
      ...people,
      premises: { ...premises, type: home ? 'APARTMENT' : 'OFFICE' },
      locale,
      number: 'L-0000-000000',
      issuedOn: '2026-01-01',
      use: kind,
      stage: 'PROPOSED',
      startDate: '2026-01-01',
      endDate: '2026-12-31',
      autoRenew: home,
      rentAmount,
      tvaBasisPoints,
      tvaAmount: tva,
      grossAmount: rentAmount + tva,
      depositAmount: 2 * rentAmount,
      dueDay: 5,
      signatures: [],
    },
    clauses,
  )
}
