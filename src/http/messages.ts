import type { ErrorCode, Text } from '../errors.ts'

/** The sentence of each code where a service gave none. */
export const SENTENCES: Record<ErrorCode, Text> = {
  malformed_json: {
    en: 'The request body is not a JSON object.',
    fr: "Le corps de la requête n'est pas un objet JSON.",
  },
  unauthorized: { en: 'Sign in, then try again.', fr: 'Connectez-vous, puis réessayez.' },
  reauthentication_required: {
    en: 'You signed in more than five minutes ago. Give your password (currentPassword), or a code sent to your present number (oldNumberChallengeId and oldNumberCode), or sign in again.',
    fr: 'Votre connexion date de plus de cinq minutes. Donnez votre mot de passe (currentPassword), ou un code envoyé à votre numéro actuel (oldNumberChallengeId et oldNumberCode), ou reconnectez-vous.',
  },
  step_up_required: {
    en: 'This needs your second sign-in step, given within the last 15 minutes. Sign in again to confirm that it is you.',
    fr: 'Cette action demande votre deuxième étape de connexion, passée depuis moins de 15 minutes. Reconnectez-vous pour confirmer que c’est vous.',
  },
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
  manager_required: {
    en: 'Only a manager or an administrator may do this.',
    fr: 'Seul un gestionnaire ou un administrateur peut le faire.',
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
  already_running: {
    en: 'One of these is still running in your organization. Wait until it has ended.',
    fr: 'Une opération de ce type est déjà en cours dans votre organisation. Attendez sa fin.',
  },
  contract_not_ready: {
    en: 'The lease is being drawn up. Read it again in a few seconds, then sign.',
    fr: 'Le bail est en cours de préparation. Relisez-le dans quelques secondes, puis signez.',
  },
  precondition_failed: {
    en: 'This was changed meanwhile. Read it again first.',
    fr: 'Ces données ont changé entre-temps. Relisez-les d’abord.',
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
  overpayment: { en: 'This is more than what is left to pay.', fr: 'Ce montant dépasse le reste à payer.' },
  refund_exceeds_credit: {
    en: 'This is more than the credit of the lease.',
    fr: 'Ce montant dépasse le crédit du bail.',
  },
  deposit_exceeded: {
    en: 'This is more than is held of the deposit.',
    fr: 'Ce montant dépasse ce qui reste du dépôt de garantie.',
  },
  message_unreadable: {
    en: 'This message cannot be read. Copy the credit message of MTN MoMo or Orange Money whole.',
    fr: 'Ce message est illisible. Copiez en entier le message de crédit MTN MoMo ou Orange Money.',
  },
  no_phone_number: {
    en: 'The tenant has no phone number: enter one, or tell them yourself.',
    fr: 'Le locataire n’a pas de numéro de téléphone : inscrivez-en un, ou prévenez-le vous-même.',
  },
  wrong_code: { en: 'The code is not right.', fr: "Le code n'est pas le bon." },
  ticket_invalid: {
    en: 'This sign-up has expired. Ask for a new code.',
    fr: 'Cette inscription a expiré. Demandez un nouveau code.',
  },
  outdated_terms: {
    en: 'The terms have changed. Read and accept the current version.',
    fr: 'Les conditions ont changé. Lisez et acceptez la version actuelle.',
  },
  weak_password: {
    en: 'This password is too easy to guess. Choose another.',
    fr: 'Ce mot de passe est trop facile à deviner. Choisissez-en un autre.',
  },
  own_number: { en: 'This is your number already.', fr: 'C’est déjà votre numéro.' },
  phone_prefix_not_allowed: {
    en: 'Codes are not sent to numbers of this country.',
    fr: "Aucun code n'est envoyé aux numéros de ce pays.",
  },
  challenge_gone: { en: 'This code has expired. Ask for a new one.', fr: 'Ce code a expiré. Demandez-en un nouveau.' },
  attempts_exhausted: {
    en: 'Too many wrong codes. Ask for a new one later.',
    fr: 'Trop de codes erronés. Demandez-en un nouveau plus tard.',
  },
  delivery_unavailable: {
    en: 'The code could not be sent. Try again in a minute.',
    fr: "Le code n'a pas pu être envoyé. Réessayez dans une minute.",
  },
  account_unavailable: {
    en: 'The account cannot be created right now. Try again soon; your code stays good.',
    fr: 'Le compte ne peut pas être créé pour l’instant. Réessayez bientôt ; votre code reste valable.',
  },
  link_invalid: {
    en: 'This link is not valid. Ask for a new one.',
    fr: "Ce lien n'est pas valable. Demandez-en un nouveau.",
  },
  link_expired: { en: 'This link has expired. Ask for a new one.', fr: 'Ce lien a expiré. Demandez-en un nouveau.' },
  upload_missing: { en: 'Upload the file first.', fr: "Envoyez d'abord le fichier." },
  content_mismatch: {
    en: 'The file is not what was announced, or it is damaged. Upload it again.',
    fr: "Le fichier n'est pas celui qui était annoncé, ou il est abîmé. Envoyez-le à nouveau.",
  },
  quota_exceeded: {
    en: 'There is no room for more files. Delete some that are no longer needed.',
    fr: "Il n'y a plus de place pour d'autres fichiers. Supprimez-en qui ne servent plus.",
  },
  photos_unavailable: {
    en: 'This server cannot take photos.',
    fr: 'Ce serveur ne peut pas recevoir de photos.',
  },
  documents_missing: {
    en: 'A required document is missing: an identity document (SELF_ID), or for a property a title (PROOF_OF_OWNERSHIP), or a mandate with the identity of the owner (OWNER_MANDATE and OWNER_ID).',
    fr: "Un document obligatoire manque : une pièce d'identité (SELF_ID), ou pour un bien un titre (PROOF_OF_OWNERSHIP), ou un mandat avec la pièce du propriétaire (OWNER_MANDATE et OWNER_ID).",
  },
  self_review: {
    en: 'Nobody reviews a verification of their own, or one that they opened, handed in or attached a paper to. Ask another administrator.',
    fr: 'Personne n’examine une vérification qui le concerne, qu’il a ouverte ou déposée, ou dont il a joint une pièce. Demandez à un autre administrateur.',
  },
  own_account: {
    en: 'Nobody takes their own administration away. Ask another administrator.',
    fr: 'Nul ne peut se retirer le rôle d’administrateur. Demandez à un autre administrateur.',
  },
  last_admin: {
    en: 'An organization needs an administrator. Make somebody else one first.',
    fr: "Une organisation a besoin d'un administrateur. Nommez-en d'abord un autre.",
  },
  properties_owned: {
    en: 'You still own properties here. Archive them, or have them handed to another owner, then close your account.',
    fr: 'Vous possédez encore des biens ici. Archivez-les ou faites-les remettre à un autre propriétaire, puis fermez votre compte.',
  },
  webhook_disabled: {
    en: 'Callbacks are not switched on here.',
    fr: 'Les comptes rendus du prestataire ne sont pas activés ici.',
  },
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

/** The better of French and English by Accept-Language; `otherwise` where it says neither. */
export function languageOf(request: Request, otherwise: 'fr' | 'en' = 'en'): 'fr' | 'en' {
  const header = request.headers.get('accept-language')
  if (!header) return otherwise
  let best: { language: 'fr' | 'en'; q: number } = { language: otherwise, q: 0 }
  for (const part of header.slice(0, 200).split(',')) {
    const match = /^\s*(fr|en)(?:-[a-z0-9-]+)?\s*(?:;\s*q=([01](?:\.\d{1,3})?))?\s*$/i.exec(part)
    const q = Number(match?.[2] ?? 1)
    if (match && q > best.q) best = { language: match[1]?.toLowerCase() === 'fr' ? 'fr' : 'en', q }
  }
  return best.language
}
