import { describe, expect, test } from 'bun:test'
import { moneyInWords, numberInWords } from '../../src/core/numbers-in-words.ts'

const FRENCH: [number, string][] = [
  [0, 'zéro'],
  [1, 'un'],
  [16, 'seize'],
  [17, 'dix-sept'],
  [20, 'vingt'],
  [21, 'vingt et un'],
  [22, 'vingt-deux'],
  [31, 'trente et un'],
  [61, 'soixante et un'],
  [70, 'soixante-dix'],
  [71, 'soixante et onze'],
  [72, 'soixante-douze'],
  [77, 'soixante-dix-sept'],
  [80, 'quatre-vingts'],
  [81, 'quatre-vingt-un'],
  [90, 'quatre-vingt-dix'],
  [91, 'quatre-vingt-onze'],
  [99, 'quatre-vingt-dix-neuf'],
  [100, 'cent'],
  [101, 'cent un'],
  [171, 'cent soixante et onze'],
  [180, 'cent quatre-vingts'],
  [200, 'deux cents'],
  [201, 'deux cent un'],
  [280, 'deux cent quatre-vingts'],
  [999, 'neuf cent quatre-vingt-dix-neuf'],
  [1000, 'mille'],
  [1001, 'mille un'],
  [1100, 'mille cent'],
  [2000, 'deux mille'],
  [21_000, 'vingt et un mille'],
  [80_000, 'quatre-vingt mille'],
  [85_000, 'quatre-vingt-cinq mille'],
  [80_080, 'quatre-vingt mille quatre-vingts'],
  [100_000, 'cent mille'],
  [150_000, 'cent cinquante mille'],
  [200_000, 'deux cent mille'],
  [200_200, 'deux cent mille deux cents'],
  [298_125, 'deux cent quatre-vingt-dix-huit mille cent vingt-cinq'],
  [1_000_000, 'un million'],
  [1_000_001, 'un million un'],
  [80_000_000, 'quatre-vingts millions'],
  [200_000_000, 'deux cents millions'],
  [1_234_567, 'un million deux cent trente-quatre mille cinq cent soixante-sept'],
  [1_000_000_000, 'un milliard'],
  [2_200_000_080, 'deux milliards deux cents millions quatre-vingts'],
  [1_000_000_000_000, 'mille milliards'],
  [1_180_000_000_000, 'mille cent quatre-vingts milliards'],
]
const ENGLISH: [number, string][] = [
  [0, 'zero'],
  [13, 'thirteen'],
  [40, 'forty'],
  [99, 'ninety-nine'],
  [100, 'one hundred'],
  [101, 'one hundred and one'],
  [115, 'one hundred and fifteen'],
  [1000, 'one thousand'],
  [1001, 'one thousand and one'],
  [1100, 'one thousand one hundred'],
  [85_000, 'eighty-five thousand'],
  [150_000, 'one hundred and fifty thousand'],
  [298_125, 'two hundred and ninety-eight thousand one hundred and twenty-five'],
  [1_000_021, 'one million and twenty-one'],
  [1_234_567, 'one million two hundred and thirty-four thousand five hundred and sixty-seven'],
  [2_000_000_000, 'two billion'],
  [1_000_000_000_000, 'one trillion'],
]

describe('numbers in words', () => {
  for (const [n, words] of FRENCH) test(`fr ${n}`, () => expect(numberInWords(n, 'fr')).toBe(words))
  for (const [n, words] of ENGLISH) test(`en ${n}`, () => expect(numberInWords(n, 'en')).toBe(words))

  for (const n of [-1, 1.5, Number.NaN, 2 ** 53, Number.POSITIVE_INFINITY])
    test(`${n} is refused`, () => expect(() => numberInWords(n, 'fr')).toThrow(RangeError))

  test('no two numbers up to 20,000 read alike, and none has stray blanks', () => {
    for (const locale of ['fr', 'en'] as const) {
      const seen = new Set<string>()
      for (let n = 0; n <= 20_000; n++) {
        const words = numberInWords(n, locale)
        expect(words).toMatch(/^[a-zé]+([ -][a-zé]+)*$/)
        seen.add(words)
      }
      expect(seen.size).toBe(20_001)
    }
  })
})

describe('francs in words', () => {
  const CASES: [number, 'fr' | 'en', string][] = [
    [0, 'fr', 'zéro franc CFA'],
    [1, 'fr', 'un franc CFA'],
    [85_000, 'fr', 'quatre-vingt-cinq mille francs CFA'],
    [200_000_080, 'fr', 'deux cents millions quatre-vingts francs CFA'],
    [1_000_000, 'fr', 'un million de francs CFA'],
    [3_000_000_000, 'fr', 'trois milliards de francs CFA'],
    [1_000_000_000_000, 'fr', 'mille milliards de francs CFA'],
    [1, 'en', 'one CFA franc'],
    [150_000, 'en', 'one hundred and fifty thousand CFA francs'],
  ]
  for (const [amount, locale, words] of CASES)
    test(`${locale} ${amount}`, () => expect(moneyInWords(amount, locale)).toBe(words))
})
