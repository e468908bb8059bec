import type { parseArgs } from 'node:util'
import type { Config, loadConfig } from '../config.ts'
import type { Text } from '../error-codes.ts'

export const options = {
  config: { type: 'string' },
  help: { type: 'boolean' },
  version: { type: 'boolean' },
  phone: { type: 'string' },
  role: { type: 'string', multiple: true },
  org: { type: 'string' },
  organization: { type: 'string' },
  release: { type: 'boolean' },
  'moved-to': { type: 'string' },
  forget: { type: 'boolean' },
  open: { type: 'string' },
  undo: { type: 'string' },
  operator: { type: 'boolean' },
  'org-name': { type: 'string' },
  'first-name': { type: 'string' },
  'last-name': { type: 'string' },
  password: { type: 'string' },
  off: { type: 'boolean' },
  domain: { type: 'string' },
  root: { type: 'string' },
  to: { type: 'string' },
  check: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  plain: { type: 'boolean' },
} as const
export type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values']

/** The parsed command line: `files` are the words after the command's name. */
export type CommandLine = {
  readonly values: Values
  readonly files: readonly string[]
  /** Settings from the environment and `--config`. @throws ConfigError */
  readonly config: (more?: Parameters<typeof loadConfig>[1]) => Config
  /** The same for a command that uses the data folder: prints a notice if this machine has another folder in use. */
  readonly folder: (more?: Parameters<typeof loadConfig>[1]) => Config
}
/** Resolves with the lines to print, if there are any. */
export type Command = (line: CommandLine) => string | undefined | Promise<string | undefined>

/** A sentence in the language of the terminal, as POSIX has it: the first of these variables that says anything. */
export const spoken = ({ en, fr }: Text, { LC_ALL, LC_MESSAGES, LANG } = process.env): string =>
  (LC_ALL || LC_MESSAGES || LANG || '').startsWith('fr') ? fr : en

/** A usage error: the command's part of the help follows the message, exit 64. */
export class UsageError extends Error {}
