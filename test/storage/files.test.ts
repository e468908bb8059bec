// What goes with a folder that is removed, and what must not.
import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeAll } from '../../db/files.ts'
import { cleaner, temporaryFolder } from '../support/folder.ts'

afterAll(cleaner())
const folder = temporaryFolder('remove')
const at = (...names: string[]) => join(folder, ...names)

test('a folder goes with all that is in it; what a link in it leads to stays', () => {
  mkdirSync(at('gone/inner/empty'), { recursive: true })
  mkdirSync(at('stays'))
  for (const file of ['gone/a', 'gone/inner/.b', 'stays/c']) writeFileSync(at(file), file)
  symlinkSync(at('stays'), at('gone/link'))
  symlinkSync(at('nowhere'), at('gone/inner/broken'))
  removeAll(at('gone'))
  expect([existsSync(at('gone')), readdirSync(at('stays'))]).toEqual([false, ['c']])
})

test('a file goes; a link goes alone; what is not there is no fault', () => {
  mkdirSync(at('other'))
  writeFileSync(at('other/c'), 'c')
  symlinkSync(at('other'), at('link'))
  for (const name of ['other/c', 'link', 'link', 'nothing/at/all']) removeAll(at(name))
  expect([existsSync(at('link')), readdirSync(at('other'))]).toEqual([false, []])
})
