// Every route asked by an owner next door: what is told of another owner's tenant, and what changes.
import { expect, test } from 'bun:test'
import { unzipSync } from 'fflate'
import { runExports } from '../../../../src/features/data/exports/jobs.ts'
import { runImports } from '../../../../src/features/data/imports/jobs.ts'
import { CANARIES, NUMBER, neighbours } from '../../../support/neighbours.ts'
import { fill, routesOf } from '../../../support/routes.ts'
import { stage } from '../../../support/scenario.ts'

const byNumber = { unitId: '{b1}', tenantPhoneNumber: NUMBER, startDate: '2026-04-01' }
test('walked as another owner: no route tells anything of the person, nor changes them', async () => {
  const s = await stage({ given: neighbours })
  await s.work()
  const before = JSON.stringify(s.rows("select * from tenant where full_name like 'Secrette%'"))
  await s.make('eve', 'POST /bookings', byNumber, 'eves')
  await s.make('eve', 'POST /bookings', { ...byNumber, unitId: '{b2}' }, 'gone')
  await s.make('eve', 'POST /bookings/{gone}/submit', { blanks: true })
  await s.make('eve', 'POST /bookings/{gone}/cancel')
  await s.make('eve', 'POST /bookings/{eves}/submit', { blanks: true })
  await s.make('eve', 'POST /bookings/{eves}/activate')
  await s.work()
  // Files that name her, and a message of her operator.
  for (const [kind, status, csv] of [
    ['tenants', 'SUCCEEDED', `fullName,phoneNumber\nMoi,${NUMBER}\nSecrete,`],
    ['leases', 'SUCCEEDED', `property,unit,tenant,phoneNumber,startDate\nCase,B2,Autre,${NUMBER},2026-05-01`],
  ]) {
    const { body } = await s.ask('eve', 'POST /imports', { kind, csv })
    await runImports(s.deps)
    expect((await s.ask('eve', `GET /imports/${body.id}`)).body.status).toBe(status)
  }
  const heard: string[] = []
  const hear = (what: string, text: string): void => {
    for (const canary of CANARIES) if (text.includes(canary)) heard.push(`${what}: ${canary}`)
  }
  const ids = [
    ...['tenant', 'booking', 'invoice', 'document', 'property', 'unit', 'import_run', 'rent_message'].flatMap((table) =>
      s.rows(`select id from ${table}`).map(({ id }) => String(id)),
    ),
  ]
  let asked = 0
  const call = async (line: string, path: string, body?: object): Promise<void> => {
    const { text } = await s.t.call('OWNER.eve', `${line.split(' ')[0]} ${path}`, body)
    asked += 1
    hear(line, text)
  }
  for (const { line, method, path, roles, hidden } of routesOf(s.t.app)) {
    if (hidden || !Array.isArray(roles) || !roles.includes('OWNER') || !['GET', 'PATCH', 'POST'].includes(method))
      continue
    if (method === 'GET' && !path.includes(':'))
      for (const q of ['', '?q=Secr', '?order=asc&count=true', '?from=2026-01-01&to=2026-12-31'])
        await call(line, path + q)
    else if (path.includes(':id'))
      for (const id of ids) await call(line, fill(path, id), method === 'GET' ? undefined : {})
  }
  const text = `Vous avez recu 60000 FCFA de SECRETTE MARIE ${NUMBER.slice(1)} le 2026-03-10 08:00:00. Nouveau solde: 60000 FCFA. ID: 12345678901`
  await call('POST /api/v1/payments/parse', '/api/v1/payments/parse', { text })
  const { body: run } = await s.ask('eve', 'POST /exports')
  await runExports(s.deps)
  const link = (await s.ask('eve', `GET /exports/${run.id}/download-url`)).body
  const zip = unzipSync(new Uint8Array(await (await s.t.app.handle(new Request(String(link.url)))).arrayBuffer()))
  for (const [name, file] of Object.entries(zip)) hear(`export ${name}`, new TextDecoder().decode(file))
  for (const { data } of s.rows(`select data from document where owner_user_id = ?`, s.names.get('eve') ?? ''))
    hear('paper', String(data))
  expect(heard).toEqual([])
  expect(asked).toBeGreaterThan(300)
  expect(JSON.stringify(s.rows("select * from tenant where full_name like 'Secrette%'"))).toBe(before)
  // The walk would hear it.
  hear('ana', JSON.stringify((await s.ask('ana', 'GET /tenants')).body))
  expect(heard.length).toBe(CANARIES.length)
})
