import { type Unsent, waiting } from './offline.ts'

/** What this person said and the server has not heard yet, as every part of a page sees it. */
let all = $state.raw<readonly Unsent[]>([])
export const unsent = {
  get all() {
    return all
  },
  async reread(): Promise<void> {
    all = await waiting()
  },
}
