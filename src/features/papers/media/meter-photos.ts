import type { Db } from '../../../../db/open.ts'
import type { Ctx } from '../../../context.ts'
import { metered } from './store.ts'

type File = { readonly orgId: string; readonly id: string }
type Viewer = ReturnType<ReturnType<typeof metered>['all']>[number]
/** The people who may see a file, with the landlord and tenants who may see it as the photo of a meter. */
export const withMeters = <T>(db: Db, { orgId, id }: File, others: readonly T[]): readonly (T | Viewer)[] => [
  ...others,
  ...metered(db).all({ orgId, mediaObjectId: id }),
]
export const isOfMeter = ({ tx, caller: { orgId } }: Ctx, id: string): boolean =>
  metered(tx).all({ orgId, mediaObjectId: id }).length > 0
