// What the dashboard, the alert rules and the handbook say of metrics, against what a running service prints.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleaner, temporaryFolder } from '../support/folder.ts'
import { launch, startServer } from '../support/server.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
/** A name with a colon is one that the rules record themselves. */
const metricsIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/\bloyer_[a-z_]+(?![a-z_:])/g)].map(([name]) => name.replace(/_(bucket|count|sum)$/, '')),
  ),
]
type Panel = { readonly targets?: readonly { readonly expr: string }[]; readonly panels?: readonly Panel[] }
const asked = (panels: readonly Panel[]): string[] =>
  panels.flatMap(({ targets = [], panels: inner = [] }) => [...targets.map(({ expr }) => expr), ...asked(inner)])

afterAll(cleaner())
let printed: string[] = []
/** What /metrics answered last. */
let page = ''
beforeAll(async () => {
  const data = temporaryFolder('monitored')
  const env = {
    MESSAGING_PRICE_SMS: '18',
    MESSAGING_PRICE_WHATSAPP: '9',
    BACKUP_TO: join(data, 'backups'),
  }
  const account = '--phone +237677000001 --role OWNER --role ADMIN --first-name Awa --last-name Ngo'.split(' ')
  expect((await launch({ data, command: 'user create', args: account }).end()).code).toBe(0)
  const server = await startServer({ data, command: 'serve', env })
  const backup = launch({ data, command: 'backup', env })
  expect([(await backup.end()).code, backup.output()]).toEqual([0, expect.stringContaining('opened and checked')])
  const asked = await server.call('', 'POST /api/v1/registration/otp', { phoneNumber: '+237677123456' })
  expect(asked).toMatchObject({ status: 202 })
  for (const until = Date.now() + 60_000; Date.now() < until; await Bun.sleep(100)) {
    page = await fetch(`${server.base}/metrics`).then((answer) => answer.text())
    printed = [...page.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name)
    const late = ['loyer_message_cost_xaf_total', 'loyer_event_loop_delay_max_seconds', 'loyer_database_intact']
    if (late.every((name) => printed.includes(name))) break
  }
  expect((await server.end('SIGTERM')).code).toBe(0)
}, 90_000)

const table = (language: string): string =>
  read(`src/web/handbook/${language}/operations.md`)
    .split('\n')
    .filter((line) => line.startsWith('| `loyer_'))
    .join('\n')
const dashboard = (): string =>
  asked((JSON.parse(read('scripts/deploy/monitoring/dashboard.json')) as Panel).panels ?? []).join('\n')

test.each([
  ['the alert rules', () => read('scripts/deploy/monitoring/loyer.rules.yml')],
  ['the dashboard', dashboard],
])('%s: no metric that is not printed', (_name, text) => {
  const named = metricsIn(text())
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((metric) => !printed.includes(metric))).toEqual([])
})

test.each(['en', 'fr'])('the handbook in %s: the metrics that are printed, and no other', (language) => {
  expect(metricsIn(table(language)).sort()).toEqual([...printed].sort())
})

test.skipIf(Bun.which('promtool') === null)('Prometheus finds nothing to say against the metrics', () => {
  const { exitCode, stdout, stderr } = Bun.spawnSync(['promtool', 'check', 'metrics'], { stdin: Buffer.from(page) })
  expect([exitCode, `${stdout}${stderr}`]).toEqual([0, ''])
})

const rules = join(root, 'scripts/deploy/monitoring')
test.skipIf(Bun.which('promtool') === null)(
  'Prometheus takes the alert rules, and they fire as their tests say',
  () => {
    const { exitCode, stdout, stderr } = Bun.spawnSync(['promtool', 'test', 'rules', 'loyer.rules.test.yml'], {
      cwd: rules,
    })
    expect([exitCode, `${stdout}${stderr}`]).toEqual([0, expect.stringContaining('SUCCESS')])
  },
)
