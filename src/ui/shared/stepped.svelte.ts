import { session } from './session.ts'

/** Whether somebody has just come back from the second sign-in step: what asked for it has not been sent. */
let waits = $state(session.stepped)
export const stepped = {
  get waits() {
    return waits
  },
  /** Says it no more. @returns whether it was so */
  take(): boolean {
    const was = waits
    waits = false
    return was
  },
}
