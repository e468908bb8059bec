import { quotedPlace } from '../../../core/quoted.ts'

type Lost = { readonly unitLabel: string; readonly propertyName: string; readonly to: string }

/** Messages to landlords about messages to their tenants that did not arrive. */
export const TEXTS = {
  fr: {
    undelivered: (m: Lost) =>
      `Un message au locataire de ${quotedPlace(m, 'fr')} n’a pas pu être remis au ${m.to}. Prévenez-le autrement et vérifiez son numéro.`,
  },
  en: {
    undelivered: (m: Lost) =>
      `A message to the tenant of ${quotedPlace(m, 'en')} could not be delivered to ${m.to}. Tell them another way and check their number.`,
  },
} as const satisfies Record<'fr' | 'en', unknown>
