// Buttons with one act: confirm, remind, archive. Pressed twice or sent again, the act happens once.
import { Trouble } from './api.ts'
import { uuid } from './digest.ts'
import { SignedOut, session } from './session.ts'
import { stepped } from './stepped.svelte.ts'

/** `run` names the act; its key is the same until it succeeds or is refused. What went wrong stands in `trouble`. */
export function createActs() {
  let busy = $state<string>()
  let trouble = $state.raw<Trouble>()
  const keys = new Map<string, string>()
  return {
    /** The act under way. */
    get busy() {
      return busy
    },
    get trouble() {
      return trouble
    },
    async run(name: string, act: (key: string) => Promise<unknown>): Promise<void> {
      if (busy !== undefined) return
      stepped.take()
      busy = name
      trouble = undefined
      const key = keys.get(name) ?? uuid()
      keys.set(name, key)
      try {
        await act(key)
        keys.delete(name)
      } catch (error) {
        if (error instanceof SignedOut) return void (await session.signIn())
        if (!(error instanceof Trouble)) throw error
        trouble = error
        if (error.problem) keys.delete(name)
      } finally {
        busy = undefined
      }
    },
  }
}
