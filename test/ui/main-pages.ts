/** The pages that people use day by day, by who opens them. */
export const PAGES = {
  OWNER: [
    ...['', '/invoices', '/tenants', '/properties', '/bookings', '/payments', '/expenses', '/reports', '/requests'],
    ...['/charges', '/reminders', '/imports', '/more', '/me', '/properties/new', '/bookings/new', '/tenants/new'],
  ].map((path) => `/console${path}`),
  ADMIN: [
    '/users',
    '/settings',
    '/settings/clauses',
    '/settings/webhooks',
    '/settings/server',
    '/audit',
    '/reviews',
  ].map((path) => `/console${path}`),
  TENANT: ['', '/lease', '/me', '/requests', '/homes', '/papers', '/identity'].map((path) => `/portal${path}`),
} as const
