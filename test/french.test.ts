// French as a letter-writer would put it: every French text of the source, of the pages and of the handbook.
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { parse, walk } from './support/sources.ts'

const root = join(import.meta.dirname, '..')
/** A word that has lost its vowel, with the apostrophe of a typewriter: `l'eau`, `qu'il`, `jusqu'à`, also before `${…}`. */
const STRAIGHT = /(?<![\p{L}\p{M}])(?:[cdjlmnst]|(?:jus|lors|puis|quel)?qu|aujourd)\\?'(?=[\p{L}$])/iu

/**
 * A plain space where U+00A0 belongs: before `; : ! ? »` and after `«`. A question mark counts at the end of a sentence
 * only, and not behind a word of SQL.
 */
const SPACE =
  /(?<=[\p{L}\p{M}\d’)»%}…”*]) (?:[;!»](?=[\s<).,»'`$*]|$)|:(?=[\s<).»'`$*]|$)|(?<!\b(?:by|into|limit|offset) )\?(?=['`»]| [\p{Lu}$]|$))|« /mu
/** A plain space between a number and what it counts, where a line may end: `34 jours`, `${n} ${n > 1 ? 'jours' : 'jour'}`. */
const COUNTED =
  /(?:\d|\$\{[\w.()]+\}) (?:jours|mois|ans|heures|secondes|lignes|logements|locataires|baux|factures|biens|personnes|chambres|m²)(?![\p{L}’])|\} \$\{\w+ > 1 \?/u
const FAULTS: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a straight apostrophe between French letters', STRAIGHT],
  ['a plain space where French has U+00A0', SPACE],
]

const isText = (node: ts.Node): boolean =>
  ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node)

test.each(["Ce n'est pas", `L'avis`, "jusqu'au 5", "aujourd'hui", "'d\\'eau'", `Bail d'\${name}`])(
  'caught: %s',
  (text) => expect(text).toMatch(STRAIGHT),
)
test.each(['Ce n’est pas', "the tenant's", "don't", "of 'A1'", "it's", "'en'"])('left alone: %s', (text) =>
  expect(text).not.toMatch(STRAIGHT),
)

test.each([
  'Ce bail : signé',
  'Fini ; rien',
  'Un an !',
  "'Pour qui ?'",
  'Qui ? Vous',
  '« A1\u00a0»',
  '«\u00a0A1 »',
  '`Nom : $',
])('a plain space is caught: %s', (text) => expect(text).toMatch(SPACE))
test.each([
  'Ce bail\u00a0: signé',
  'à 10:30',
  'the lease: signed',
  "x ? 'a' : 'b'",
  'select 1 limit ?',
  'http://a.cm',
  '« A1 »'.replaceAll(' ', '\u00a0'),
])('no plain space to mend: %s', (text) => expect(text).not.toMatch(SPACE))

test.each(['dans 34 jours', `\`\${n} mois\``, `\`\${n} \${n > 1 ? 'a' : 'b'}\``, `\`\${f.number(a)} m²\``])(
  'a number apart from what it counts is caught: %s',
  (text) => expect(text).toMatch(COUNTED),
)
test.each(['dans 34\u00a0jours', `\`\${n} moisson\``, `\`\${n} \${name}\``])('beside what it counts: %s', (text) =>
  expect(text).not.toMatch(COUNTED),
)

/** The text of the files of some folders, of those that were written by hand. */
const textsOf = (...globs: readonly string[]): [path: string, text: string][] => {
  const files = globs.flatMap((glob) => [...new Bun.Glob(glob).scanSync(root)])
  expect(files.length).toBeGreaterThan(10)
  return files
    .filter((path) => !path.endsWith('.gen.ts'))
    .map((path): [string, string] => [path, readFileSync(join(root, path), 'utf8')])
}

describe.each(FAULTS)('%s', (_, pattern) => {
  test('no text of the source has it', () => {
    const found: string[] = []
    for (const [path, text] of textsOf('src/**/*.ts', 'db/**/*.ts').filter(([, all]) => pattern.test(all)))
      walk(parse(path, text).root, (node) => {
        if (isText(node) && pattern.test(node.getText())) found.push(`${path}: ${node.getText().slice(0, 80)}`)
      })
    expect(found).toEqual([])
  }, 60_000)

  test('no chapter of the handbook has it', () => {
    // What stands in code is not French.
    const prose = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '`')
    const found = textsOf('src/web/handbook/fr/*.md').flatMap(([path, text]) =>
      prose(text)
        .split('\n')
        .filter((line) => pattern.test(line))
        .map((line) => `${path}: ${line.slice(0, 80)}`),
    )
    expect(found).toEqual([])
  })
})

test('no page has a straight apostrophe between French letters', () => {
  const found = textsOf('src/ui/**/*.svelte').filter(([, text]) => STRAIGHT.test(text))
  expect(found.map(([path]) => path)).toEqual([])
})

test('no page lets a line end between a number and what it counts', () => {
  const texts = textsOf('src/ui/**/*.{ts,svelte}', 'src/web/*.ts', 'src/web/doors/*.ts')
  const found = texts.flatMap(([path, text]) =>
    text.split('\n').flatMap((line) => (COUNTED.test(line) ? [`${path}: ${line.trim()}`] : [])),
  )
  expect(found).toEqual([])
})
