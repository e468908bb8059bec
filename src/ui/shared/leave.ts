// Signing out: nothing of the person stays on the device or the screen, because somebody else may use it next.
import { update } from 'idb-keyval'
import { store, takeAway } from './kept.ts'
import { SignedOut, securityUrl, session } from './session.ts'
import { forgetPerson, QUEUE } from './storage.ts'

const nothing = (): undefined => undefined

/** Deletes the stored answers and the waiting items of this person; items of other people stay until they return. */
async function erase(): Promise<void> {
  const user = session.claims()?.sub
  await takeAway(() => true).catch(nothing)
  const others = (list: readonly { readonly userId: string }[] = []) => list.filter(({ userId }) => userId !== user)
  await update(QUEUE, others, store).catch(nothing)
}

/** Leaves this page empty, because "back" may show it as it was left; it then loads again. */
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

/** Ends the provider's session and leaves this page. @returns false if the session could not be ended: nothing changed */
export async function signOut(): Promise<boolean> {
  const isOwn = securityUrl !== undefined
  if (isOwn && !(await endSession())) return false
  // another provider ends its session itself, and leads back here
  await leave(isOwn ? '/' : session.logoutUrl())
  return true
}
