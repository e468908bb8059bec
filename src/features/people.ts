import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import type { Http } from '../http/routes.ts'
import {
  account,
  numberUndo,
  passwordReset,
  phoneChange,
  recoveries,
  recoveryAdministration,
  recoveryPages,
  registration,
  signUpPages,
} from './people/accounts/routes.ts'
import { legal } from './people/legal/routes.ts'
import { notifications } from './people/notifications/routes.ts'
import { organizationProfile, organizations } from './people/organizations/routes.ts'
import { tenants } from './people/tenants/routes.ts'
import { colleagues, users, usersAdministration } from './people/users/routes.ts'

/** People, their accounts and messages, and the organizations they work in. */
export const people = (deps: Deps, http: Http) =>
  new Elysia({ name: 'people' })
    .use(registration(deps, http))
    .use(passwordReset(deps, http))
    .use(signUpPages(deps, http))
    .use(legal(deps, http))
    .use(account(deps, http))
    .use(phoneChange(deps, http))
    .use(numberUndo(deps, http))
    .use(users(deps, http))
    .use(notifications(deps, http))
    .use(colleagues(deps, http))
    .use(usersAdministration(deps, http))
    .use(organizations(deps, http))
    .use(organizationProfile(deps, http))
    .use(recoveryAdministration(deps, http))
    .use(recoveries(deps, http))
    .use(recoveryPages(deps, http))
    .use(tenants(deps, http))
