export const TENANT_KINDS = ['PERSON', 'COMPANY'] as const
