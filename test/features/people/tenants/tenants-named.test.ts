// Names are found however they are typed: without accents, in capitals, a part of them, and no pattern is one.
import { expect, test } from 'bun:test'
import { phoneOf, type Stage, scenario, stage } from '../../../support/scenario.ts'

const house = { name: 'Résidence Étoile', addressLine: 'Derrière l’église', city: 'Yaoundé', quartier: 'Nkolbisson' }
const given = async (s: Pick<Stage, 'make'>): Promise<void> => {
  await s.make('ana', 'POST /tenants', { fullName: 'Thérèse Ngo', phoneNumber: '+237677101010' }, 'therese')
  await s.make('eve', 'POST /tenants', { fullName: 'Thérèse Mballa' }, 'hers')
  await s.make('ana', 'POST /properties', house, 'house')
}
const found = [{ id: '{therese}' }]

scenario('a list’s q folds case and accents, and stays within what its caller sees', { given }, [
  ['ana', 'GET /tenants?q=therese', undefined, 200, found],
  ['ana', 'GET /tenants?q=TH%C3%89R%C3%88SE', undefined, 200, found],
  ['ana', 'GET /tenants?q=ere', undefined, 200, found],
  ['ana', 'GET /tenants?q=7710', undefined, 200, found],
  // As it is written on paper.
  ['ana', 'GET /tenants?q=7%2071%200', undefined, 200, found],
  ['eve', 'GET /tenants?q=therese', undefined, 200, [{ id: '{hers}' }]],
  ['mia', 'GET /tenants?q=therese&order=asc', undefined, 200, [{ id: '{therese}' }, { id: '{hers}' }]],
  ['zoe', 'GET /tenants?q=therese', undefined, 200, []],
  ['ana', 'GET /tenants?q=th*e', undefined, 200, []],
  ['ana', 'GET /tenants?q=%5Ba-z%5D', undefined, 200, []],
  ['ana', 'GET /tenants?q=%3F', undefined, 200, []],
  ['ana', 'GET /properties?q=residence', undefined, 200, [{ id: '{house}' }]],
  ['ana', 'GET /properties?q=yaounde', undefined, 200, [{ id: '{house}' }]],
  ['ana', 'GET /properties?q=EGLISE', undefined, 200, [{ id: '{house}' }]],
  ['eve', 'GET /properties?q=residence', undefined, 200, []],
])

test('members are found by their number as it is written on paper', async () => {
  const s = await stage({})
  const number = phoneOf('tom')
  const q = encodeURIComponent((number.slice(4).match(/\d{1,3}/g) ?? []).join(' '))
  const { body } = await s.ask('ada', `GET /admin/users?q=${q}`)
  expect((body as unknown as { phoneNumber: string }[]).map(({ phoneNumber }) => phoneNumber)).toEqual([number])
})
