// A sentence of the pages that says that Loyer sends something has a second form, for a server from which nothing is sent.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { parse, walk } from '../support/sources.ts'

const ui = join(import.meta.dirname, '../../src/ui')
const SENT = {
  fr: /(?<!\p{L})(?:envoi(?:e|ent|ons)|envoyée?s?|re[çc]oi(?:t|vent)|prévenue?s?|(?:re)?part(?:ent)? (?:à|le|pour)|en route)(?!\p{L})/iu,
  en: /\b(?:is|are|was|were|be|been|being) (?:sent|told|notified)\b|\b(?:get|receive)s? a message\b|\bgoes (?:out|there|to)\b|\bon (?:its|their) way\b|\bthe tenant gets\b/iu,
}
/** What a person or a program sent, or what the server answered that it has sent; each by its file and its key. */
const OWN = [
  /^console\/pages\/webhooks\//,
  /webhook_delivery\./,
  // what people say that they sent
  /^console\/pages\/outbox\/words\.ts:(?:counts|asked|sentAt|yes|history)$/,
  /rent_message\.handle$/,
  /message\.send$/,
  // that nothing can be sent
  /bookings\/words\.ts:onPaper$/,
  /codeSent$|\.oldCode$|inspections\.ts:sent$|phone-words\.ts:codeSent$/,
  /^shared\/form-words\.ts:pressAgain$/,
  /^shared\/repairs\.ts:sent$/,
  /photoSent$/,
  /proof-words\.ts:(?:sent|since|status\.(?:DRAFT|SUBMITTED))$/,
  /tenants\/words\.ts:channel$/,
  /photo-words\.ts:hint$/,
  // shown with `silent`, which says so
  /^shared\/news-words\.ts:/,
  /invoices\/words\.ts:(?:fate\.|mineHint)/,
  /reminders\/words\.ts:(?:mineHint)$/,
  /^portal\/pages\/(?:rent|requests|identity|homes|me|lease)\//,
  /declare\/words\.ts:payToChanged$/,
]

type Said = { readonly key: string; readonly text: string; readonly either: boolean }
const nameOf = (node: ts.Node): string =>
  ts.isPropertyAssignment(node) ? node.name.getText().replaceAll(/^['"]|['"]$/g, '') : ''
/** The words of a language in a file, by the path of their keys. */
function wordsOf(file: ts.SourceFile, path: string, language: string): Said[] {
  const said: Said[] = []
  walk(file, (node) => {
    const text =
      ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node)
        ? node.text
        : undefined
    if (text === undefined) return
    const keys: string[] = []
    let either = false
    let of = ''
    for (let up: ts.Node = node; up.parent; up = up.parent) {
      if (ts.isCallExpression(up.parent) && up.parent.expression.getText() === 'either') either = true
      if (nameOf(up) !== '') keys.unshift(nameOf(up))
      if (ts.isVariableDeclaration(up)) of = up.name.getText()
    }
    if (of === language || of.endsWith(`_${language.toUpperCase()}`))
      said.push({ key: `${path}:${keys.join('.')}`, text, either })
  })
  return said
}
const files = [...new Bun.Glob('**/*.ts').scanSync({ cwd: ui })]
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !path.endsWith('.gen.ts'))
  .map((path) => ({ path, root: parse(path, readFileSync(join(ui, path), 'utf8')).root }))

test.each(['fr', 'en'] as const)('what is said to be sent has both forms (%s)', (language) => {
  const said = files.flatMap(({ path, root }) => wordsOf(root, path, language))
  const bare = said.filter(
    ({ key, text, either }) => !either && SENT[language].test(text) && !OWN.some((one) => one.test(key)),
  )
  expect(bare.map(({ key, text }) => `${key}: ${text}`)).toEqual([])
  expect(said.filter(({ either }) => either).length).toBeGreaterThan(30)
})

test('both languages have both forms of the same sentences', () => {
  const formed = (language: 'fr' | 'en') =>
    new Set(
      files
        .flatMap(({ path, root }) => wordsOf(root, path, language).filter((one) => one.either))
        .map(({ key }) => key),
    )
  const [fr, en] = [formed('fr'), formed('en')]
  expect([...fr.symmetricDifference(en)]).toEqual([])
})

test.each([
  ['Le bail est envoyé.', 'fr'],
  ['Une invitation part à ce numéro.', 'fr'],
  ['Il reçoit un avis.', 'fr'],
  ['The tenant is told.', 'en'],
] as const)('caught: %s', (text, language) => expect(text).toMatch(SENT[language]))
test.each(['Envoyer', 'Une part des charges', 'À partir du 5', 'Reçu le'])('left alone: %s', (text) =>
  expect(text).not.toMatch(SENT.fr),
)
