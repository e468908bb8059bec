// The lists of what properties cost, and of what their owners were handed.
import type { List, Name } from './lists.ts'

const LANDLORDS: Name[] = ['ana', 'eve', 'mia', 'ada']
export const COST_LISTS: List[] = [
  {
    line: 'GET /api/v1/expenses',
    table: 'expense',
    who: LANDLORDS,
    owner: 'owner_user_id = ?',
    filters: (w, f) => [
      [`propertyId=${w.hers.property}`, 'property_id = ?', [w.hers.property]],
      [`unitId=${w.units.OCCUPIED}`, '0'],
      ['kind=WATER', '1'],
      ['kind=TAX', '0'],
      ['paidBy=OWNER', "paid_by = 'OWNER'"],
      ['status=CANCELLED', '0'],
      ['status=RECORDED&paidBy=MANAGEMENT', "paid_by = 'MANAGEMENT'"],
      ['q=vill', "property_id in (select id from property where name like '%vill%')"],
      ['from=2026-03-05&to=2026-03-05', '1'],
      ['to=2026-03-04', '0'],
      ['toCharge=true', '0'],
      ['toCharge=false', '1'],
      [`propertyId=${f.properties.PUBLISHED}`, '0'],
    ],
  },
  {
    line: 'GET /api/v1/owner-transfers',
    table: 'owner_transfer',
    who: LANDLORDS,
    owner: 'owner_user_id = ?',
    filters: (w, f) => [
      [`propertyId=${w.hers.property}`, 'property_id = ?', [w.hers.property]],
      ['status=RECORDED', '1'],
      ['status=CANCELLED', '0'],
      ['from=2026-03-09&to=2026-03-09', '1'],
      ['from=2026-03-10', '0'],
      [`propertyId=${f.properties.PUBLISHED}`, '0'],
    ],
  },
  {
    line: 'GET /api/v1/meters',
    table: 'meter',
    who: LANDLORDS,
    owner: 'owner_user_id = ?',
    filters: (w, f) => [
      [`propertyId=${w.hers.property}`, 'property_id = ?', [w.hers.property]],
      [`unitId=${w.units.AVAILABLE}`, 'unit_id = ?', [w.units.AVAILABLE]],
      ['kind=WATER', '1'],
      ['kind=POWER', '0'],
      ['retired=true', '0'],
      ['retired=false&kind=WATER', '1'],
      [`propertyId=${f.properties.PUBLISHED}`, '0'],
    ],
  },
  {
    line: 'GET /api/v1/meter-readings',
    table: 'meter_reading',
    who: LANDLORDS,
    owner: 'owner_user_id = ?',
    filters: (w, f) => [
      [`propertyId=${w.hers.property}`, 'property_id = ?', [w.hers.property]],
      [`unitId=${w.units.AVAILABLE}`, 'unit_id = ?', [w.units.AVAILABLE]],
      [`meterId=${w.meters.OURS}`, 'meter_id = ?', [w.meters.OURS]],
      ['status=RECORDED', '1'],
      ['status=CANCELLED', '0'],
      ['from=2026-03-05&to=2026-03-05', '1'],
      ['to=2026-03-04', '0'],
      [`propertyId=${f.properties.PUBLISHED}`, '0'],
    ],
  },
  {
    line: 'GET /api/v1/regularisations',
    table: 'regularisation',
    who: LANDLORDS,
    owner: 'owner_user_id = ?',
    filters: (w, f) => [
      [`propertyId=${w.hers.property}`, 'property_id = ?', [w.hers.property]],
      ['status=ISSUED', '1'],
      ['status=CANCELLED', '0'],
      [`propertyId=${f.properties.PUBLISHED}`, '0'],
    ],
  },
]
