import { isPersonal } from '../../db/erasure.ts'
import type { MemberChange } from '../../db/schema/operations.ts'
import { maskNumber } from '../core/phone.ts'

type Row = Readonly<Record<string, unknown>>

/** What follows from an update or from another member. */
const ALWAYS = new Set(['version', 'updatedAt', 'payToChangedAt'])
/** Tables whose rows the trail calls by another word. */
const TABLES: Readonly<Record<string, string>> = { user: 'app_user', verification: 'verification_case' }
/** Members whose text is the number of a person: a phone, an account, an identity paper, a taxpayer. */
const NUMBER = /^number$|phone|niu$|idNumber|account/i
/** Names of persons on the rows of others, which an erasure leaves alone. */
const NAME = /^(tenant|full|signed|representative)Name$/
/** Characters of a value that the trail keeps: the clauses of a lease are long. */
const LONGEST = 500

/** `Ngo Bassa` as `N… B…`: enough to see that another person stands there. */
const initials = (text: string): string => text.replace(/\S+/gu, (word) => `${[...word][0]}…`)

function redacted(value: unknown, member: string, personal: boolean): unknown {
  if (typeof value === 'string') {
    if (NUMBER.test(member)) return maskNumber(value)
    if (personal) return initials(value).slice(0, LONGEST)
    return value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value
  }
  if (value === null || typeof value !== 'object') return value
  const each = Object.entries(value).map(([name, one]) => [
    name,
    redacted(one, Array.isArray(value) ? member : name, personal),
  ])
  return Array.isArray(value) ? each.map(([, one]) => one) : Object.fromEntries(each)
}

/**
 * The members in which two states of a row differ, with both values. Numbers of persons are masked, and so is what an
 * erasure takes away: the trail stays when a person's data go.
 */
export function changedMembers(type: string, before: Row, after: Row): readonly MemberChange[] {
  const table = TABLES[type] ?? type
  const value = (row: Row, member: string): unknown => {
    const all = redacted(row[member] ?? undefined, member, NAME.test(member) || isPersonal(table, member))
    return typeof all === 'object' && JSON.stringify(all).length > LONGEST ? '…' : all
  }
  return Object.keys(after)
    .filter(
      (member) =>
        !ALWAYS.has(member) && JSON.stringify(before[member] ?? null) !== JSON.stringify(after[member] ?? null),
    )
    .map((member) => ({ member, before: value(before, member), after: value(after, member) }))
}
