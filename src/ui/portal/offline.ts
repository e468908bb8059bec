// What the portal keeps on the phone: the last answers, to be read without network, and what was said and waits for it.
// A phone that has no room, or refuses, is one that keeps nothing: all else works.
import { get, set, update } from 'idb-keyval'
import type { Schemas } from '../shared/api.ts'
import { QUEUE, store, takeAway } from '../shared/kept.ts'
import { session } from '../shared/session.ts'
import { forgetSeen } from '../shared/storage.ts'

/** Keys are forgotten by the server after a day: what is older than this may have been done and is not sent again. */
const SAFE_MS = 23 * 3_600_000
/** A clock that was set back by more than this says nothing of how long ago it was. */
const BACK_MS = 300_000
const USER = 'loyer.user'

type Waiting = {
  readonly key: string
  /** Who says it: another person who signs in on this phone does not send it. */
  readonly userId: string
  readonly photo?: Blob
  /** When it was first sent, and so may have been done. */
  readonly triedAt?: number
  /** Why the server will not have it, in its own sentence: the tenant reads it and takes it away. */
  readonly refused?: string
  /** It was done, without its photo, which the server could not take: the tenant reads that, too. */
  readonly bare?: true
}
export type Declaration = Waiting & { readonly invoiceId: string; readonly body: Schemas['PaymentCreate'] }
/** Something is broken in the home. */
export type Report = Waiting & { readonly repair: Schemas['RepairCreateForLease'] }
/** A word to one's landlord about something that was reported. */
export type Message = Waiting & { readonly repairId: string; readonly text: string }
export type Unsent = Declaration | Report | Message
export const isReport = (item: Unsent): item is Report => 'repair' in item
export const isMessage = (item: Unsent): item is Message => 'repairId' in item
export const isDeclaration = (item: Unsent): item is Declaration => 'invoiceId' in item
const nothing = (): undefined => undefined

export type Kept<T> = { readonly at: number; readonly value: T }

/** Whose phone this is: as the token says, or without network as it said last. */
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
    // what others saw on this phone; what they said stays, and waits for them
    takeAway((name) => !name.endsWith(` ${now}`)).catch(nothing)
  }
  return now ?? last ?? ''
}
/** `name` ends with whose answers these are: two people may share a phone. */
export const keep = (name: string, value: unknown): Promise<void> =>
  set(name, { at: Date.now(), value }, store).catch(nothing)
export const forgetKept = (name: string): Promise<void> => takeAway((other) => other === name).catch(nothing)
export const kept = <T>(name: string): Promise<Kept<T> | undefined> => get<Kept<T>>(name, store).catch(nothing)
/** Answers that are shown at once: kept ones that were read before the page was drawn, and what came since. */
export const foreseen = new Map<string, Kept<unknown>>()
export async function foresee(name: string): Promise<void> {
  const last = await kept(name)
  if (last) foreseen.set(name, last)
}

/** What this person said and no answer has come to. */
export const waiting = async (): Promise<readonly Unsent[]> =>
  ((await get<Unsent[]>(QUEUE, store).catch(nothing)) ?? []).filter((item) => item.userId === userId())
/** Changes the queue, of which others of this phone may have a part. */
export const queue = (fn: (list: readonly Unsent[]) => readonly Unsent[]): Promise<void> =>
  update<readonly Unsent[]>(QUEUE, (list) => fn(list ?? []), store).catch(nothing)
/** Takes it out of the queue. */
export const drop = (key: string): Promise<void> => queue((list) => list.filter((item) => item.key !== key))
/** Whether an answer has come, and only the tenant has not read it. */
export const isAnswered = ({ refused, bare }: Unsent): boolean => refused !== undefined || bare === true
export function isLost({ triedAt }: Unsent): boolean {
  const passed = triedAt === undefined ? 0 : Date.now() - triedAt
  return passed > SAFE_MS || passed < -BACK_MS
}

type Policies = {
  createPolicy(name: string, rules: { createScriptURL: () => string }): { createScriptURL(input: string): string }
}
/** What a phone needs to show something comes first. */
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
