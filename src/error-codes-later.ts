/** A sentence for people, in the two languages of the product. */
export type Text = { readonly en: string; readonly fr: string }
export type Code = Text & { readonly status: number }

/** Errors that are not the caller's: the same request may succeed later. */
export const LATER = {
  attempts_exhausted: {
    status: 429,
    en: 'Too many wrong codes. Ask for a new one later.',
    fr: 'Trop de codes erronés. Demandez-en un nouveau plus tard.',
  },
  delivery_unavailable: {
    status: 503,
    en: 'The code could not be sent. Try again in a minute.',
    fr: 'Le code n’a pas pu être envoyé. Réessayez dans une minute.',
  },
  account_unavailable: {
    status: 503,
    en: 'The account cannot be created right now. Try again soon; your code stays valid.',
    fr: 'Le compte ne peut pas être créé pour l’instant. Réessayez bientôt ; votre code reste valable.',
  },
  webhook_disabled: {
    status: 503,
    en: 'Delivery reports are not switched on here.',
    fr: 'Les comptes rendus du prestataire ne sont pas activés ici.',
  },
  photos_unavailable: {
    status: 503,
    en: 'This server cannot accept photos.',
    fr: 'Ce serveur ne peut pas recevoir de photos.',
  },
  too_many_requests: {
    status: 429,
    en: 'Too many requests. Wait a moment, then try again.',
    fr: 'Trop de requêtes. Patientez un instant, puis réessayez.',
  },
  internal: {
    status: 500,
    en: 'Something went wrong on our side. Nothing was changed.',
    fr: 'Une erreur s’est produite de notre côté. Rien n’a été modifié.',
  },
  storage_unavailable: {
    status: 503,
    en: 'Nothing can be saved right now. Nothing was changed; try again soon.',
    fr: 'Rien ne peut être enregistré pour l’instant. Rien n’a été modifié ; réessayez bientôt.',
  },
  not_set_up: {
    status: 503,
    en: 'This server is not set up yet. Open the link that it printed in its terminal when it started.',
    fr: 'Ce serveur n’est pas encore installé. Ouvrez le lien qu’il a affiché dans son terminal à son démarrage.',
  },
  identity_unavailable: {
    status: 503,
    en: 'Sign-in cannot be checked right now. Try again soon.',
    fr: 'La connexion ne peut pas être vérifiée pour l’instant. Réessayez bientôt.',
  },
  overloaded: {
    status: 503,
    en: 'The server is busy. Try again in a moment.',
    fr: 'Le serveur est occupé. Réessayez dans un instant.',
  },
} as const satisfies Readonly<Record<string, Code>>
