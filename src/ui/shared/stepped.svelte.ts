import { session } from './session.ts'

/** Whether the person has just come back from the second sign-in step; the act that asked for it has not been sent. */
let waits = $state(session.stepped)
export const stepped = {
  get waits() {
    return waits
  },
  /** Clears the flag, because the note is shown once. @returns whether they had just come back */
  take(): boolean {
    const was = waits
    waits = false
    return was
  },
}
