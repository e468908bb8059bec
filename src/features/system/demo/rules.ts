import type { Role } from '../../../core/roles.ts'

export const DEMO_PASSWORD = 'loyer-demo-2026'
/** The users of the demo; all have the same password. */
export const DEMO_USERS = [
  { role: 'OWNER', phone: '+237677000001', firstName: 'Odile', lastName: 'Owona' },
  { role: 'MANAGER', phone: '+237677000002', firstName: 'Martin', lastName: 'Mbarga' },
  { role: 'ADMIN', phone: '+237677000003', firstName: 'Aïcha', lastName: 'Adamou' },
  { role: 'TENANT', phone: '+237677000004', firstName: 'Thérèse', lastName: 'Tchoua' },
  { role: 'TENANT', phone: '+237677000005', firstName: 'Paul', lastName: 'Nkeng' },
  { role: 'TENANT', phone: '+237677000006', firstName: 'Jeanne', lastName: 'Ebogo' },
  // the caretaker: manages one house of several
  { role: 'MANAGER', phone: '+237677000009', firstName: 'Bertin', lastName: 'Ondoua' },
] as const satisfies readonly { role: Role; phone: string; firstName: string; lastName: string }[]
