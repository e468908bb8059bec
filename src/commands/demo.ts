import { StoreError } from '../../db/store-error.ts'
import type { Config } from '../config.ts'
import type { Deps } from '../deps.ts'
import { clearAccounts, openToVisitors } from '../features/system/demo/service.ts'
import { readDemo } from '../features/system/demo/store.ts'
import { silentLog } from '../log.ts'
import { buildDeps } from '../wiring.ts'
import type { Command } from './command.ts'
import { beginDemo, discardDemo, emptyFolder, markDemoComplete } from './demo-folder.ts'
import { run } from './run.ts'
import { finishCutOff } from './swap.ts'

/** `loyer demo`: a sandbox with sample data, made at its first start and at each reset. */
export const demo: Command = async ({ config: settings }) => {
  const config = settings({ defaults: DEMO_SETTINGS })
  finishCutOff(config)
  beginDemo(config)
  const { DEMO_PASSWORD, DEMO_USERS } = await import('../features/system/demo/rules.ts')
  const { seedDemo } = await import('../features/system/demo/seed.ts')
  await run(config, {
    prepare: async (deps) => {
      await seedDemo(deps)
      await openToVisitors(deps)
      markDemoComplete(config)
    },
    started: () => void process.stdout.write(`${demoText(config, DEMO_USERS, DEMO_PASSWORD)}\n`),
    demo: { empty: () => discardDemo(config), isDue: isDue(config) },
  })
  return undefined
}
const DEMO_SETTINGS = { LOYER_MODE: 'sandbox', LOYER_DATA: 'loyer-demo' } as const

const isDue =
  ({ resetMs }: Config) =>
  ({ db, clock }: Deps): boolean => {
    const mark = readDemo(db)
    return resetMs !== undefined && mark !== undefined && clock.wall() >= mark.madeAt + resetMs
  }

/** Refuses to serve a demo's accounts, whose password is public, to real people. @throws StoreError */
export function refuseDemo({ db, config }: Deps): void {
  if (!config.sandbox && readDemo(db))
    throw new StoreError(
      78,
      `${config.dataDir} was made by \`loyer demo\`: its accounts have a password that everybody knows. Remove them with \`loyer demo clear\`, or set LOYER_DATA to another folder.`,
    )
}

/**
 * `loyer demo clear`: makes a demo's folder fit for real use. Where nobody else signed up it is emptied; otherwise the
 * demo's accounts go and the data stay.
 */
export const clearDemo: Command = async ({ config: settings }) => {
  const config = settings({ defaults: DEMO_SETTINGS })
  const { deps, close } = await buildDeps(config, silentLog)
  let others = true
  try {
    if (!readDemo(deps.db)) return `${config.dataDir} holds no demo.`
    others = await clearAccounts(deps)
  } finally {
    await close()
  }
  if (others) return `The demo's accounts are removed from ${config.dataDir}; the accounts and data of others stay.`
  emptyFolder(config)
  return `${config.dataDir} is empty: the next \`loyer serve\` prints a link to set it up.`
}

type Person = { readonly role: string; readonly phone: string; readonly firstName: string; readonly lastName: string }
/** A command line to try the API with a token, for the usual shell of the machine: PowerShell on Windows. */
const tryOut = (url: string): string =>
  process.platform === 'win32'
    ? `irm ${url}/api/v1/properties -Headers @{ Authorization = 'Bearer ' + (irm ${url}/api/v1/sandbox/token -Method Post -ContentType application/json -Body '{"role":"OWNER"}').access_token }`
    : `curl -s ${url}/api/v1/properties -H "Authorization: Bearer $(curl -s ${url}/api/v1/sandbox/token -H 'Content-Type: application/json' -d '{"role":"OWNER"}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')"`

/** The lines that a demo prints when it is ready. */
function demoText({ publicUrl }: Config, people: readonly Person[], password: string): string {
  return [
    '',
    `  Loyer is running: ${publicUrl}   (API reference: ${publicUrl}/docs)`,
    '',
    `  Demo accounts, password ${password}:`,
    ...people.map((u) => `    ${u.role.padEnd(8)} ${u.phone}  ${u.firstName} ${u.lastName}`),
    '',
    `  Paste this${process.platform === 'win32' ? ' into PowerShell' : ''} to see its properties:`,
    `    ${tryOut(publicUrl)}`,
    '',
  ].join('\n')
}
