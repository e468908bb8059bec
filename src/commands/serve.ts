import type { Command } from './command.ts'
import { refuseDemo } from './demo.ts'
import { markDemoComplete } from './demo-folder.ts'
import { httpsOf, LOOPBACK, proxyText } from './domain.ts'
import { run } from './run.ts'

/** `loyer serve [--domain NAME]`: runs the service until a signal ends it. */
export const serve: Command = async ({ folder, values: { domain } }) => {
  const config = folder(
    domain === undefined ? {} : { overrides: { PUBLIC_URL: httpsOf(domain) }, defaults: { TRUSTED_PROXIES: LOOPBACK } },
  )
  let token: string | undefined
  await run(config, {
    prepare: async (deps) => {
      refuseDemo(deps)
      markDemoComplete(config)
      token = await deps.setup?.begin()
    },
    started() {
      if (domain !== undefined)
        process.stdout.write(
          `${proxyText(domain, config.port)}\n  For other commands set PUBLIC_URL=${config.publicUrl} as well.\n`,
        )
      if (token !== undefined) process.stdout.write(setupText(config.publicUrl, token))
    },
  })
  return undefined
}

/** The lines that a new server prints until it is set up. */
const setupText = (publicUrl: string, token: string): string => `
  Loyer is ready to be set up. Open this link, once:

    ${publicUrl}/setup#${token}

  A new start prints a new link, and this one then opens nothing.

`
