import type { ErrorCode, Text } from '../errors.ts'

/** The sentence of each code where a service gave none. */
export const SENTENCES: Record<ErrorCode, Text> = {
  malformed_json: {
    en: 'The request body is not a JSON object.',
    fr: "Le corps de la requête n'est pas un objet JSON.",
  },
  unauthorized: { en: 'Sign in, then try again.', fr: 'Connectez-vous, puis réessayez.' },
  forbidden: { en: 'Your role does not allow this.', fr: 'Votre rôle ne le permet pas.' },
  organization_required: {
    en: 'Your account belongs to no organization yet. Ask its administrator to invite you.',
    fr: "Votre compte n'appartient encore à aucune organisation. Demandez à son administrateur de vous inviter.",
  },
  not_found: { en: 'There is nothing here that you may see.', fr: "Il n'y a rien ici que vous puissiez voir." },
  method_not_allowed: {
    en: 'This address does not take that method.',
    fr: "Cette adresse n'accepte pas cette méthode.",
  },
  invalid_state: { en: 'This cannot be done in the present state.', fr: "Ce n'est pas possible dans l'état actuel." },
  duplicate: { en: 'This exists already.', fr: 'Cela existe déjà.' },
  unit_unavailable: { en: 'The unit is not free on these dates.', fr: "Le logement n'est pas libre à ces dates." },
  member_elsewhere: {
    en: 'This number belongs to an account of another organization.',
    fr: "Ce numéro appartient à un compte d'une autre organisation.",
  },
  units_required: { en: 'Add a unit before you publish.', fr: 'Ajoutez un logement avant de publier.' },
  proof_required: {
    en: 'Your organization asks for an approved proof of ownership before publishing.',
    fr: 'Votre organisation exige une preuve de propriété approuvée avant la publication.',
  },
  too_many_open_requests: {
    en: 'You have five open requests. Wait for an answer or cancel one.',
    fr: 'Vous avez cinq demandes en cours. Attendez une réponse ou annulez-en une.',
  },
  precondition_failed: {
    en: 'This was changed meanwhile. Read it again first.',
    fr: 'Cela a changé entre-temps. Relisez-le d’abord.',
  },
  body_too_large: { en: 'The request body is too large.', fr: 'Le corps de la requête est trop grand.' },
  unsupported_media_type: { en: 'Send the body as application/json.', fr: 'Envoyez le corps en application/json.' },
  misdirected_request: {
    en: 'This server answers to another address. Its operator sets it with PUBLIC_URL.',
    fr: 'Ce serveur répond à une autre adresse. Son exploitant la règle avec PUBLIC_URL.',
  },
  validation_failed: { en: 'Some values need correcting.', fr: 'Certaines valeurs sont à corriger.' },
  idempotency_mismatch: {
    en: 'This Idempotency-Key was used for another request.',
    fr: 'Cette Idempotency-Key a déjà servi à une autre requête.',
  },
  overpayment: { en: 'This is more than what is left to pay.', fr: "C'est plus que le reste à payer." },
  refund_exceeds_credit: { en: 'This is more than the credit of the lease.', fr: 'C’est plus que le crédit du bail.' },
  invalid_credentials: {
    en: 'The number or the password is wrong.',
    fr: 'Le numéro ou le mot de passe est incorrect.',
  },
  too_many_requests: {
    en: 'Too many requests. Wait a moment, then try again.',
    fr: 'Trop de requêtes. Patientez un instant, puis réessayez.',
  },
  internal: {
    en: 'Something went wrong on our side. Nothing was changed.',
    fr: "Une erreur s'est produite de notre côté. Rien n'a été modifié.",
  },
  storage_unavailable: {
    en: 'Nothing can be saved right now. Nothing was changed; try again soon.',
    fr: "Rien ne peut être enregistré pour l'instant. Rien n'a été modifié ; réessayez bientôt.",
  },
  identity_unavailable: {
    en: 'Sign-in cannot be checked right now. Try again soon.',
    fr: 'La connexion ne peut pas être vérifiée pour l’instant. Réessayez bientôt.',
  },
  overloaded: {
    en: 'The server is busy. Try again in a moment.',
    fr: 'Le serveur est occupé. Réessayez dans un instant.',
  },
}

/** The better of French and English by Accept-Language; English where it says neither. */
export function languageOf(request: Request): 'fr' | 'en' {
  const header = request.headers.get('accept-language')
  if (!header) return 'en'
  let best: { language: 'fr' | 'en'; q: number } = { language: 'en', q: 0 }
  for (const part of header.slice(0, 200).split(',')) {
    const match = /^\s*(fr|en)(?:-[a-z0-9-]+)?\s*(?:;\s*q=([01](?:\.\d{1,3})?))?\s*$/i.exec(part)
    const q = Number(match?.[2] ?? 1)
    if (match && q > best.q) best = { language: match[1]?.toLowerCase() === 'fr' ? 'fr' : 'en', q }
  }
  return best.language
}
