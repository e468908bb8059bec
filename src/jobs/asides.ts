import type { Deps } from '../deps.ts'
import { bringIn } from '../features/data/imports/jobs.ts'
import { propertyUpdate } from '../features/property/properties/jobs.ts'
import { answerMutation, type Mutation, type Order } from '../http/mutation.ts'

/** What a function gets that writes on a thread of its own. */
export type AsideWork = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'blobs' | 'tables'> & {
  /** @throws overloaded once the service stops */
  readonly checkStop: () => void
  /** Tells the service how far it has come. */
  readonly note: (note: object) => void
}
type Aside = (work: AsideWork, input: object) => Promise<unknown>

const mutation =
  <B, R extends { readonly version: number }, T>(mutation: Mutation<B, R, T>): Aside =>
  (work, input) => {
    const { epoch, order } = input as { readonly epoch: string; readonly order: Order<B> }
    return answerMutation(work, epoch, order, mutation)
  }

/** The functions that write aside, by the names that jobs and routes call them by. */
export const asides: Readonly<Record<string, Aside>> = {
  import: (work, input) => bringIn(work, input as Parameters<typeof bringIn>[1]),
  'property.update': mutation(propertyUpdate),
}
