// The sentence of a refusal says the bound that was broken, in both languages.
import { describe, expect, test } from 'bun:test'
import { worldApp } from '../support/world.ts'

const { t, w } = await worldApp()

describe('a broken bound is named by the sentence', () => {
  const NOBODY = '00000000-0000-4000-8000-000000000000'
  const priced = (unitPrice: number) => ({
    periodStart: '2026-01-01',
    periodEnd: '2026-01-31',
    items: [{ label: 'Eau', key: 'METERS', meterKind: 'WATER', unitPrice }],
  })
  const cases: [line: string, body: unknown, fr: string, en: string][] = [
    [
      'POST /api/v1/account/password',
      { currentPassword: 'a'.repeat(1025), newPassword: 'plantain et maïs' },
      'Au plus 1024 caractères.',
      'Has at most 1024 characters.',
    ],
    [
      'PATCH /api/v1/me',
      { email: `${'a'.repeat(64)}@${'b'.repeat(190)}.cm` },
      'Au plus 254 caractères.',
      'Has at most 254 characters.',
    ],
    [
      'POST /api/v1/requests',
      { unitId: NOBODY, title: 'T', category: 'WATER', mediaObjectIds: [NOBODY, NOBODY] },
      'Contient deux fois le même élément.',
      'Has an entry twice.',
    ],
    ['POST /api/v1/reminders', { invoiceIds: [] }, 'Éléments\u00a0: au moins 1.', 'Entries needed: at least 1.'],
    [
      `POST /api/v1/properties/${w.properties.PUBLISHED}/regularisations/preview`,
      priced(0),
      'Doit être plus grand que 0.',
      'Must be more than 0.',
    ],
  ]
  test.each(cases)('%s', async (line, body, fr, en) => {
    for (const [language, sentence] of [
      ['fr', fr],
      ['en', en],
    ] as const) {
      const answer = await t.call<{ errors: { message: string }[] }>(w.as.ana, line, body, {
        'Accept-Language': language,
      })
      expect(answer.status).toBe(422)
      expect(answer.body.errors.map(({ message }) => message)).toContain(sentence)
    }
  })
})
