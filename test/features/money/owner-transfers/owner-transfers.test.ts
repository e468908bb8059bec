// What the management hands to the owners of properties.
import { letting, scenario } from '../../../support/scenario.ts'

const paid = { propertyId: '{villa}', amount: 405_000, method: 'MTN_MOMO', paidOn: '2026-03-09' }

const recorded = { audit: 'owner_transfer.create' }

scenario('the management records a transfer, its owner sees it, nobody else does', { given: letting() }, [
  [
    'mia',
    'POST /owner-transfers',
    { ...paid, reference: '7712345678', note: 'Mars' },
    201,
    { status: 'RECORDED', ownerUserId: '{ana}', currency: 'XAF', reference: '7712345678' },
    { audit: 'owner_transfer.create', as: 'one' },
  ],
  ['ana', 'GET /owner-transfers/{one}', undefined, 200, { amount: 405_000, note: 'Mars' }],
  ['ana', 'GET /owner-transfers', undefined, 200, [{ propertyName: 'Villa', amount: 405_000 }]],
  ['eve', 'GET /owner-transfers', undefined, 200, []],
  ['eve', 'GET /owner-transfers/{one}', undefined, 404],
  ['zoe', 'GET /owner-transfers/{one}', undefined, 404],
  ['tom', 'GET /owner-transfers', undefined, 403],
  // An owner says neither that they got money nor that they did not.
  ['ana', 'POST /owner-transfers', paid, 403],
  ['ana', 'POST /owner-transfers/{one}/cancel', {}, 403],
  ['tom', 'POST /owner-transfers', paid, 403],
  ...[
    [{ amount: 0 }, '/amount'],
    [{ method: 'WITHHOLDING' }, '/method'],
    [{ paidOn: '2026-03-11' }, '/paidOn'],
    [{ paidOn: '2016-03-09' }, '/paidOn'],
  ].map(
    ([more, path]) =>
      ['mia', 'POST /owner-transfers', { ...paid, ...(more as object) }, 422, { errors: [{ path }] }] as const,
  ),
  ['mia', 'POST /owner-transfers', { ...paid, propertyId: '{nobody}' }, 404],
  // The same payment is not recorded twice; another way has numbers of its own.
  [
    'ada',
    'POST /owner-transfers',
    { ...paid, amount: 1, reference: '7712345678' },
    409,
    { code: 'duplicate', errors: [{ path: '/reference' }] },
  ],
  ['mia', 'POST /owner-transfers', { ...paid, method: 'CHEQUE', reference: '7712345678' }, 201, {}, recorded],
  ['mia', 'POST /owner-transfers', paid, 201, {}, recorded],
  ['mia', 'POST /owner-transfers', paid, 201, {}, recorded],
  ['mia', 'POST /owner-transfers/{one}/cancel', {}, 422, { errors: [{ path: '/reason' }] }],
  [
    'mia',
    'POST /owner-transfers/{one}/cancel',
    { reason: 'Saisi deux fois' },
    200,
    { status: 'CANCELLED' },
    { audit: 'owner_transfer.cancel' },
  ],
  [
    'ana',
    'GET /adjustments',
    undefined,
    200,
    [{ kind: 'TRANSFER_CANCELLED', reason: 'Saisi deux fois', amount: 405_000 }],
  ],
  // What was cancelled frees its reference for the correction.
  ['mia', 'POST /owner-transfers', { ...paid, reference: '7712345678' }, 201, {}, recorded],
  ['ada', 'POST /owner-transfers/{one}/cancel', {}, 200, { status: 'CANCELLED' }],
])
