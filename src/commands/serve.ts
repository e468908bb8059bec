import type { Command } from './command.ts'
import { keepDemo } from './demo.ts'
import { run } from './run.ts'

/** `loyer serve`: runs the service until a signal ends it. */
export const serve: Command = async ({ folder }) => {
  const config = folder()
  await run(config, { prepare: async () => keepDemo(config) })
  return undefined
}
