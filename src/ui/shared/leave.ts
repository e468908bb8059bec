// The way out: nothing of the person stays, neither on the device nor on the screen, for another one may sit down here.
import { update } from 'idb-keyval'
import { QUEUE, store, takeAway } from './kept.ts'
import { SignedOut, securityUrl, session } from './session.ts'
import { forgetPerson } from './storage.ts'

const nothing = (): undefined => undefined

/** Forgets all that the portal kept, and what this person said; what others said on this phone waits for them. */
async function erase(): Promise<void> {
  const user = session.claims()?.sub
  await takeAway(() => true).catch(nothing)
  const others = (list: readonly { readonly userId: string }[] = []) => list.filter(({ userId }) => userId !== user)
  await update(QUEUE, others, store).catch(nothing)
}

/** Leaves this page. The browser's "back" may show it as it was left: it is left empty, and loads anew. */
export async function leave(to = '/'): Promise<void> {
  await erase()
  forgetPerson()
  document.body.replaceChildren()
  window.addEventListener('pageshow', () => location.reload())
  location.assign(to)
}

/** @returns whether no session of this browser is left */
async function endSession(): Promise<boolean> {
  try {
    const headers = { authorization: `Bearer ${await session.token()}` }
    const answer = await fetch(`/api/v1/account/sessions/${session.claims()?.sid}`, { method: 'DELETE', headers })
    return answer.ok || answer.status === 401 || answer.status === 404
  } catch (error) {
    return error instanceof SignedOut
  }
}

/** Ends the provider's session and leaves this page. @returns false where it goes on: nothing has changed then */
export async function signOut(): Promise<boolean> {
  const isOwn = securityUrl !== undefined
  if (isOwn && !(await endSession())) return false
  // another provider ends its session itself, and leads back here
  await leave(isOwn ? '/' : session.logoutUrl())
  return true
}
