// What the service serves beside its API: the whole list, so that nothing slips in unseen.
import { expect, test } from 'bun:test'
import { createTestApp } from '../support/app.ts'
import { routesOf } from '../support/routes.ts'

const t = createTestApp()

test('the hidden routes are pages, assets, the OpenID provider and the numbers', () => {
  const hidden = routesOf(t.app).filter((route) => route.hidden)
  expect(hidden.map(({ line }) => line).sort()).toEqual([
    'ALL /realms/svc/*',
    'GET /',
    'GET /a/:token',
    'GET /console',
    'GET /console/*',
    'GET /docs',
    'GET /docs/*',
    'GET /docs/handbook',
    'GET /docs/handbook/:chapter',
    'GET /metrics',
    'GET /openapi.json',
    'GET /portal',
    'GET /portal/*',
    'GET /portal/manifest.webmanifest',
    'GET /portal/sw.js',
    'GET /s/:token',
    'GET /s/:token/lease.pdf',
    'GET /setup',
    'GET /u/:token',
    'GET /ui/*',
    'GET /verify',
    'POST /a/:token/confirm',
    'POST /a/:token/stop',
    'POST /s/:token/code',
    'POST /s/:token/sign',
    'POST /setup',
    'POST /u/:token',
    'POST /u/:token/code',
    'POST /u/:token/password',
  ])
})
