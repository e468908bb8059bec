import { type Unsent, waiting } from './offline.ts'

/** The items that this person has not sent yet, shared by all parts of a page. */
let all = $state.raw<readonly Unsent[]>([])
export const unsent = {
  get all() {
    return all
  },
  async reread(): Promise<void> {
    all = await waiting()
  },
}
