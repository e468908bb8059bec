import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { missingOf, syncFile } from '../../db/files.ts'
import { type Config, ConfigError, loadConfig } from '../config.ts'
import type { Command } from './command.ts'
import { httpsOf, LOOPBACK, proxyText } from './domain.ts'
import { expectNotOlder, hashOf, ownProgram } from './program.ts'
import { askReady } from './ready.ts'
import { INSTALLED, isContainer, SERVICE_SETTINGS, SERVICE_USER } from './service.ts'
import { previousOf, swap } from './swap.ts'
import { unitOf } from './unit.ts'

const UNIT = '/etc/systemd/system/loyer.service'
const DATA = '/var/lib/loyer'

type Machine = {
  readonly platform: string
  /** Whether systemd runs this machine. */
  readonly systemd: boolean
  readonly container: boolean
  readonly root: boolean
}

const machine = (): Machine => ({
  platform: process.platform,
  systemd: existsSync('/run/systemd/system'),
  container: isContainer(),
  root: process.getuid?.() === 0,
})

/** Advice for a machine where the unit cannot be installed, such as one without systemd; undefined otherwise. */
export function elsewhere({ platform, systemd, container, root }: Machine): string | undefined {
  if (platform === 'win32')
    return 'Windows has no systemd. Let the Task Scheduler start Loyer with the machine: schtasks /create /tn Loyer /sc onstart /ru "NT AUTHORITY\\LOCAL SERVICE" /tr "C:\\Loyer\\loyer.exe serve --config C:\\Loyer\\loyer.env", with LOYER_DATA=C:\\Loyer\\data in that file.'
  if (platform === 'darwin')
    return 'macOS has no systemd. Let launchd keep Loyer running: a file /Library/LaunchDaemons/cm.loyer.plist with ProgramArguments "/usr/local/bin/loyer serve --config /etc/loyer.env", RunAtLoad and KeepAlive, and LOYER_DATA=/usr/local/var/loyer in /etc/loyer.env.'
  if (systemd) return root ? undefined : 'Only root can install a service: sudo ./loyer install'
  if (container)
    return 'A container has no systemd: make `loyer serve` its command, put a volume at LOYER_DATA, and let the engine start it again (--restart unless-stopped). scripts/deploy has a Dockerfile and a compose.yaml.'
  return `This machine is not run by systemd. Let its init keep \`loyer serve --config ${SERVICE_SETTINGS}\` running as a user of its own, with an absolute LOYER_DATA in that file; \`loyer install --dry-run\` prints what the unit would say.`
}

const settingsText = (
  address: string | undefined,
): string => `# Settings of Loyer: one KEY=value on a line. Every command on this machine reads them.
LOYER_DATA=${DATA}
${address === undefined ? '# PUBLIC_URL=https://rent.example.cm' : `PUBLIC_URL=${address}`}
TRUSTED_PROXIES=${LOOPBACK}
`

/**
 * The settings that the service will have.
 * @throws ConfigError for a relative folder, which depends on the current directory
 */
function settingsOf(text: string, file: string, isThere: boolean, address: string | undefined): Config {
  if (!/^\s*(?:export\s+)?LOYER_DATA\s*=\s*["']?\//m.test(text))
    throw new ConfigError([`LOYER_DATA: give ${file} an absolute folder, such as LOYER_DATA=${DATA}`])
  if (isThere) return loadConfig({}, { file })
  return loadConfig({ LOYER_DATA: DATA, PUBLIC_URL: address })
}

/** Refuses a folder with spaces or with characters that systemd interprets in a unit. */
function plain(folder: string): string {
  if (/[\s%"'\\]/.test(folder)) throw new ConfigError([`${folder}: choose a folder without spaces, quotes or %`])
  return folder
}

/** `loyer install`: writes a systemd unit and its settings, and starts the service; says what to do where there is none. */
export const install: Command = async ({ values }) => {
  const { domain, root = '', 'dry-run': dry } = values
  const address = domain && httpsOf(domain)
  const instead = dry || root !== '' ? undefined : elsewhere(machine())
  if (instead !== undefined) throw new Error(instead)

  const settingsFile = join(root, SERVICE_SETTINGS)
  const isThere = existsSync(settingsFile)
  const settings = isThere ? readFileSync(settingsFile, 'utf8') : settingsText(address)
  const config = settingsOf(settings, settingsFile, isThere, address)
  const { place } = config.backup
  const data = plain(config.dataDir)
  const backups = (place && !place.s3 ? [place.to] : []).map(plain)
  const isOutside = (folder: string) => !`${folder}/`.startsWith(`${data}/`)
  const unit = unitOf({
    program: INSTALLED,
    data,
    backups: backups.filter(isOutside),
    port: config.port,
  })

  if (dry) return [`# ${SERVICE_SETTINGS}`, settings, `# ${UNIT}`, unit].join('\n')
  copyProgram(join(root, INSTALLED))
  if (root === '') addUser()
  if (!isThere) put(settingsFile, settings, 0o640)
  put(join(root, UNIT), unit, 0o644)
  if (root === '') {
    for (const folder of [data, ...backups]) giveTo(folder, idOf('-u'), idOf('-g'))
    if (!isThere) chownSync(settingsFile, 0, idOf('-g'))
    run('systemctl', 'daemon-reload')
    run('systemctl', 'enable', 'loyer.service')
    run('systemctl', 'restart', 'loyer.service')
  }
  return [
    root === '' ? await startedText(config, isActive) : `Written below ${root}.`,
    `  data       ${config.dataDir}`,
    `  settings   ${SERVICE_SETTINGS}${isThere ? ' (left as it was)' : ''}`,
    `  unit       ${UNIT}`,
    `  address    ${config.publicUrl}`,
    ...otherAddress(address, config),
    '  log, with the link that sets up a new server:  journalctl -u loyer -n 50',
    `  other commands:  sudo -u ${SERVICE_USER} loyer doctor`,
    ...(domain === undefined ? [] : [proxyText(domain, config.port).trimEnd()]),
  ].join('\n')
}

const TRIES = 20
const WAIT_MS = 500
const isActive = (): boolean => spawnSync('systemctl', ['is-active', '--quiet', 'loyer.service']).status === 0
/** Whether the service works: systemd starts one whose port is taken again and again, and calls that no fault. */
export async function startedText(
  config: Pick<Config, 'host' | 'port'>,
  active: () => boolean,
  tries = TRIES,
): Promise<string> {
  for (let i = 0; i < tries; i++) {
    const answers = await askReady(config).then(
      () => true,
      () => false,
    )
    // What answers may be another Loyer, such as a demo that has the port.
    if (answers && active()) return 'Loyer is running, and starts with the machine.'
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
  }
  return 'Loyer is installed, and does not answer yet. The log says why: journalctl -u loyer -n 50'
}

/** Settings that are there stay as they are, so a domain given later has no effect by itself. */
function otherAddress(address: string | undefined, { publicUrl }: Config): string[] {
  if (address === undefined || publicUrl === address) return []
  return [
    `  to be reached at ${address}, write PUBLIC_URL=${address} into ${SERVICE_SETTINGS}, then: sudo systemctl restart loyer`,
  ]
}

/** Makes a folder of the system that everybody may enter and only its owner may change, whatever the umask is. */
function makeOpen(folder: string): void {
  const missing = missingOf(folder)
  mkdirSync(folder, { recursive: true })
  for (const path of missing) chmodSync(path, 0o755)
}

/** Replaces a file as a whole, so that a power cut leaves the old one or the new. */
function put(file: string, text: string, mode: number): void {
  makeOpen(dirname(file))
  writeFileSync(`${file}.new`, text, { mode, flush: true })
  chmodSync(`${file}.new`, mode)
  renameSync(`${file}.new`, file)
}

/** Copies the running binary to its place; Loyer run from source has none. */
function copyProgram(to: string): void {
  if (ownProgram() !== undefined) putProgram(process.execPath, to)
  else if (to === INSTALLED)
    throw new Error('Only the binary can be installed: npm run build, then sudo dist/loyer install')
}
/**
 * Puts a program in its place. Another one that was there is kept for a rollback, as `update` does: an older one, kept
 * since an update before, would not know the database.
 *
 * @throws StoreError if the one that is there is newer
 */
export function putProgram(from: string, to: string): void {
  const replaces = existsSync(to)
  if (replaces && hashOf(from).equals(hashOf(to))) return
  if (replaces) expectNotOlder(from, to)
  makeOpen(dirname(to))
  copyFileSync(from, `${to}.new`)
  chmodSync(`${to}.new`, 0o755)
  syncFile(`${to}.new`)
  if (replaces) {
    swap(`${to}.new`, to, previousOf(to))
    // With the mode of what was there, which may be no program at all.
    chmodSync(to, 0o755)
  } else renameSync(`${to}.new`, to)
}

function run(command: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${(error?.message ?? stderr).trim()}`)
  return stdout.trim()
}

const idOf = (kind: '-u' | '-g'): number => Number(run('id', kind, SERVICE_USER))

function addUser(): void {
  if (spawnSync('id', [SERVICE_USER]).status === 0) return
  run('useradd', '--system', '--user-group', '--home-dir', DATA, '--shell', '/usr/sbin/nologin', SERVICE_USER)
}

/**
 * A new folder becomes the service's, with those above it that were missing: root's alone, it could not get through them.
 * One that is there keeps its owner, which systemd would name in the log.
 */
export function giveTo(folder: string, uid: number, gid: number): void {
  const missing = missingOf(folder)
  if (missing.length === 0) return
  mkdirSync(dirname(folder), { recursive: true, mode: 0o755 })
  mkdirSync(folder, { mode: 0o700 })
  for (const path of missing) chownSync(path, uid, gid)
}
