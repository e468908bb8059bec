// The storage of the portal on the phone: the last answers, to be read without network, and items that wait to be sent.
// Without room or permission nothing is stored, and everything else works.
import { get, set, update } from 'idb-keyval'
import type { Schemas } from '../shared/api.ts'
import { store, takeAway } from '../shared/kept.ts'
import { session } from '../shared/session.ts'
import { forgetSeen, QUEUE } from '../shared/storage.ts'

/** The server forgets keys after a day: an item tried longer ago may have succeeded, and is not sent again. */
const SAFE_MS = 23 * 3_600_000
/** If the clock was set back by more than this, the age of an item is unknown. */
const BACK_MS = 300_000
const USER = 'loyer.user'

type Waiting = {
  readonly key: string
  /** The author: another person who signs in on this phone does not send the item. */
  readonly userId: string
  readonly photo?: Blob
  /** When it was first sent, and may have succeeded. */
  readonly triedAt?: number
  /** The refusal of the server, in its own words: the tenant reads it and removes the item. */
  readonly refused?: string
  /** It succeeded without its photo, which the server could not accept: the tenant reads that too. */
  readonly bare?: true
}
export type Declaration = Waiting & { readonly invoiceId: string; readonly body: Schemas['PaymentCreate'] }
/** Something is broken in the home. */
export type Report = Waiting & { readonly repair: Schemas['RepairCreateForLease'] }
/** A message to the landlord about a reported repair. */
export type Message = Waiting & { readonly repairId: string; readonly text: string }
export type Unsent = Declaration | Report | Message
export const isReport = (item: Unsent): item is Report => 'repair' in item
export const isMessage = (item: Unsent): item is Message => 'repairId' in item
export const isDeclaration = (item: Unsent): item is Declaration => 'invoiceId' in item
const nothing = (): undefined => undefined

export type Stored<T> = { readonly at: number; readonly value: T }

/** The user of this phone: by the token, or without network by the last token. */
export function userId(): string {
  const now = session.claims()?.sub
  const last = localStorage.getItem(USER)
  if (now !== undefined && now !== last) {
    try {
      localStorage.setItem(USER, now)
    } catch {
      // no room: without network nothing is known of anybody
    }
    forgetSeen()
    // removes the answers of other people on this phone; their waiting items stay until they return
    takeAway((name) => !name.endsWith(` ${now}`)).catch(nothing)
  }
  return now ?? last ?? ''
}
/** `name` ends with the id of the user, because two people may share a phone. */
export const keep = (name: string, value: unknown): Promise<void> =>
  set(name, { at: Date.now(), value }, store).catch(nothing)
export const forgetStored = (name: string): Promise<void> => takeAway((other) => other === name).catch(nothing)
export const stored = <T>(name: string): Promise<Stored<T> | undefined> => get<Stored<T>>(name, store).catch(nothing)
/** Answers to show at once: stored ones that were read before the page was drawn, and newer ones. */
export const foreseen = new Map<string, Stored<unknown>>()
export async function foresee(name: string): Promise<void> {
  const last = await stored(name)
  if (last) foreseen.set(name, last)
}

/** The items of this person that have no answer yet. */
export const waiting = async (): Promise<readonly Unsent[]> =>
  ((await get<Unsent[]>(QUEUE, store).catch(nothing)) ?? []).filter((item) => item.userId === userId())
/** Changes the queue, which may hold items of other people on this phone too. */
export const queue = (fn: (list: readonly Unsent[]) => readonly Unsent[]): Promise<void> =>
  update<readonly Unsent[]>(QUEUE, (list) => fn(list ?? []), store).catch(nothing)
/** Takes it out of the queue. */
export const drop = (key: string): Promise<void> => queue((list) => list.filter((item) => item.key !== key))
/** Whether there is an answer that the tenant has only to read. */
export const isAnswered = ({ refused, bare }: Unsent): boolean => refused !== undefined || bare === true
export function isLost({ triedAt }: Unsent): boolean {
  const passed = triedAt === undefined ? 0 : Date.now() - triedAt
  return passed > SAFE_MS || passed < -BACK_MS
}

type Policies = {
  createPolicy(name: string, rules: { createScriptURL: () => string }): { createScriptURL(input: string): string }
}
/** A delay, so that the files for the first screen are loaded before. */
const AFTER_MS = 2000
/** The script's address is a sink of trusted types: a policy of our own lets this one through and no other. */
export function installWorker(): void {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return
  const { trustedTypes } = window as { trustedTypes?: Policies }
  const policy = trustedTypes?.createPolicy('loyer-worker', { createScriptURL: () => '/portal/sw.js' })
  const register = (): void =>
    void navigator.serviceWorker
      .register(policy?.createScriptURL('') ?? '/portal/sw.js', { scope: '/portal' })
      .catch(nothing)
  // without network the browser would write an error into its console
  const whenOnline = (): void => (navigator.onLine ? register() : addEventListener('online', register, { once: true }))
  void session
    .token()
    .catch(nothing)
    .then(() => setTimeout(whenOnline, AFTER_MS))
}
