// "I have paid", sent once: now, or by itself when the network is back.
import { api, data, Trouble } from '../shared/api.ts'
import { SignedOut } from '../shared/session.ts'
import { remember } from '../shared/storage.ts'
import { type Declaration, drop, isAnswered, isLost, queue, waiting } from './offline.ts'
import { upload } from './photo.ts'

/** Sends a declaration; one that found no network stays and is sent again under the same key, and so once only. */
export async function declare(item: Declaration): Promise<'sent' | 'waits'> {
  const tried = { ...item, triedAt: item.triedAt ?? Date.now() }
  await queue((list) => [...list.filter(({ key }) => key !== item.key), tried])
  try {
    const proofMediaId = item.photo && (await uploaded(item.photo, item.key))
    await data(
      api.POST('/api/v1/invoices/{id}/payments', {
        params: { path: { id: item.invoiceId }, header: { 'Idempotency-Key': item.key } },
        // whoever else this person is, here they are the tenant
        body: { ...item.body, as: 'TENANT', ...(proofMediaId && { proofMediaId }) },
      }),
    )
    await drop(item.key)
    const { photo, ...rest } = item
    if (photo && proofMediaId === undefined) await queue((list) => [...list, { ...rest, bare: true }])
    remember('localStorage', 'loyer.sent', item.key)
    return 'sent'
  } catch (error) {
    // the home page leads to the sign-in page, and sends it on return
    if (error instanceof SignedOut && (await isQueued(item.key))) return 'waits'
    if (!(error instanceof Trouble)) throw error
    const { status = 503 } = error.problem ?? {}
    if (status >= 500 || status === 429) {
      // a phone that keeps nothing: the form stays, and sends it again under the same key
      if (!(await isQueued(item.key))) throw error
      return 'waits'
    }
    await drop(item.key)
    if (item.triedAt !== undefined) await queue((list) => [...list, { ...item, refused: error.message }])
    throw error
  }
}
/** A server that takes no photos for now takes the declaration: that rent was paid must not wait for its picture. */
const uploaded = (photo: Blob, key: string): Promise<string | undefined> =>
  upload(photo, key, 'USER', 'preuve.jpg').catch((error) => {
    if (error instanceof Trouble && error.problem?.code === 'photos_unavailable') return undefined
    throw error
  })
const isQueued = async (key: string): Promise<boolean> => (await waiting()).some((item) => item.key === key)

/** Sends what waits; what the server refuses stays, with its reason. */
export async function flush(): Promise<void> {
  const due = (await waiting()).filter((item) => !isAnswered(item) && !isLost(item))
  await Promise.allSettled(due.map(declare))
}
