// Whose export is made when: each person has one at a time, and nobody keeps the others from theirs.
import { expect, test } from 'bun:test'
import { runExports } from '../../../../src/features/data/exports/jobs.ts'
import { worldApp } from '../../../support/world.ts'

test('one at a time a person, who keeps nobody else from theirs', async () => {
  const { t, w } = await worldApp()
  const pack = (who: string) => t.call(who, 'POST /api/v1/exports', {})
  const { ana, mia, eve } = w.as
  const first = await pack(mia)
  expect(first.status).toBe(202)
  expect((await pack(mia)).body).toMatchObject({ code: 'already_running' })
  for (const other of [ana, eve]) expect((await pack(other)).status).toBe(202)
  for (let i = 0; i < 3; i++) await runExports(t.deps)
  expect((await t.call(mia, `GET /api/v1/exports/${first.body.id}`)).body).toMatchObject({ status: 'SUCCEEDED' })
  expect((await pack(mia)).status).toBe(202)
})
