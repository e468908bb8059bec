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
  expense: { en: 'expenses', fr: 'dépenses' },
  owner_transfer: { en: 'transfers to owners', fr: 'versements aux propriétaires' },
  money_message: { en: 'messages of payments', fr: 'messages de paiement' },
}

const room = ({ tx, caller }: Pick<Ctx, 'tx' | 'caller'>, kind: RowKind): number =>
  ROWS[kind] - (rowsCounted(tx).get({ orgId: caller.orgId, kind })?.n ?? 0)
export const hasRoom = (ctx: Pick<Ctx, 'tx' | 'caller'>, kind: RowKind): boolean => room(ctx, kind) > 0

/** Checks that the organization may have `more` rows of a kind. @throws quota_exceeded */
export function checkRoom(ctx: Pick<Ctx, 'tx' | 'caller'>, kind: RowKind, more = 1): void {
  if (room(ctx, kind) >= more) return
  const most = ROWS[kind]
  const { en, fr } = NAMES[kind]
  throw new AppError('quota_exceeded', {
    en: `An organization has at most ${most} ${en}. Change those you have, or ask the operator of this server.`,
    fr: `Une organisation compte au plus ${most} ${fr}. Modifiez ceux qui existent, ou adressez-vous à l'exploitant de ce serveur.`,
  })
}
