import type { Ctx } from '../../../context.ts'
import { ROWS, ROWS_SHARE } from '../../../core/budgets.ts'
import { AppError } from '../../../errors.ts'
import { dropCount, rowsCounted, takeRows } from './store.ts'

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

type At = Pick<Ctx, 'tx' | 'caller'>
const counted = ({ tx, caller }: At, kind: string): number => rowsCounted(tx, caller.orgId, kind)?.n ?? 0

/** The counters of what one person has entered, and of all who reach a part of the organization; they never go back. */
const sharesOf = (kind: RowKind, userId: string, share: number) =>
  [
    [`${kind} ${userId}`, Math.floor(ROWS[kind] * share)],
    [`${kind} parts`, Math.floor(ROWS[kind] * ROWS_SHARE.all)],
  ] as const

function take(at: At, shares: ReturnType<typeof sharesOf>, more: number): boolean {
  const taken = (kind: string, n: number, most: number): boolean =>
    n <= most && takeRows(at.tx).get({ orgId: at.caller.orgId, kind, n, most }) !== undefined
  const [own, all] = shares
  if (!taken(own[0], more, own[1])) return false
  if (taken(all[0], more, all[1])) return true
  taken(own[0], -more, own[1])
  return false
}

/**
 * Counts rows that the caller enters. Somebody who sees only a part of the organization has a share of its rows, so
 * that they cannot use up everybody's.
 * @throws quota_exceeded
 */
function takeShare(at: At, kind: RowKind, more: number): void {
  const { scope, userId } = at.caller
  if (scope.kind === 'all' || more === 0) return
  const share = ROWS_SHARE[scope.kind === 'tenant' ? 'tenant' : 'landlord']
  if (take(at, sharesOf(kind, userId, share), more)) return
  const { en, fr } = NAMES[kind]
  throw new AppError('quota_exceeded', {
    en: `You, or those who let here together, entered as many ${en} as you may. Ask a manager of your organization.`,
    fr: `Vous, ou l’ensemble des bailleurs, avez saisi autant de ${fr} que possible. Adressez-vous à un gestionnaire de votre organisation.`,
  })
}

/** Whether the service may add a row to what a person began, counted as theirs if they reach only a part. */
export function takeRepeated(at: At, kind: RowKind, userId: string): boolean {
  if (counted(at, kind) >= ROWS[kind]) return false
  const shares = sharesOf(kind, userId, ROWS_SHARE.landlord)
  return counted(at, shares[0][0]) === 0 || take(at, shares, 1)
}

/** Deletes the counters of an erased person; what all have entered together stays counted. */
export function forgetShares({ tx, caller: { orgId } }: At, userId: string): void {
  for (const kind of Object.keys(ROWS)) dropCount(tx).run({ orgId, kind: `${kind} ${userId}` })
}

/** Checks that the organization may have `more` rows of a kind, and counts them as the caller's. @throws quota_exceeded */
export function checkRoom(at: At, kind: RowKind, more = 1): void {
  const most = ROWS[kind]
  if (counted(at, kind) + more <= most) {
    takeShare(at, kind, more)
    return
  }
  const { en, fr } = NAMES[kind]
  throw new AppError('quota_exceeded', {
    en: `An organization has at most ${most} ${en}. Change those you have, or ask the operator of this server.`,
    fr: `Une organisation compte au plus ${most} ${fr}. Modifiez ceux qui existent, ou adressez-vous à l’exploitant de ce serveur.`,
  })
}
