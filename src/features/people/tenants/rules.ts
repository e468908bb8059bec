import { type BodyRule, type Members, wrongAt } from '../../../core/body-rules.ts'

export const TENANT_KINDS = ['PERSON', 'COMPANY'] as const

const WHO_SIGNS = { en: 'Say who signs for the company.', fr: 'Indiquez la personne qui signe pour la société.' }
/** A company cannot sign by itself. */
export const tenantRule = ({ kind, representativeName }: Members): ReturnType<BodyRule> =>
  kind === 'COMPANY' && (representativeName ?? null) === null ? wrongAt(WHO_SIGNS, '/representativeName') : []
