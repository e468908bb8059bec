// "I have paid", "something is broken" and messages about that, sent once: now, or automatically when the network is back.
import { api, data, type Schemas, Trouble } from '../shared/api.ts'
import { SignedOut } from '../shared/session.ts'
import { remember } from '../shared/storage.ts'
import { refusal } from './codes.ts'
import { words } from './form-words.ts'
import {
  drop,
  isAnswered,
  isDeclaration,
  isLost,
  isMessage,
  isReport,
  keep,
  queue,
  stored,
  type Unsent,
  userId,
  waiting,
} from './offline.ts'
import type { Owed } from './owed.ts'
import { upload } from './photo.ts'

type Created = { readonly id: string }
/** The request itself, under the key of its item. */
const posted = (item: Unsent, photo: string | undefined): Promise<Created> =>
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

/** Errors that need no server: without network the item would otherwise wait as if it were complete. */
function unsaid(item: Unsent): Trouble | undefined {
  if (isReport(item)) return item.repair.title === '' ? refusal('/title', words.t.empty) : undefined
  if (isMessage(item)) return item.text === '' ? refusal('/text', words.t.empty) : undefined
  return !Number.isSafeInteger(item.body.amount) ? refusal('/amount', words.t.noAmount) : undefined
}

/** Sends an item; without network it waits and is sent later under the same key, so only once. @returns the answer, if any */
export async function declare(item: Unsent): Promise<Created | undefined> {
  const missing = unsaid(item)
  if (missing) throw missing
  const tried = { ...item, triedAt: item.triedAt ?? Date.now() }
  await queue((list) => [...list.filter(({ key }) => key !== item.key), tried])
  try {
    const sent = item.photo && (await uploaded(item.photo, item))
    const created = await posted(item, sent)
    if (isDeclaration(item)) await noteDeclared(created as Schemas['Payment'])
    await drop(item.key)
    const { photo, ...rest } = item
    if (photo && sent === undefined) await queue((list) => [...list, { ...rest, bare: true }])
    remember('localStorage', 'loyer.sent', item.key)
    return created
  } catch (error) {
    // the home page leads to the sign-in page, and sends it on return
    if (error instanceof SignedOut && (await isQueued(item.key))) return undefined
    if (!(error instanceof Trouble)) throw error
    const { status = 503 } = error.problem ?? {}
    if (status >= 500 || status === 429) {
      // this phone stores nothing: the form stays open, and sends the item again under the same key
      if (!(await isQueued(item.key))) throw error
      return undefined
    }
    await drop(item.key)
    if (item.triedAt !== undefined) await queue((list) => [...list, { ...item, refused: error.message }])
    throw error
  }
}
/** Adds a declared payment to the stored answer, which the phone shows until the server is asked again. */
async function noteDeclared(payment: Schemas['Payment']): Promise<void> {
  const name = `overview ${userId()}`
  const last = await stored<Owed>(name)
  if (!last || last.value.checking.some(({ id }) => id === payment.id)) return
  const checking = [...last.value.checking, payment]
  const isAnew = ({ invoiceIds }: Schemas['Payment']): boolean =>
    invoiceIds.some((id) => payment.invoiceIds.includes(id))
  // an answer stored by an older release has no refusals
  const refused = (last.value.refused ?? []).filter((one) => !isAnew(one))
  await keep(name, { ...last.value, checking, refused })
}
/** A server that takes no photos for now takes the words: that rent was paid must not wait for its picture. */
const uploaded = (photo: Blob, item: Unsent): Promise<string | undefined> =>
  upload(photo, item.key, 'USER', isReport(item) ? 'reparation.jpg' : 'preuve.jpg').catch((error) => {
    if (error instanceof Trouble && error.problem?.code === 'photos_unavailable') return undefined
    throw error
  })
const isQueued = async (key: string): Promise<boolean> => (await waiting()).some((item) => item.key === key)

/** Sends the waiting items; a refused item stays, with the reason. */
export async function flush(): Promise<void> {
  const due = (await waiting()).filter((item) => !isAnswered(item) && !isLost(item))
  await Promise.allSettled(due.map(declare))
}
