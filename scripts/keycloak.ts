// npm run test:keycloak: the identity tests against a real Keycloak, fetched with Maven and kept in node_modules/.cache.
import { spawnSync } from 'node:child_process'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const VERSION = '26.4.7'
const PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1'
const root = join(import.meta.dirname, '..')
const cache = join(root, 'node_modules/.cache')
const home = join(cache, `keycloak-${VERSION}`)

const say = (line: string): void => void process.stdout.write(`${line}\n`)
/** Runs a command to its end; exits with its code when it fails. */
function run(command: string, args: readonly string[], env: Record<string, string> = {}): void {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
  if (error) say(`${command}: ${error.message}`)
  if (status !== 0) process.exit(status ?? 1)
}

/** The major version of the machine's Java; 0 without one. */
function javaVersion(): number {
  if (Bun.which('java') === null) return 0
  const { stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' })
  return Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0)
}

const missing = [...(Bun.which('mvn') === null ? ['Maven'] : []), ...(javaVersion() < 17 ? ['Java 17'] : [])]
if (missing.length > 0) {
  say(`test:keycloak did not run: there is no ${missing.join(' and no ')} here.`)
  process.exit(0)
}
if (!existsSync(home)) {
  say(`Fetching Keycloak ${VERSION} ...`)
  // Unpacked beside its place, so that a fetch cut short leaves nothing that looks whole.
  const draft = join(cache, 'keycloak.draft')
  rmSync(draft, { recursive: true, force: true })
  const artifact = `-Dartifact=org.keycloak:keycloak-quarkus-dist:${VERSION}:zip`
  run('mvn', ['-q', '-B', `${PLUGIN}:unpack`, artifact, `-DoutputDirectory=${draft}`, `-Dproject.basedir=${cache}`])
  renameSync(join(draft, `keycloak-${VERSION}`), home)
  rmSync(draft, { recursive: true, force: true })
}
// Its clock is the machine's, and tokens count by it.
run(process.execPath, ['test', './test/keycloak/real.ts'], { KEYCLOAK_HOME: home, TEST_DATE: 'now' })
