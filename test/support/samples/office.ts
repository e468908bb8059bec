import { get, type Json, on, phoneNumber, refused, type Sample } from '../sample.ts'
import type { World } from '../world.ts'

/** Webhooks, oneself, users, organization, audit. */
export function officeSamples(w: World): Sample[] {
  const user = (line: string, status: number, code: string, body?: Json): Sample => ({
    ...refused(line, status, code, body),
    kind: 'user',
    mine: w.userIds.tom,
  })
  return [
    { line: 'POST /api/v1/webhook-endpoints', status: 201, body: { url: 'https://compta.example.cm/loyer' } },
    get('/api/v1/webhook-endpoints'),
    get('/api/v1/webhook-endpoints/:id', 'endpoint', w.endpoint),
    on('PATCH /api/v1/webhook-endpoints/:id', 'endpoint', w.endpoint, { description: 'Compta' }),
    on('POST /api/v1/webhook-endpoints/:id/rotate-secret', 'endpoint', w.endpoint),
    on('POST /api/v1/webhook-endpoints/:id/test', 'endpoint', w.endpoint, {}, 201),
    get('/api/v1/webhook-endpoints/:id/deliveries', 'endpoint', w.endpoint),
    on('POST /api/v1/webhook-deliveries/:id/replay', 'delivery', w.delivery),
    { line: 'DELETE /api/v1/webhook-endpoints/:id', status: 204, kind: 'endpoint', mine: w.endpoint },
    get('/api/v1/me'),
    { line: 'PATCH /api/v1/me', status: 200, body: { locale: 'en' } },
    { line: 'GET /api/v1/me/notifications', status: 200 },
    { line: 'PUT /api/v1/me/notifications', status: 200, body: { kinds: [] } },
    get('/api/v1/admin/users'),
    refused('POST /api/v1/admin/users', 503, 'identity_unavailable', { phoneNumber, roles: ['OWNER'] }),
    get('/api/v1/admin/users/:id', 'user', w.userIds.tom),
    user('PATCH /api/v1/admin/users/:id', 503, 'identity_unavailable', { roles: ['TENANT'] }),
    user('DELETE /api/v1/admin/users/:id', 409, 'invalid_state'),
    user('POST /api/v1/admin/users/:id/recovery-code', 503, 'identity_unavailable', {}),
    user('DELETE /api/v1/admin/users/:id/second-factor', 503, 'identity_unavailable'),
    { ...on('POST /api/v1/account/recoveries/:id/stop', 'recovery', w.recoveries.ana), theirs: w.recoveries },
    get('/api/v1/organization'),
    get('/api/v1/organization/law'),
    get('/api/v1/overview'),
    get('/api/v1/overview/homes'),
    get('/api/v1/search'),
    ...['/api/v1/people', '/api/v1/units'].map((path) => get(path)),
    get('/api/v1/admin/organization'),
    { line: 'PATCH /api/v1/admin/organization', status: 200, body: { name: 'Agence' } },
    get('/api/v1/admin/audit'),
    get('/api/v1/admin/backups'),
    refused('POST /api/v1/admin/backups', 409, 'backups_off'),
    get('/api/v1/admin/audit/archives'),
    { line: 'GET /api/v1/admin/audit/archives/:id', status: 200, kind: 'archive', mine: w.archives.MINE },
    { line: 'GET /api/v1/admin/audit/archives/:id/download-url', status: 200, kind: 'archive', mine: w.archives.MINE },
    refused('POST /api/v1/admin/audit/archives', 409, 'invalid_state', { before: '2024-01-01' }),
  ]
}
