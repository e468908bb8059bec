// French as a letter-writer would put it: every French text of the source, of the pages and of the handbook.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { parse, walk } from './support/sources.ts'

const root = join(import.meta.dirname, '..')
/** A word that has lost its vowel, with the apostrophe of a typewriter: `l'eau`, `qu'il`, `jusqu'à`, also before `${…}`. */
const STRAIGHT = /(?<![\p{L}\p{M}])(?:[cdjlmnst]|(?:jus|lors|puis|quel)?qu|aujourd)\\?'(?=[\p{L}$])/iu

const isText = (node: ts.Node): boolean =>
  ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node)

test.each(["Ce n'est pas", `L'avis`, "jusqu'au 5", "aujourd'hui", "'d\\'eau'", `Bail d'\${name}`])(
  'caught: %s',
  (text) => expect(text).toMatch(STRAIGHT),
)
test.each(['Ce n’est pas', "the tenant's", "don't", "of 'A1'", "it's", "'en'"])('left alone: %s', (text) =>
  expect(text).not.toMatch(STRAIGHT),
)

/** The files of some folders whose text has such an apostrophe, in a comment or in code as well. */
const suspects = (...globs: readonly string[]): [path: string, text: string][] => {
  const files = globs.flatMap((glob) => [...new Bun.Glob(glob).scanSync(root)])
  expect(files.length).toBeGreaterThan(100)
  return files
    .filter((path) => !path.endsWith('.gen.ts'))
    .map((path): [string, string] => [path, readFileSync(join(root, path), 'utf8')])
    .filter(([, text]) => STRAIGHT.test(text))
}

test('no text of the source has a straight apostrophe between French letters', () => {
  const found: string[] = []
  for (const [path, text] of suspects('src/**/*.ts', 'db/**/*.ts'))
    walk(parse(path, text).root, (node) => {
      if (isText(node) && STRAIGHT.test(node.getText())) found.push(`${path}: ${node.getText().slice(0, 80)}`)
    })
  expect(found).toEqual([])
})

test('neither has a page or a chapter of the handbook', () => {
  expect(suspects('src/ui/**/*.svelte', 'src/web/handbook/fr/*.md').map(([path]) => path)).toEqual([])
})
