// CI tries once more what failed, names what that helped, and lets three of them pass.
import { afterAll, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleaner, temporaryFolder } from '../support/folder.ts'

afterAll(cleaner())

const PASSED = ['(pass) at once [0.10ms]', '(pass) a word about (attempt) 2', ' 2 pass']
const again = (...names: string[]) => names.map((name, i) => `(pass) ${name} (attempt 2) [${i}.25ms]`)
const named = (...names: string[]) => names.map((name) => `needed a second try: (pass) ${name} (attempt 2)\n`).join('')

test.each([
  ['nothing', PASSED, 0, ''],
  ['three tests', [...PASSED, ...again('a', 'b', 'c')], 0, named('a', 'b', 'c')],
  ['four tests', [...PASSED, ...again('a', 'b', 'c', 'd')], 1, named('a', 'b', 'c', 'd')],
  ['three tests in two steps each', [...again('a', 'b', 'c'), ...again('c', 'a', 'b')], 0, named('a', 'b', 'c')],
  ['a test that failed again, which fails its own step', ['(fail) e (attempt 2) [1ms]'], 0, ''],
])('%s needed a second try', (_name, lines, code, said) => {
  const log = join(temporaryFolder('tries'), 'log')
  writeFileSync(log, `${lines.join('\n')}\n`)
  const { status, stdout } = spawnSync(join(import.meta.dirname, '../../.ci/second-tries'), [log], { encoding: 'utf8' })
  expect([status, stdout]).toEqual([code, said])
})
