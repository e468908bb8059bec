import { parseArgs } from 'node:util'
import manifest from '../../package.json' with { type: 'json' }
import { loadConfig } from '../config.ts'
import { type Command, options, UsageError, type Values } from './command.ts'
import { secondFolder } from './folders.ts'
import { HELP, helpOf } from './help.ts'
import { actAsOwner, refuseOtherUser, refuseRoot, serviceSettings, settingsPath } from './service.ts'
import { finishCutOff } from './swap.ts'

/** Every command by its name. Each is loaded when it is called: a start reads nothing of the others. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serve,
  demo: async () => (await import('./demo.ts')).demo,
  'demo clear': async () => (await import('./demo.ts')).clearDemo,
  install: async () => (await import('./install.ts')).install,
  doctor: async () => (await import('./doctor.ts')).doctor,
  check: async () => (await import('./check.ts')).check,
  ready: async () => (await import('./ready.ts')).ready,
  migrate: async () => (await import('./migrate.ts')).migrate,
  'user create': async () => (await import('./user.ts')).createUser,
  'user password': async () => (await import('./user.ts')).resetPassword,
  'user second-factor': async () => (await import('./user.ts')).dropSecondFactor,
  import: async () => (await import('./transfer.ts')).importFile,
  export: async () => (await import('./transfer.ts')).exportFile,
  backup: async () => (await import('./backup.ts')).backup,
  'files push': async () => (await import('./files.ts')).pushFiles,
  'files pull': async () => (await import('./files.ts')).pullFiles,
  verify: async () => (await import('./backup.ts')).verify,
  restore: async () => (await import('./restore.ts')).restore,
  rollback: async () => (await import('./restore.ts')).rollback,
  update: async () => (await import('./update.ts')).update,
  'keys new': async () => (await import('./keys.ts')).newKeys,
  'clock confirm': async () => (await import('./clock.ts')).confirmClock,
  openapi: async () => (await import('./openapi.ts')).openapi,
  'keycloak-realm': async () => (await import('./keycloak-realm.ts')).keycloakRealm,
}
/** The options of each command, beside those of all. */
const OPTIONS: Readonly<Record<string, readonly (keyof Values)[]>> = {
  serve: ['domain'],
  install: ['domain', 'root', 'dry-run'],
  'user create': ['phone', 'role', 'org', 'org-name', 'first-name', 'last-name', 'password'],
  'user password': ['phone', 'password'],
  'user second-factor': ['phone', 'off'],
  import: ['operator', 'open', 'undo'],
  export: ['org', 'organization', 'release', 'moved-to', 'forget'],
  backup: ['to'],
  verify: ['plain'],
  restore: ['plain', 'dry-run'],
  rollback: ['dry-run'],
  update: ['check'],
}
const OF_ALL: readonly (keyof Values)[] = ['config', 'help', 'version']
/** The commands whose further words are files, or are refused by the command itself. */
const TAKES_FILES = /^((im|ex)port|backup|verify|restore|rollback|update)$/

/** Runs the command that `args` name, and resolves with the lines to print. @throws what `troubleOf` explains */
export async function call(args: string[]): Promise<string | undefined> {
  const { values, positionals } = parsed(args)
  if (values.version) return manifest.version
  const name = positionals.slice(0, TAKES_FILES.test(positionals[0] ?? '') ? 1 : undefined).join(' ')
  if (name === '' || name === 'help') return HELP
  if (values.help) return helpOf(name)
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!load) throw new UsageError(`There is no command "${name}". loyer --help lists them.`)
  // Passed over, `update FILE --dry-run` would replace the program.
  for (const [option, value] of Object.entries(values)) {
    if (![...OF_ALL, ...(OPTIONS[name] ?? [])].includes(option as keyof Values))
      throw misused(name, `\`loyer ${name}\` has no option --${option}. Nothing was done.`)
    // As by `--root "$FOLDER"` without FOLDER: passed over, it would install into this machine.
    if ([value].flat().includes('')) throw misused(name, `--${option}: it is empty. Nothing was done.`)
  }
  if (positionals.includes('')) throw misused(name, `\`loyer ${name}\`: a word is empty. Nothing was done.`)
  // A demo has a folder of its own beside the service's.
  const isOfService = values.config === undefined || values.config === settingsPath(process.env)
  const ofService = () => (isOfService ? serviceSettings(process.env) : undefined)
  const config = (more: Parameters<typeof loadConfig>[1] = {}) =>
    loadConfig(process.env, { ...more, file: values.config ?? (name.startsWith('demo') ? undefined : ofService()) })
  const folder = (more?: Parameters<typeof loadConfig>[1]) => {
    // A container may serve as root what another user made.
    const refuse = ofService() !== undefined ? refuseOtherUser : name === 'serve' ? undefined : refuseRoot
    const loaded = config(more)
    if (name !== 'rollback' || !actAsOwner(loaded)) refuse?.(loaded)
    finishCutOff(loaded, values.config)
    secondFolder(loaded)
    return loaded
  }
  const command = await load()
  try {
    return await command({ values, files: positionals.slice(1), config, folder })
  } catch (e) {
    throw e instanceof UsageError ? misused(name, e.message) : e
  }
}
const misused = (name: string, message: string): UsageError => new UsageError(`${message}\n\n${helpOf(name)}`)

function parsed(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (e) {
    // The rest of its message is about words that begin with a dash.
    throw new UsageError(
      `${(e as Error).message.split(/\. |\.?\n/)[0]}. Nothing was done; loyer --help lists the options.`,
    )
  }
}
