// The closed list of event types: every recorded action has one, every one is recorded, and the handbook names them all.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  EVENT_OBJECTS,
  EVENT_TYPES,
  eventTypeOf,
  objectOf,
  SENT_OBJECTS,
  SENT_TYPES,
} from '../../../../src/features/data/events/rules.ts'
import { createTestApp } from '../../../support/app.ts'
import { world } from '../../../support/world.ts'

const root = join(import.meta.dirname, '../../../..')
const code = [...new Bun.Glob('src/features/*/*/*.ts').scanSync({ cwd: root })]
  .filter((file) => !file.endsWith('events/rules.ts'))
  .map((file) => readFileSync(join(root, file), 'utf8'))
/** Actions that are put together from a prefix and the action of a table of moves. */
const MOVES = {
  booking: ['submit', 'activate', 'cancel'],
  payment: ['reject', 'reverse', 'withdraw'],
  repair: ['see', 'plan', 'finish', 'refuse', 'reopen'],
  verification: ['attach', 'submit', 'start-review', 'request-info', 'approve', 'reject', 'revoke', 'forget'],
}
const moved = Object.entries(MOVES).flatMap(([object, moves]) => moves.map((move) => `${object}.${move}`))

/** The actions that the code spells in calls which record one. */
function spelled(): string[] {
  const words = `'((?:${EVENT_OBJECTS.join('|')})\\.[a-z_-]+)'`
  const calls = new RegExp(`\\b(?:record|change|told|credited|saveLease|moveInspection)\\(.*?${words}`, 'gs')
  return code.flatMap((text) =>
    text
      .split(/\n(?=export |const |function |async )/)
      .filter((part) => !/^const \w+ = (query|exists|reading)\(/.test(part))
      .flatMap((part) => [...part.matchAll(calls)].map(([, action = '']) => action)),
  )
}

test('every recorded action of an object has its event', async () => {
  const t = createTestApp()
  await world(t)
  await t.work()
  const list = EVENT_OBJECTS.map((object) => `'${object}'`).join()
  const rows = t.rows(`select distinct action from audit_entry where subject_type in (${list})`)
  const recorded = rows.map(({ action }) => String(action))
  expect(recorded.length).toBeGreaterThan(20)
  expect([...recorded, ...moved].filter((action) => !eventTypeOf(action))).toEqual([])
  // A job's name where an action was looked for: `booking.activated` is queued in the same function.
  const jobs = /enqueue\(\s*ctx,\s*'([a-z_.]+)'/g
  const queued = new Set(code.flatMap((text) => [...text.matchAll(jobs)].map(([, name = '']) => name)))
  expect(
    spelled().filter((action) => !eventTypeOf(action) && !queued.has(action) && action !== 'booking.file'),
  ).toEqual([])
})

test('every event of the list is told of somewhere', () => {
  const all = code.join('\n')
  const actions = [...all.matchAll(/'([a-z_]+\.[a-z_-]+)'/g)].map(([, action = '']) => action)
  const told = new Set([...actions, ...moved].map(eventTypeOf))
  expect(EVENT_TYPES.filter((type) => !told.has(type))).toEqual([])
  for (const object of Object.keys(MOVES)) expect(all).toContain(`\`${object}.$\{`)
})

test('the console has the same list, with the actions whose words it uses', () => {
  const text = readFileSync(join(root, 'src/ui/console/pages/webhooks/endpoints.ts'), 'utf8')
  const pairs = [...text.matchAll(/^ {2}'([a-z_.]+)': '([a-z_.-]+)',$/gm)].map(([, type, action]) => [type, action])
  expect(pairs.map(([type]) => type)).toEqual([...EVENT_TYPES])
  expect(pairs.filter(([type, action = '']) => eventTypeOf(action) !== type)).toEqual([])
})

test.each(['en', 'fr'])('the handbook (%s) names every event and every object', (language) => {
  const text = readFileSync(join(root, `src/web/handbook/${language}/api.md`), 'utf8')
  const rows = [...text.matchAll(/^\| `([a-z_.]+)` \|/gm)].map(([, word = '']) => word)
  expect(rows.filter((word) => word.includes('.') && word !== 'data.object')).toEqual([...SENT_TYPES])
  for (const object of SENT_OBJECTS) expect(rows).toContain(object)
  expect(new Set(EVENT_TYPES.map(objectOf))).toEqual(new Set(EVENT_OBJECTS))
})
