import { localDate } from '../../../core/dates.ts'
import { tvaAmount } from '../../../core/money.ts'
import { tvaOn } from '../../../core/tva.ts'
import type { Deps } from '../../../deps.ts'
import { findOrganization } from '../../people/organizations/store.ts'
import { defaultTva } from '../../property/properties/rules.ts'
import { photosOfHome, publishedProperty, type VacantUnit, vacantUnits } from './store.ts'

/** What one page shows at most. */
const UNITS_SHOWN = 60
const PHOTOS_SHOWN = 24
/** WhatsApp shows no preview picture larger than this, in bytes. */
const PREVIEW_BYTES = 500_000

const names = new Intl.Collator('fr', { numeric: true })

/** The public facts of a published property: vacant units, photos, and the name of the organization. No person is named. */
export function vacancyOf({ db, clock }: Pick<Deps, 'db' | 'clock'>, id: string) {
  const home = publishedProperty(db).get({ id })
  if (!home) return undefined
  const all = vacantUnits(db, home.orgId, id).sort((a, b) => names.compare(a.label, b.label))
  const units: VacantUnit[] = all.slice(0, UNITS_SHOWN)
  const owners = [id, ...units.map((unit) => unit.id)]
  const last = Number.POSITIVE_INFINITY
  const photos = photosOfHome(db, home.orgId, owners)
    .sort(
      (a, b) =>
        owners.indexOf(a.ownerId) - owners.indexOf(b.ownerId) ||
        (a.position === b.position ? 0 : (a.position ?? last) - (b.position ?? last)) ||
        (a.id < b.id ? -1 : 1),
    )
    .slice(0, PHOTOS_SHOWN)
  const org = findOrganization(db, home.orgId)
  const rate = org ? tvaOn(org, localDate(clock.now(), org.timeZone)) : 0
  /** What a month costs, with the VAT that a new lease would bear. */
  const payable = ({ rentAmount, type }: VacantUnit): number | null =>
    rentAmount && rentAmount + tvaAmount(rentAmount, defaultTva(type ?? home.type, rate))
  const rents = all.flatMap((unit) => payable(unit) ?? [])
  const [cover] = photos
  // Previews take JPEG everywhere; a thumbnail is WebP, and small.
  const whole = cover && cover.contentType !== 'image/webp' && cover.sizeBytes <= PREVIEW_BYTES
  return {
    ...home,
    letBy: org?.name ?? undefined,
    units: units.map((unit) => ({ ...unit, payableAmount: payable(unit) })),
    vacant: all.length,
    lowestRent: rents.length > 0 ? Math.min(...rents) : undefined,
    photos: photos.map((photo) => ({
      id: photo.id,
      label: units.find((unit) => unit.id === photo.ownerId)?.label,
    })),
    cover: cover && { id: cover.id, type: whole ? cover.contentType : 'image/webp', whole },
  }
}
