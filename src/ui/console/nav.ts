// Where one can go and what one can begin; an entry shows as soon as its page is there and the person's role has it.
import Banknote from '@lucide/svelte/icons/banknote'
import Building2 from '@lucide/svelte/icons/building-2'
import Ellipsis from '@lucide/svelte/icons/ellipsis'
import FileSignature from '@lucide/svelte/icons/file-pen-line'
import FileText from '@lucide/svelte/icons/file-text'
import Gauge from '@lucide/svelte/icons/gauge'
import HandCoins from '@lucide/svelte/icons/hand-coins'
import House from '@lucide/svelte/icons/house'
import Receipt from '@lucide/svelte/icons/receipt'
import Send from '@lucide/svelte/icons/send'
import UserPlus from '@lucide/svelte/icons/user-plus'
import Users from '@lucide/svelte/icons/users'
import Wallet from '@lucide/svelte/icons/wallet'
import { sends } from '../shared/sending.ts'
import type { Role } from '../shared/session.ts'
import { reach, WHOLE } from './reach.svelte.ts'
import { router } from './router.ts'
import { words } from './words.ts'

type Icon = typeof House
type Entry = {
  readonly path: `/${string}`
  readonly search?: string
  readonly label: keyof typeof words.t.nav
  readonly Icon?: Icon
  readonly roles?: readonly Role[]
  /** Only where the organization operates the server. */
  readonly operator?: true
  /** Only where people send the messages. */
  readonly byHand?: true
  /** In the side bar of a wide screen; on phones it stands on "More", so that five places are enough. */
  readonly wide?: true
}
export type Link = Pick<Entry, 'path' | 'wide'> & { readonly href: string; readonly label: string; readonly Icon: Icon }

const MAIN: readonly Entry[] = [
  { path: '/', label: 'home', Icon: House },
  { path: '/outbox', label: 'outbox', Icon: Send, wide: true, byHand: true },
  { path: '/invoices', label: 'invoices', Icon: Receipt },
  { path: '/payments', label: 'payments', Icon: Banknote, wide: true },
  { path: '/tenants', label: 'tenants', Icon: Users },
  { path: '/properties', label: 'properties', Icon: Building2, wide: true },
  { path: '/bookings', label: 'bookings', Icon: FileSignature, wide: true },
  { path: '/documents', label: 'documents', Icon: FileText, wide: true },
  { path: '/more', label: 'more', Icon: Ellipsis },
]
const ADMIN = ['ADMIN'] as const
/** What stands on the page "More", by group. */
const MORE: Readonly<Record<'daily' | 'figures' | 'office', readonly Entry[]>> = {
  daily: [
    { path: '/properties', label: 'properties' },
    { path: '/bookings', label: 'bookings' },
    { path: '/requests', label: 'requests' },
    { path: '/inspections', label: 'inspections' },
    { path: '/expenses', label: 'expenses' },
    { path: '/charges', label: 'charges' },
    { path: '/transfers', label: 'transfers' },
    { path: '/payments', label: 'payments' },
    { path: '/payments/message', label: 'mobileMoney' },
    { path: '/documents', label: 'documents' },
    { path: '/reminders', label: 'reminders' },
    { path: '/outbox', label: 'outbox' },
  ],
  figures: [
    { path: '/reports', label: 'reports' },
    { path: '/adjustments', label: 'adjustments' },
    { path: '/accounting', label: 'accounting', roles: ['MANAGER', 'ADMIN'] },
    { path: '/imports', label: 'imports', roles: WHOLE },
    { path: '/data', label: 'data' },
  ],
  office: [
    { path: '/reviews', label: 'reviews', roles: ADMIN },
    { path: '/users', label: 'users', roles: ADMIN },
    { path: '/settings', label: 'settings', roles: ADMIN },
    { path: '/settings/law', label: 'law' },
    { path: '/settings/clauses', label: 'clauses', roles: ['MANAGER', 'ADMIN'] },
    { path: '/settings/webhooks', label: 'webhooks', roles: ['MANAGER', 'ADMIN'] },
    { path: '/audit', label: 'audit', roles: ADMIN },
    { path: '/settings/server', label: 'server', roles: ADMIN, operator: true },
    { path: '/me', label: 'me' },
  ],
}
/** What the `+` begins; the first is the primary act of the home page too. */
const ACTIONS: readonly Entry[] = [
  { path: '/invoices', search: '?status=OVERDUE', label: 'recordPayment', Icon: Banknote },
  { path: '/expenses/new', label: 'addExpense', Icon: Wallet },
  { path: '/charges', search: '?do=read', label: 'readMeters', Icon: Gauge },
  { path: '/transfers/new', label: 'addTransfer', Icon: HandCoins, roles: ['MANAGER', 'ADMIN'] },
  { path: '/tenants/new', label: 'addTenant', Icon: UserPlus },
  { path: '/properties/new', label: 'addProperty', Icon: Building2, roles: WHOLE },
  { path: '/bookings/new', label: 'newLease', Icon: FileSignature },
]

const links = (entries: readonly Entry[], operator = false): Link[] =>
  entries
    .filter((entry) => entry.roles === undefined || reach.has(entry.roles))
    .filter((entry) => operator || !entry.operator)
    .filter((entry) => !sends || !entry.byHand)
    .map(({ path, search = '', label, Icon: icon = Ellipsis, wide }) => ({
      href: router.href(path) + search,
      path,
      ...(wide && { wide }),
      label: words.t.nav[label],
      Icon: icon,
    }))
const isWithin = (path: string): boolean => router.path === path || (path !== '/' && router.path.startsWith(`${path}/`))
/** The entry of a bar where one is: `/invoices/:id` belongs to `/invoices`, what none of them leads to belongs to "More". */
export const hereOf = (bar: readonly Link[]): string =>
  bar.find(({ path }) => path !== '/more' && isWithin(path))?.path ?? '/more'
export const mainLinks = (): Link[] => links(MAIN)
export const actionLinks = (): Link[] => links(ACTIONS)
export const moreLinks = (group: keyof typeof MORE, operator?: boolean): Link[] => links(MORE[group], operator)
