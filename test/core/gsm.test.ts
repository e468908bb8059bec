import { expect, test } from 'bun:test'
import { gsmText, smsLength, smsText } from '../../src/core/gsm.ts'

const written: [text: string, as: string, why: string][] = [
  ['à é è ù ì ò É Ä ö ü ñ £ § ¿ @ _', 'à é è ù ì ò É Ä ö ü ñ £ § ¿ @ _', 'in the alphabet'],
  ['{[~]}^|\\€', '{[~]}^|\\€', 'in its extension'],
  ['ê ô î û â ë ï ç À È Ô', 'e o i u a e i c A E O', 'accents it has not'],
  ['e\u0301te\u0301', 'été', 'composed first'],
  ['œuvre, Œuvre', 'oeuvre, OEuvre', 'ligatures'],
  ['l’été « oui » “non” – … •', 'l\'été "oui" "non" - ... *', 'typography'],
  ['60\u00a0000\u202fFCFA\t!', '60 000 FCFA !', 'every space is a space'],
  ['a\nb', 'a\nb', 'line breaks'],
  ['Ngoundéré Бг 东 🏠', 'Ngoundéré Бг 东 🏠', 'what has no neighbour stays'],
]
for (const [text, as, why] of written)
  test(`${why}: ${text}`, () => {
    expect(gsmText(text)).toBe(as)
    expect(gsmText(as)).toBe(as)
  })

const lengths: [text: string, gsm: boolean, segments: number][] = [
  ['', true, 1],
  ['a'.repeat(160), true, 1],
  ['a'.repeat(161), true, 2],
  ['a'.repeat(306), true, 2],
  ['a'.repeat(307), true, 3],
  ['€'.repeat(80), true, 1],
  [`${'€'.repeat(80)}a`, true, 2],
  [`ê${'a'.repeat(69)}`, false, 1],
  [`ê${'a'.repeat(70)}`, false, 2],
  ['🏠'.repeat(35), false, 1],
  ['🏠'.repeat(36), false, 2],
]
for (const [text, gsm, segments] of lengths)
  test(`${text.length} units from ${text.slice(0, 3)}…: ${segments}`, () =>
    expect(smsLength(text)).toEqual({ gsm, segments }))

test('a long text is cut to three messages, with dots', () => {
  for (const text of ['a'.repeat(459), 'ê'.repeat(459)]) expect(smsText(text)).toBe(gsmText(text))
  for (const text of ['a'.repeat(460), '€'.repeat(1000), `🏠${'b'.repeat(2000)}`, '🏠'.repeat(500)]) {
    const cut = smsText(text)
    expect(cut).toEndWith('...')
    expect(smsLength(cut).segments).toBe(3)
    expect(cut.isWellFormed()).toBe(true)
    expect(smsText(cut)).toBe(cut)
  }
})
