import type { Schemas } from '../../../shared/api.ts'
import { today } from '../../../shared/dates.ts'
import { integer, orNull } from '../../../shared/form.svelte.ts'

type Expense = Schemas['Expense']

/** An expense as its form holds it; `photo` changes with each file chosen, so that another one goes under another key. */
export const valuesOf = (one?: Expense) => ({
  amount: String(one?.amount ?? ''),
  kind: (one?.kind ?? 'REPAIR') as string,
  paidBy: (one?.paidBy ?? 'MANAGEMENT') as string,
  spentOn: one?.spentOn ?? today(),
  supplier: one?.supplier ?? '',
  note: one?.note ?? '',
  unitId: one?.unitId ?? '',
  tvaAmount: one?.tvaAmount === undefined ? '' : String(one.tvaAmount),
  chargeable: one?.chargeable ?? false,
  every: (one?.repeatEvery ?? '') as string,
  until: one?.repeatUntil ?? '',
  photo: '',
})
export type ExpenseValues = ReturnType<typeof valuesOf>

/** The body of the request from the fields; with the payer only if the person may choose it. */
export const bodyOf = (
  { amount, kind, paidBy, spentOn, supplier, note, unitId, tvaAmount, chargeable }: ExpenseValues,
  manages: boolean,
) => ({
  amount: integer(amount),
  kind: kind as Expense['kind'],
  spentOn,
  supplier: orNull(supplier),
  note: orNull(note),
  unitId: orNull(unitId),
  tvaAmount: tvaAmount === '' ? null : integer(tvaAmount),
  chargeable,
  ...(manages && { paidBy: paidBy as Expense['paidBy'] }),
})
export const repeatOf = ({ every, until }: ExpenseValues) =>
  every ? { every: every as NonNullable<Expense['repeatEvery']>, until } : null
