// An organization's settings: who may change them, and what each takes.
import { expect, test } from 'bun:test'
import { type Person, premises, scenario, stage } from '../../../support/scenario.ts'

scenario('an organization’s settings: administrators only, one change at a time', { given: premises() }, [
  [
    'ada',
    'PATCH /admin/organization',
    { dueDay: 5, reminderSchedule: [-3, 0, 5] },
    200,
    { dueDay: 5, reminderSchedule: [-3, 0, 5] },
    { audit: 'organization.update' },
  ],
  ['ada', 'PATCH /admin/organization', { dueDay: 5 }, 200, { dueDay: 5 }],
  ['ada', 'PATCH /admin/organization', { dueDay: null }, 200, {}, { audit: 'organization.update', lacks: ['dueDay'] }],
  ['ada', 'PATCH /admin/organization', { issueDaysBefore: 31 }, 422],
  ['mia', 'PATCH /admin/organization', { dueDay: 5 }, 403],
  ['ana', 'GET /admin/organization', undefined, 403],
  // Every other setting of decisions section 6, set, cleared and refused.
  [
    'ada',
    'GET /admin/organization',
    undefined,
    200,
    { tvaRegistered: false, reminderSchedule: [-3, 0, 5], quietHours: { from: '20:00', to: '07:00' } },
    { lacks: ['quietFrom', 'address'] },
  ],
  [
    'ada',
    'PATCH /admin/organization',
    { name: 'Agence Owona', address: 'Rue Joss\nAkwa', niu: 'M0123', rccm: 'RC/DLA/2019/B/1' },
    200,
    { name: 'Agence Owona', address: 'Rue Joss\nAkwa', niu: 'M0123', rccm: 'RC/DLA/2019/B/1' },
    { audit: 'organization.update' },
  ],
  [
    'ada',
    'PATCH /admin/organization',
    { tvaRegistered: true, locale: 'en', requireProof: true },
    200,
    { tvaRegistered: true, locale: 'en', requireProof: true },
    { audit: 'organization.update', jobs: 'billing.reschedule' },
  ],
  [
    'ada',
    'PATCH /admin/organization',
    { address: null, niu: null, rccm: null },
    200,
    { name: 'Agence Owona' },
    { audit: 'organization.update', lacks: ['address', 'niu', 'rccm'] },
  ],
  ['ada', 'PATCH /admin/organization', { timeZone: null }, 422],
  ['ada', 'PATCH /admin/organization', { locale: 'de' }, 422],
  [
    'ada',
    'PATCH /admin/organization',
    { reminderSchedule: [7, -5, 0, 7, -5] },
    200,
    { reminderSchedule: [-5, 0, 7] },
    { audit: 'organization.update' },
  ],
  [
    'ada',
    'PATCH /admin/organization',
    { reminderSchedule: [] },
    200,
    { reminderSchedule: [] },
    { audit: 'organization.update' },
  ],
  [
    'ada',
    'PATCH /admin/organization',
    { reminderSchedule: null },
    200,
    { reminderSchedule: [-3, 0, 3, 7, 15] },
    { audit: 'organization.update' },
  ],
  ['ada', 'PATCH /admin/organization', { reminderSchedule: [-31] }, 422],
  ['ada', 'PATCH /admin/organization', { reminderSchedule: [91] }, 422],
  ['ada', 'PATCH /admin/organization', { reminderSchedule: [0.5] }, 422],
  ['ada', 'PATCH /admin/organization', { reminderSchedule: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] }, 422],
  [
    'ada',
    'PATCH /admin/organization',
    { quietHours: { from: '21:30', to: '06:15' } },
    200,
    { quietHours: { from: '21:30', to: '06:15' } },
    { audit: 'organization.update' },
  ],
  [
    'ada',
    'PATCH /admin/organization',
    { quietHours: null },
    200,
    { quietHours: { from: '20:00', to: '07:00' } },
    { audit: 'organization.update' },
  ],
  ['ada', 'PATCH /admin/organization', { quietHours: { from: '24:00', to: '06:15' } }, 422],
  ['ada', 'PATCH /admin/organization', { quietHours: { from: '21:30' } }, 422],
  ['ada', 'PATCH /admin/organization', { quietHours: { from: '21:30', to: '06:15', days: [1] } }, 422],
  ['ada', 'PATCH /admin/organization', { quietFrom: '21:30' }, 422],
])

scenario('the law of the country: everybody reads it, and what it leaves open may be set', { given: premises() }, [
  ['ada', 'PATCH /admin/organization', { formalNoticeDays: 0 }, 422],
  ['ada', 'PATCH /admin/organization', { formalNoticeDays: 91 }, 422],
  ['mia', 'PATCH /admin/organization', { formalNoticeDays: 15 }, 403],
  [
    'ada',
    'PATCH /admin/organization',
    { formalNoticeDays: 15 },
    200,
    { formalNoticeDays: 15, country: 'CM' },
    { audit: 'organization.update' },
  ],
  ['ada', 'PATCH /admin/organization', { country: 'GA' }, 422],
])

test('the law is told in either language, with what the organization has set', async () => {
  const s = await stage({ given: premises(), settings: { formalNoticeDays: 15 } })
  const read = async (who: Person, locale: string) => (await s.ask(who, `GET /organization/law?locale=${locale}`)).body
  const fr = await read('tom', 'fr')
  const of = (law: typeof fr, rule: string) => (law.values as { rule: string }[]).filter((one) => one.rule === rule)
  expect([fr.country, fr.name, fr.currency, fr.phonePrefix, fr.today]).toEqual([
    'CM',
    'Cameroun',
    'XAF',
    '+237',
    '2026-03-10',
  ])
  expect(of(fr, 'FORMAL_NOTICE_HOME')).toEqual([
    {
      rule: 'FORMAL_NOTICE_HOME',
      name: 'Mise en demeure de payer, habitation',
      inForce: true,
      value: 8,
      unit: 'DAYS',
      source: 'Usage\u00a0; aucune loi ne le fixe',
      own: { least: 1, most: 90, value: 15 },
    },
  ] as never)
  const en = await read('ana', 'en')
  expect(of(en, 'WITHHOLDING_RENT')).toMatchObject([
    { inForce: false, value: 1500, source: 'General Tax Code, art. 87' },
    { inForce: true, from: '2026-01-01', value: 1000, source: 'General Tax Code, art. 87, finance law 2026' },
  ])
  expect(of(en, 'MANDATORY_BUSINESS')[0]).not.toHaveProperty('source')
})
