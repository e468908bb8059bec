import type { Handlers } from '../../../jobs/worker.ts'
import { tellLandlords } from '../../people/notifications/service.ts'
import type { Telling } from '../../people/tenants/service.ts'
import { findProperty } from '../../property/properties/store.ts'
import { ofId } from './store.ts'
import { TEXTS } from './texts.ts'

/** Tells the owner of a property and the administrators of an adjustment that somebody else made. */
export const adjustmentHandlers = (deps: Telling): Handlers => ({
  'adjustment.made': async ({ id, orgId, source }) => {
    const [row] = ofId(deps.db).all({ orgId: orgId ?? '', owner: '', of: source, limit: 1 })
    const property = row && findProperty(deps.db, orgId ?? '', row.propertyId)
    if (!property || row.actorUserId === property.ownerUserId) return
    const facts = { ...row, url: `${deps.config.publicUrl}/console/adjustments` }
    await tellLandlords(deps, {
      ...{ id, orgId: property.orgId, ownerUserId: property.ownerUserId, propertyId: property.id },
      ...{ kind: 'ADJUSTMENT_MADE', by: row.actorUserId },
      say: (locale) => TEXTS[locale].adjustment(facts),
    })
  },
})
