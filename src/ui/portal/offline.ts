// What the portal keeps on the phone: the last answers, to be read without network, and declarations that wait for it.
import { clear, createStore, get, set, update } from 'idb-keyval'
import { api, data, Trouble } from '../shared/api.ts'
import { session } from '../shared/session.ts'

/** Keys are forgotten by the server after a day: what is older than this may have been done and is not sent again. */
const SAFE_MS = 23 * 3_600_000

export type Declaration = {
  readonly key: string
  readonly invoiceId: string
  readonly body: {
    readonly amount: number
    readonly method: 'MTN_MOMO' | 'ORANGE_MONEY' | 'CASH' | 'BANK_TRANSFER'
    readonly paidOn: string
    readonly reference: string | null
    readonly proofMediaId?: string
  }
  readonly photo?: Blob
  /** When it was first sent, and so may have been done. */
  readonly triedAt?: number
  /** Why the server will not have it, in its own sentence: the tenant reads it and takes it away. */
  readonly refused?: string
}
export type Kept<T> = { readonly at: number; readonly value: T }

const store = createStore('loyer-portal', 'kept')
/** Whose phone this is: as the token says, or without network as it said last. */
export function userId(): string {
  const now = session.claims()?.sub
  if (now !== undefined) localStorage.setItem('loyer.user', now)
  return now ?? localStorage.getItem('loyer.user') ?? ''
}
/** Whose answers these are is part of the key: two people may share a phone. */
export const keep = <T>(name: string, value: T): Promise<void> => set(name, { at: Date.now(), value }, store)
export const kept = <T>(name: string): Promise<Kept<T> | undefined> => get(name, store)
export const waiting = async (): Promise<readonly Declaration[]> => (await get<Declaration[]>('waiting', store)) ?? []
const change = (fn: (list: readonly Declaration[]) => readonly Declaration[]): Promise<void> =>
  update<readonly Declaration[]>('waiting', (list) => fn(list ?? []), store)

/** Forgets all of it, before another person signs in on this phone. */
export async function erase(): Promise<void> {
  localStorage.removeItem('loyer.user')
  await clear(store)
}

/** Takes a declaration out of the queue. */
export const drop = (key: string): Promise<void> => change((list) => list.filter((item) => item.key !== key))

/** At most 1600 px and without what the camera wrote into it: a tenth of the bytes. */
export async function scaled(file: File): Promise<Blob> {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' })
  const scale = Math.min(1, 1600 / Math.max(picture.width, picture.height))
  const canvas = new OffscreenCanvas(Math.round(picture.width * scale), Math.round(picture.height * scale))
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  return canvas.convertToBlob({ type: 'image/jpeg', quality: 0.8 })
}

async function upload(photo: Blob, key: string): Promise<string> {
  const body = {
    ownerType: 'USER',
    ownerId: userId(),
    kind: 'PHOTO',
    filename: 'preuve.jpg',
    contentType: 'image/jpeg',
    sizeBytes: photo.size,
  } as const
  const media = await data(
    api.POST('/api/v1/media', { params: { header: { 'Idempotency-Key': `${key}-photo` } }, body }),
  )
  const { method, url, headers } = media.upload
  const sent = await fetch(url, { method, headers, body: photo }).catch(() => undefined)
  if (sent?.status !== 204 && sent?.status !== 409) throw new Trouble()
  await data(
    api.POST('/api/v1/media/{id}/complete', {
      params: { path: { id: media.id }, header: { 'Idempotency-Key': `${key}-complete` } },
    }),
  )
  return media.id
}

/** Sends a declaration; one that found no network stays and is sent again under the same key, and so once only. */
export async function declare(item: Declaration): Promise<'sent' | 'waits'> {
  const tried = { ...item, triedAt: item.triedAt ?? Date.now() }
  await change((list) => [...list.filter(({ key }) => key !== item.key), tried])
  try {
    const proofMediaId = item.photo && (await upload(item.photo, item.key))
    await data(
      api.POST('/api/v1/invoices/{id}/payments', {
        params: { path: { id: item.invoiceId }, header: { 'Idempotency-Key': item.key } },
        body: { ...item.body, ...(proofMediaId && { proofMediaId }) },
      }),
    )
    await drop(item.key)
    return 'sent'
  } catch (error) {
    if (!(error instanceof Trouble)) throw error
    const { status = 503 } = error.problem ?? {}
    if (status >= 500 || status === 429) return 'waits'
    await drop(item.key)
    if (item.triedAt !== undefined) await change((list) => [...list, { ...item, refused: error.message }])
    throw error
  }
}

export const isLost = ({ triedAt }: Declaration): boolean => triedAt !== undefined && Date.now() - triedAt > SAFE_MS
/** Sends what waits; what the server refuses stays, with its reason. */
export async function flush(): Promise<void> {
  const due = (await waiting()).filter((item) => item.refused === undefined && !isLost(item))
  await Promise.allSettled(due.map(declare))
}

type Policies = {
  createPolicy(name: string, rules: { createScriptURL: () => string }): { createScriptURL(input: string): string }
}
/** The script's address is a sink of trusted types: a policy of our own lets this one through and no other. */
export function installWorker(ready: () => unknown): void {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return
  const { trustedTypes } = window as { trustedTypes?: Policies }
  const policy = trustedTypes?.createPolicy('loyer-worker', { createScriptURL: () => '/portal/sw.js' })
  void navigator.serviceWorker.register(policy?.createScriptURL('') ?? '/portal/sw.js', { scope: '/portal' })
  // from now on the worker keeps what is fetched
  void navigator.serviceWorker.ready.then(ready)
}
