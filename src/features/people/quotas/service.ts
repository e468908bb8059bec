import type { Ctx } from '../../../context.ts'
import { ROWS } from '../../../core/budgets.ts'
import { AppError } from '../../../errors.ts'
import { rowsCounted } from './store.ts'

export type RowKind = keyof typeof ROWS
const NAMES: Readonly<Record<RowKind, { readonly en: string; readonly fr: string }>> = {
  property: { en: 'properties', fr: 'biens' },
  unit: { en: 'units', fr: 'logements ou locaux' },
  tenant: { en: 'tenants', fr: 'locataires' },
  booking: { en: 'leases, drafts and ended ones included', fr: 'baux, brouillons et baux terminés compris' },
  money_message: { en: 'messages of payments', fr: 'messages de paiement' },
}

/** Checks that the organization may have `more` rows of a kind. @throws quota_exceeded */
export function checkRoom({ tx, caller }: Pick<Ctx, 'tx' | 'caller'>, kind: RowKind, more = 1): void {
  const most = ROWS[kind]
  const has = rowsCounted(tx).get({ orgId: caller.orgId, kind })?.n ?? 0
  if (has + more <= most) return
  const { en, fr } = NAMES[kind]
  throw new AppError('quota_exceeded', {
    en: `An organization has at most ${most} ${en}. Change those you have, or ask the operator of this server.`,
    fr: `Une organisation compte au plus ${most} ${fr}. Modifiez ceux qui existent, ou adressez-vous à l'exploitant de ce serveur.`,
  })
}
