// "I have paid", "something is broken" and what is said of it, sent once: now, or by itself when the network is back.
import { api, data, Trouble } from '../shared/api.ts'
import { SignedOut } from '../shared/session.ts'
import { remember } from '../shared/storage.ts'
import { drop, isAnswered, isLost, isMessage, isReport, queue, type Unsent, waiting } from './offline.ts'
import { upload } from './photo.ts'

type Made = { readonly id: string }
/** The request itself, under the key of its item. */
const posted = (item: Unsent, photo: string | undefined): Promise<Made> =>
  isReport(item)
    ? data(
        api.POST('/api/v1/requests', {
          params: { header: { 'Idempotency-Key': item.key } },
          body: { ...item.repair, mediaObjectIds: photo === undefined ? [] : [photo] },
        }),
      )
    : isMessage(item)
      ? data(
          api.POST('/api/v1/requests/{id}/entries', {
            params: { path: { id: item.repairId }, header: { 'Idempotency-Key': item.key } },
            body: { text: item.text },
          }),
        )
      : data(
          api.POST('/api/v1/invoices/{id}/payments', {
            params: { path: { id: item.invoiceId }, header: { 'Idempotency-Key': item.key } },
            // whoever else this person is, here they are the tenant
            body: { ...item.body, as: 'TENANT', ...(photo !== undefined && { proofMediaId: photo }) },
          }),
        )

/** Sends it; what found no network stays and is sent again under the same key, and so once only. @returns what was made; undefined where it waits */
export async function declare(item: Unsent): Promise<Made | undefined> {
  const tried = { ...item, triedAt: item.triedAt ?? Date.now() }
  await queue((list) => [...list.filter(({ key }) => key !== item.key), tried])
  try {
    const sent = item.photo && (await uploaded(item.photo, item))
    const made = await posted(item, sent)
    await drop(item.key)
    const { photo, ...rest } = item
    if (photo && sent === undefined) await queue((list) => [...list, { ...rest, bare: true }])
    remember('localStorage', 'loyer.sent', item.key)
    return made
  } catch (error) {
    // the home page leads to the sign-in page, and sends it on return
    if (error instanceof SignedOut && (await isQueued(item.key))) return undefined
    if (!(error instanceof Trouble)) throw error
    const { status = 503 } = error.problem ?? {}
    if (status >= 500 || status === 429) {
      // a phone that keeps nothing: the form stays, and sends it again under the same key
      if (!(await isQueued(item.key))) throw error
      return undefined
    }
    await drop(item.key)
    if (item.triedAt !== undefined) await queue((list) => [...list, { ...item, refused: error.message }])
    throw error
  }
}
/** A server that takes no photos for now takes the words: that rent was paid must not wait for its picture. */
const uploaded = (photo: Blob, item: Unsent): Promise<string | undefined> =>
  upload(photo, item.key, 'USER', isReport(item) ? 'reparation.jpg' : 'preuve.jpg').catch((error) => {
    if (error instanceof Trouble && error.problem?.code === 'photos_unavailable') return undefined
    throw error
  })
const isQueued = async (key: string): Promise<boolean> => (await waiting()).some((item) => item.key === key)

/** Sends what waits; what the server refuses stays, with its reason. */
export async function flush(): Promise<void> {
  const due = (await waiting()).filter((item) => !isAnswered(item) && !isLost(item))
  await Promise.allSettled(due.map(declare))
}
