// Builds the console and the portal into dist/ui; with --check it checks their types instead. Does nothing while no input
// has changed, so that every start and every check may run it.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'vite'

const root = join(import.meta.dirname, '..')
const sources = [
  'bun.lock',
  'scripts/ui.ts',
  ...globSync('src/ui/**/*.{ts,svelte,css,html,json,svg,png}', { cwd: root }).sort(),
]

const read = (file: string): string | undefined => {
  try {
    return readFileSync(join(root, file), 'utf8')
  } catch {
    return undefined
  }
}

/** Runs `work` unless it ran well for the same inputs; the file `mark` remembers them. */
async function once(mark: string, inputs: readonly string[], work: () => Promise<void>): Promise<void> {
  const hash = createHash('sha256')
  for (const name of inputs) hash.update(`${name}\0${read(name)}\0`)
  const now = hash.digest('hex')
  if (read(mark) === now) return
  const started = performance.now()
  await work()
  mkdirSync(dirname(join(root, mark)), { recursive: true })
  writeFileSync(join(root, mark), now)
  process.stdout.write(`${mark}  ${((performance.now() - started) / 1000).toFixed(1)} s\n`)
}

if (process.argv.includes('--check'))
  await once('dist/ui.checked', [...sources, 'tsconfig.json', 'src/client/api.gen.ts'], async () => {
    const args = ['--tsconfig', 'src/ui/tsconfig.json', '--fail-on-warnings', '--output', 'human']
    const command = join(root, 'node_modules/svelte-check/bin/svelte-check')
    const { status } = spawnSync(process.execPath, [command, ...args], { cwd: root, stdio: 'inherit' })
    if (status !== 0) process.exit(1)
  })
else
  await once('dist/ui/.inputs', sources, async () => {
    rmSync(join(root, 'dist/ui'), { recursive: true, force: true })
    for (const mode of ['console', 'portal'])
      await build({ configFile: join(root, 'src/ui/vite.config.ts'), logLevel: 'warn', mode })
  })
