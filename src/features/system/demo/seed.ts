import { logMessenger } from '../../../adapters/messaging/log.ts'
import { type Caller, type Ctx, createIdSource, scopeOf, systemCtx } from '../../../context.ts'
import { addDays, addMonths, DAY_MS, localDate, startOfDay } from '../../../core/dates.ts'
import type { Deps } from '../../../deps.ts'
import { handlers } from '../../../jobs/registry.ts'
import { createWorker } from '../../../jobs/worker.ts'
import { silentLog } from '../../../log.ts'
import type { LeasePartiesPut } from '../../lease/contracts/model.ts'
import { createBooking, moveBooking } from '../../lease/leases/service.ts'
import { putParties } from '../../lease/signing/cosigning.ts'
import { billDueBookings } from '../../money/billing/jobs.ts'
import { enterDeposit } from '../../money/deposits/service.ts'
import { repeatExpenses } from '../../money/expenses/jobs.ts'
import { markOverdueInvoices } from '../../money/invoices/jobs.ts'
import { addCharge } from '../../money/invoices/service.ts'
import { listInvoices } from '../../money/invoices/store.ts'
import { payAdvance } from '../../money/payments/advances.ts'
import { payInvoice } from '../../money/payments/service.ts'
import { addUser } from '../../people/accounts/account.ts'
import { createDispatcher } from '../../people/messages/jobs.ts'
import { updateOrganization } from '../../people/organizations/service.ts'
import { operatorOrganization } from '../../people/organizations/store.ts'
import { createTenant } from '../../people/tenants/service.ts'
import { changeUser, updateProfile } from '../../people/users/service.ts'
import { createProperty, moveProperty, updateProperty } from '../../property/properties/service.ts'
import { createUnits, updateUnit } from '../../property/units/service.ts'
import { inboxMessenger } from './messenger.ts'
import { DEMO_PASSWORD, DEMO_USERS } from './rules.ts'
import {
  showCosts,
  showEnding,
  showEntry,
  showHouses,
  showIdentity,
  showMeters,
  showRepairs,
  showTroubles,
  upload,
} from './showpieces.ts'
import { markDemo } from './store.ts'

const MONTHS = 6
/** Who signs the lease of the company beside it. */
const PARTIES: LeasePartiesPut['parties'] = [
  { role: 'CO_TENANT', fullName: 'Kamga Transit SARL', phoneNumber: '+237699000011' },
  { role: 'GUARANTOR', fullName: 'Serge Kamga', phoneNumber: '+237699000012', idType: 'NATIONAL_ID' },
]
const momo = (paidOn: string) =>
  ({ method: 'MTN_MOMO', paidOn, reference: `77${paidOn.replaceAll('-', '')}01` }) as const
const about = ({ userId }: Caller) => ({ ownerType: 'USER', ownerId: userId, kind: 'PHOTO' }) as const

/** Fills an empty database through the use cases of the API, simulating six months day by day. */
export async function seedDemo(real: Deps): Promise<void> {
  if (operatorOrganization(real.db)) return
  const { timeZone } = real.config
  const today = localDate(real.clock.now(), timeZone)
  const first = addMonths(`${today.slice(0, 7)}-01`, -MONTHS)
  const time = { now: Date.parse(`${first}T08:00:00.000Z`) }
  const base = {
    ...real,
    clock: { now: () => time.now, wall: real.clock.wall },
    newId: createIdSource(() => time.now),
    log: silentLog,
  }
  const deps: Deps = { ...base, messenger: inboxMessenger(logMessenger(silentLog), base) }

  const ids = new Map<string, string>()
  let orgId = ''
  for (const { role, ...user } of DEMO_USERS) {
    const account = await addUser(deps, {
      ...user,
      roles: [role],
      orgName: 'Agence Loyer (démonstration)',
      password: DEMO_PASSWORD,
    })
    ids.set(user.phone, account.userId)
    orgId = account.orgId
  }
  const [owner, , admin, therese, paul, jeanne, bertin] = DEMO_USERS.map(({ phone, role }): Caller => {
    const userId = ids.get(phone) ?? ''
    return { userId, orgId, roles: [role], scope: scopeOf(userId, [role]) }
  })
  if (!owner || !admin || !therese || !paul || !jeanne || !bertin) throw new Error('the demo has seven people')
  await real.write(null, (tx) =>
    markDemo(tx, { orgId, people: [...ids.values()], madeAt: real.clock.wall(), isPublic: false }),
  )
  let step = 0
  const as = <T>(caller: Caller, fn: (ctx: Ctx) => T): Promise<T> => {
    step += 1
    const requestId = `demo-${String(step).padStart(4, '0')}`
    return real
      .write(orgId, (tx) => ({ value: fn({ ...systemCtx(deps, tx, orgId, requestId), caller }) }))
      .then((r) => r.value)
  }

  const seed = { deps, as }
  // Paul writes English; everybody else reads the operator's language.
  await as(paul, (ctx) => updateProfile(ctx, { locale: 'en' }))
  await as(admin, (ctx) =>
    updateOrganization(ctx, {
      address: 'Rue Njo-Njo, Bonapriso, Douala',
      niu: 'M012345678901A',
      rccm: 'RC/DLA/2019/B/1234',
      tvaRegistered: true,
      payTo: [
        { method: 'MTN_MOMO', number: '677 00 00 01', holder: 'Odile Owona' },
        { method: 'CASH', note: 'Au bureau, rue Njo-Njo, de 8 h à 17 h' },
      ],
    }),
  )
  const residence = await as(owner, (ctx) =>
    createProperty(ctx, {
      name: 'Résidence Bonamoussadi',
      addressLine: 'Derrière la pharmacie du rond-point Maetur',
      city: 'Douala',
      province: 'Littoral',
      quartier: 'Bonamoussadi',
      latitude: 4.0897,
      longitude: 9.7405,
      amenities: ['forage', 'gardien', 'parking'],
    }),
  )
  const offices = await as(owner, (ctx) => {
    const property = createProperty(ctx, {
      name: 'Immeuble Akwa',
      addressLine: 'Boulevard de la Liberté, face à la station',
      city: 'Douala',
      province: 'Littoral',
      quartier: 'Akwa',
      amenities: ['groupe électrogène', 'ascenseur'],
    })
    return updateProperty(ctx, property.id, { type: 'OFFICE' })
  })
  const villa = await as(owner, (ctx) =>
    createProperty(ctx, {
      name: 'Villa Bastos',
      addressLine: 'Montée Bastos, après l’ambassade',
      city: 'Yaoundé',
      province: 'Centre',
      quartier: 'Bastos',
      amenities: ['jardin'],
    }),
  )
  const flats = await as(owner, (ctx) =>
    createUnits(ctx, residence.id, {
      labels: ['A1', 'A2', 'A3', 'A4'],
      areaSqm: 68,
      bedrooms: 2,
      bathrooms: 1,
      rentAmount: 85_000,
    }),
  )
  const suites = await as(owner, (ctx) =>
    createUnits(ctx, offices.id, { labels: ['B1', 'B2'], areaSqm: 120, rentAmount: 250_000 }),
  )
  const [a1, a2, a3, a4] = flats
  const [b1, b2] = suites
  if (!a1 || !a2 || !a3 || !a4 || !b1 || !b2) throw new Error('the demo has six units')
  await as(owner, (ctx) => updateUnit(ctx, a4.id, { status: 'MAINTENANCE' }))
  for (const { id } of [residence, offices]) await as(owner, (ctx) => moveProperty(ctx, id, 'publish'))
  const houses = { 'residence.jpg': residence.id, 'offices.jpg': offices.id, 'villa.jpg': villa.id }
  // The caretaker of one house, who takes cash at the door.
  await as(admin, (ctx) => changeUser(ctx, deps, bertin.userId, { propertyIds: [residence.id] }))
  const caretaker: Caller = { ...bertin, scope: scopeOf(bertin.userId, bertin.roles, [residence.id]) }
  await showHouses(seed, owner, houses, a3.id)
  const company = await as(owner, (ctx) =>
    createTenant(ctx, {
      kind: 'COMPANY',
      fullName: 'Ets Kamga & Fils',
      rccm: 'RC/DLA/2019/B/4711',
      representativeName: 'Serge Kamga',
      representativeRole: 'gérant',
      phoneNumber: '+237699000010',
      niu: 'M098765432109Z',
      address: 'BP 1234 Douala',
    }),
  )

  const lease = (body: Parameters<typeof createBooking>[1], parties: LeasePartiesPut['parties'] = []) =>
    as(owner, (ctx) => {
      const { id } = createBooking(ctx, body)
      if (parties.length > 0) putParties(ctx, id, { parties })
      moveBooking(ctx, id, 'submit')
      return moveBooking(ctx, id, 'activate')
    })
  const worker = createWorker(deps, handlers(deps))
  const dispatcher = createDispatcher(deps)
  const live = async (): Promise<void> => {
    await billDueBookings(deps)
    await markOverdueInvoices(deps)
    await worker.drain()
    await dispatcher.drain()
  }
  const OPEN = ['ISSUED', 'OVERDUE']
  /** Invoices of a lease that wait for money, the oldest first. */
  const openOf = (bookingId: string, statuses = OPEN) =>
    listInvoices(real.db, {
      orgId,
      scope: { kind: 'all', userId: '' },
      order: 'asc',
      limit: 50,
      values: { bookingId },
    }).rows.filter(({ status }) => statuses.includes(status))

  const left = { unitId: a3.id, tenantUserId: jeanne.userId, depositAmount: 170_000 }
  const ended = await lease({ ...left, startDate: first })
  const entry = showEntry(seed, { owner, tenant: jeanne, bookingId: ended.id, day: first })
  const home = await lease({
    unitId: a1.id,
    tenantUserId: therese.userId,
    startDate: first,
    endDate: addDays(addMonths(first, 12), -1),
    depositAmount: 170_000,
    noticeMonths: 3,
  })
  const flat = await lease(
    {
      unitId: a2.id,
      tenantUserId: paul.userId,
      startDate: addDays(first, 14),
      depositAmount: 85_000,
      dueDay: 20,
      locale: 'en',
    },
    [{ role: 'GUARANTOR', fullName: 'Esther Nkeng', phoneNumber: '+237677000008', idType: 'NATIONAL_ID' }],
  )
  const office = await lease(
    {
      unitId: b1.id,
      tenantId: company.id,
      startDate: first,
      endDate: addDays(addMonths(first, 24), -1),
      depositAmount: 750_000,
      noticeMonths: 6,
    },
    PARTIES,
  )
  const nadege = await as(owner, (ctx) => createTenant(ctx, { fullName: 'Nadège Fouda', phoneNumber: '+237677000007' }))
  const practice = await lease({ unitId: b2.id, tenantId: nadege.id, startDate: first, depositAmount: 500_000 })
  for (const { id, depositAmount } of [home, flat, office, practice, ended])
    await as(owner, (ctx) => enterDeposit(ctx, id, { type: 'RECEIVED', amount: depositAmount ?? 0, paidOn: first }))
  const sharePower = await showMeters(seed, owner, offices.id, [b1.id, b2.id])
  const quarter = addMonths(first, 3)
  const leaves = addDays(addMonths(first, 4), -1)
  let month = 0
  for (let day = first; day < today; day = addDays(day, 1)) {
    time.now = Date.parse(`${day}T08:00:00.000Z`)
    await live()
    const paidOn = day
    if (day.endsWith('-04') && day.slice(0, 7) !== today.slice(0, 7))
      for (const i of openOf(home.id))
        await as(owner, (ctx) => payInvoice(ctx, i.id, { amount: i.grossAmount, ...momo(paidOn) }))
    if (day.endsWith('-03') && day < leaves)
      for (const i of openOf(ended.id))
        await as(caretaker, (ctx) => payInvoice(ctx, i.id, { amount: i.grossAmount, method: 'CASH', paidOn }))
    if (day === quarter) await sharePower(first, addDays(quarter, -1))
    if (day === leaves) {
      await entry
      await showEnding(seed, owner, ended.id, leaves)
    }
    // Paul pays late and in parts; his water is on the invoice.
    if (day.endsWith('-16'))
      for (const i of openOf(flat.id, ['ISSUED']))
        await as(owner, (ctx) => addCharge(ctx, i.id, { label: 'Water', amount: 4_500 }))
    if (day.endsWith('-26'))
      for (const i of openOf(flat.id))
        await as(caretaker, (ctx) =>
          payInvoice(ctx, i.id, { amount: Math.min(50_000, i.grossAmount - i.amountPaid), method: 'CASH', paidOn }),
        )
    if (day.endsWith('-05'))
      for (const i of openOf(practice.id))
        await as(owner, (ctx) => payInvoice(ctx, i.id, { amount: i.grossAmount, method: 'BANK_TRANSFER', paidOn }))
    // The company pays a quarter ahead once, then each month late.
    if (day.endsWith('-28'))
      for (const i of openOf(office.id))
        await as(owner, (ctx) => payInvoice(ctx, i.id, { amount: i.grossAmount, method: 'BANK_TRANSFER', paidOn }))
    if (day.endsWith('-02') && ++month === 1)
      await as(owner, (ctx) =>
        payAdvance(ctx, office.id, { amount: 3 * 298_125, method: 'BANK_TRANSFER', paidOn, reference: 'VIR-0001' }),
      )
  }
  // An hour ago, but today: soon after midnight that hour belongs to yesterday.
  time.now = Math.max(real.clock.now() - DAY_MS / 24, startOfDay(today, timeZone))
  await live()
  // She has only declared this month's rent: the landlord must confirm it.
  const proofMediaId = (await upload(seed, therese, 'momo.jpg', about(therese))) ?? null
  for (const i of openOf(home.id))
    await as(therese, (ctx) => payInvoice(ctx, i.id, { amount: i.grossAmount, ...momo(today), proofMediaId }))
  const [overdue] = openOf(flat.id)
  if (overdue) await showTroubles(seed, owner, overdue.id, today)
  await showCosts(seed, admin, owner, residence.id, first)
  await repeatExpenses(deps)
  await showIdentity(seed, paul, today)
  await showRepairs(seed, { owner, therese, paul, home: home.id, flat: flat.id })
  await as(paul, (ctx) => createBooking(ctx, { unitId: a3.id, startDate: addMonths(`${today.slice(0, 7)}-01`, 1) }))
  await worker.drain()
  await dispatcher.drain()
}
