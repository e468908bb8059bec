import type { Command } from './command.ts'
import { markDemoComplete } from './demo.ts'
import { run } from './run.ts'

/** `loyer serve`: runs the service until a signal ends it. */
export const serve: Command = async ({ folder }) => {
  const config = folder()
  await run(config, { prepare: async () => markDemoComplete(config) })
  return undefined
}
