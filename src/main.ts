import { parseArgs } from 'node:util'
import { isMainThread, workerData } from 'node:worker_threads'
import manifest from '../package.json' with { type: 'json' }
import { finishReplacing } from './adapters/backups/replace.ts'
import { backup, verify } from './commands/backup.ts'
import { confirmClock } from './commands/clock.ts'
import { type Command, options, UsageError } from './commands/command.ts'
import { clearDemo, demo } from './commands/demo.ts'
import { doctor } from './commands/doctor.ts'
import { secondFolder } from './commands/folders.ts'
import { HELP } from './commands/help.ts'
import { install } from './commands/install.ts'
import { keycloakRealm } from './commands/keycloak-realm.ts'
import { newKeys } from './commands/keys.ts'
import { migrate } from './commands/migrate.ts'
import { openapi } from './commands/openapi.ts'
import { ready } from './commands/ready.ts'
import { restore, rollback } from './commands/restore.ts'
import { serve } from './commands/serve.ts'
import { refuseOtherUser, serviceSettings } from './commands/service.ts'
import { exportFile, importFile } from './commands/transfer.ts'
import { troubleOf } from './commands/trouble.ts'
import { update } from './commands/update.ts'
import { createUser, dropSecondFactor, resetPassword } from './commands/user.ts'
import { loadConfig } from './config.ts'

const COMMANDS: Readonly<Record<string, Command>> = {
  serve,
  demo,
  'demo clear': clearDemo,
  install,
  doctor,
  ready,
  migrate,
  'user create': createUser,
  'user password': resetPassword,
  'user second-factor': dropSecondFactor,
  import: importFile,
  export: exportFile,
  backup,
  verify,
  restore,
  rollback,
  update,
  'keys new': newKeys,
  'clock confirm': confirmClock,
  openapi,
  'keycloak-realm': keycloakRealm,
}

async function main(args: string[]): Promise<string | undefined> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  if (values.version) return manifest.version
  const takesFile = /^((im|ex)port|verify|restore|update)$/.test(positionals[0] ?? '')
  const name = positionals.slice(0, takesFile ? 1 : undefined).join(' ')
  if (values.help || name === '' || name === 'help') return HELP
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) throw new UsageError(`There is no command "${name}".`)
  // A demo has a folder of its own beside the service's.
  const ofService = () => (values.config === undefined ? serviceSettings(process.env) : undefined)
  const config = (more: Parameters<typeof loadConfig>[1] = {}) =>
    loadConfig(process.env, { ...more, file: values.config ?? (more.defaults ? undefined : ofService()) })
  const folder = () => {
    const found = secondFolder(ofService() === undefined ? config() : refuseOtherUser(config()))
    finishReplacing(found)
    return found
  }
  return command({ values, files: positionals.slice(1), config, folder })
}

try {
  // In the binary these threads run this very program, because a second copy of its code would be 3 MB.
  if (!isMainThread && workerData?.thread === 'backups') await import('./adapters/backups/worker.ts')
  else if (!isMainThread) await import('./adapters/imports/worker.ts')
  else {
    const lines = await main(process.argv.slice(2))
    if (lines !== undefined) process.stdout.write(`${lines}\n`)
  }
} catch (e) {
  const { lines, exitCode } = troubleOf(e)
  process.stderr.write(`${lines.join('\n')}\n`)
  process.exit(exitCode)
}
