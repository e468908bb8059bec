// The fee of a property's management, as a form holds it: the one in force last, or a new one from a day on.
import type { Schemas } from '../../../shared/api.ts'
import { today } from '../../../shared/dates.ts'
import { integer } from '../../../shared/form.svelte.ts'
import { bilingual } from '../../../shared/words.svelte.ts'

type Fee = NonNullable<Schemas['Property']['managementFees']>[number]
type FeeInput = NonNullable<NonNullable<Schemas['PropertyPatch']['managementFees']>>[number]
const percent = (basisPoints: number): string => String(basisPoints / 100).replace('.', ',')

export const feeValues = (fees: readonly Fee[] = []) => {
  const last = fees.at(-1)
  return {
    feeKind: (last?.basisPoints ? 'PERCENT' : last?.monthlyAmount ? 'MONTHLY' : '') as string,
    feePercent: last?.basisPoints ? percent(last.basisPoints) : '',
    feeMonthly: last?.monthlyAmount ? String(last.monthlyAmount) : '',
    feeFrom: last?.from ?? `${today().slice(0, 8)}01`,
  }
}
export type FeeValues = ReturnType<typeof feeValues>

/** All fees, with what the form says from its day on; those of later days are gone. Undefined where nothing changed. */
export function feesBody(values: FeeValues, fees: readonly Fee[] = []): FeeInput[] | undefined {
  const before = feeValues(fees)
  const { feeKind, feePercent, feeMonthly, feeFrom } = values
  if ((Object.keys(before) as (keyof FeeValues)[]).every((key) => before[key] === values[key])) return undefined
  const earlier = fees.filter(({ from }) => from < feeFrom)
  if (feeKind === 'PERCENT')
    return [...earlier, { from: feeFrom, basisPoints: Math.round(Number(feePercent.replace(',', '.')) * 100) }]
  if (feeKind === 'MONTHLY') return [...earlier, { from: feeFrom, monthlyAmount: integer(feeMonthly) }]
  return earlier.length === 0 ? [] : [...earlier, { from: feeFrom, monthlyAmount: 0 }]
}

export const words = bilingual(
  {
    title: 'Honoraires de gestion',
    hint: 'Ce que la gestion prend sur ce bien. Ils figurent au relevé du propriétaire, avec la TVA si l’organisation y est assujettie.',
    kind: 'Calcul',
    kinds: { '': 'Aucun', PERCENT: 'Part de ce qui est reçu', MONTHLY: 'Montant par mois' },
    percent: 'Pour cent de ce qui est reçu',
    monthly: 'Par mois, hors taxe',
    from: 'À partir du',
  },
  {
    title: 'Management fee',
    hint: 'What the management takes on this property. It stands in the owner’s statement, with VAT where the organization is registered.',
    kind: 'Reckoned as',
    kinds: { '': 'None', PERCENT: 'Part of what is received', MONTHLY: 'Amount a month' },
    percent: 'Per cent of what is received',
    monthly: 'A month, net',
    from: 'From',
  },
)
