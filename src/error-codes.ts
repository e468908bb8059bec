/** A sentence for people, in the two languages of the product. */
export type Text = { readonly en: string; readonly fr: string }
export type Code = Text & { readonly status: number }

/** Errors that are not the caller's: the same request may succeed later. */
const LATER = {
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
  organization_frozen: {
    status: 503,
    en: 'This organization is being moved to another server, and nothing of it can be changed meanwhile. Reading goes on; try again in a few minutes.',
    fr: 'Cette organisation est en cours de déménagement vers un autre serveur : rien ne peut y être modifié pour l’instant. La lecture reste possible ; réessayez dans quelques minutes.',
  },
  organization_moved: {
    status: 308,
    en: 'This organization has moved to another address.',
    fr: 'Cette organisation a déménagé à une autre adresse.',
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

/** Every word a problem document's `code` can be, with its HTTP status, and its sentence where a service gives none. */
export const ERRORS = {
  malformed_json: {
    status: 400,
    en: 'The request body is not a JSON object.',
    fr: 'Le corps de la requête n’est pas un objet JSON.',
  },
  unauthorized: { status: 401, en: 'Sign in, then try again.', fr: 'Connectez-vous, puis réessayez.' },
  step_up_required: {
    status: 401,
    en: 'This needs your second sign-in step, given within the last 15 minutes. Sign in again to confirm that it is you.',
    fr: 'Cette action demande votre deuxième étape de connexion, passée depuis moins de 15 minutes. Reconnectez-vous pour confirmer que c’est vous.',
  },
  forbidden: { status: 403, en: 'Your role does not allow this.', fr: 'Votre rôle ne le permet pas.' },
  reauthentication_required: {
    status: 403,
    en: 'You signed in more than five minutes ago. Give your password (currentPassword), or a code sent to your present number (oldNumberChallengeId and oldNumberCode), or sign in again.',
    fr: 'Votre connexion date de plus de cinq minutes. Donnez votre mot de passe (currentPassword), ou un code envoyé à votre numéro actuel (oldNumberChallengeId et oldNumberCode), ou reconnectez-vous.',
  },
  organization_required: {
    status: 403,
    en: 'Your account belongs to no organization yet. Ask its administrator to invite you.',
    fr: 'Votre compte n’appartient encore à aucune organisation. Demandez à son administrateur de vous inviter.',
  },
  not_found: {
    status: 404,
    en: 'This does not exist, or you may not see it.',
    fr: 'Cela n’existe pas, ou vous n’y avez pas accès.',
  },
  method_not_allowed: {
    status: 405,
    en: 'This address does not accept this method.',
    fr: 'Cette adresse n’accepte pas cette méthode.',
  },
  invalid_state: {
    status: 409,
    en: 'This is not possible in the current state.',
    fr: 'Ce n’est pas possible dans l’état actuel.',
  },
  duplicate: { status: 409, en: 'This already exists.', fr: 'Cela existe déjà.' },
  maybe_known: {
    status: 409,
    en: 'A payment that waits to be confirmed may be the same money. Say whether it is the same or another one.',
    fr: 'Un paiement en attente de confirmation est peut-être le même argent. Dites si c’est le même ou un autre.',
  },
  already_set_up: {
    status: 409,
    en: 'This server is already set up. Sign in.',
    fr: 'Ce serveur est déjà installé. Connectez-vous.',
  },
  sample_data_in_use: {
    status: 409,
    en: 'The sample data cannot be removed: one of your own leases has one of your tenants in a sample unit, or a sample tenant in one of your units.',
    fr: 'Les données d’exemple ne peuvent pas être supprimées : un de vos propres baux lie un de vos locataires à un logement d’exemple, ou un locataire d’exemple à un de vos logements.',
  },
  backups_off: {
    status: 409,
    en: 'Backups are switched off on this server. Its operator can switch them on with BACKUP_TO.',
    fr: 'Les sauvegardes sont désactivées sur ce serveur. Son exploitant peut les activer avec BACKUP_TO.',
  },
  setup_link_invalid: {
    status: 403,
    en: 'This link is not the current one. The server prints a new link each time it starts: use the latest one.',
    fr: 'Ce lien n’est pas le bon. Chaque démarrage du serveur en affiche un nouveau : prenez celui affiché en dernier.',
  },
  tenant_unnamed: {
    status: 422,
    en: 'The tenant’s name is missing: a telephone number is entered instead. Enter the name, or send the lease with a blank (blanks) to fill in and sign by hand.',
    fr: 'Le nom du locataire manque : un numéro de téléphone est inscrit à sa place. Indiquez le nom, ou envoyez le bail avec un blanc (blanks) à remplir et à signer à la main.',
  },
  unit_unavailable: {
    status: 409,
    en: 'The unit is not available on these dates.',
    fr: 'Le logement n’est pas disponible à ces dates.',
  },
  member_elsewhere: {
    status: 409,
    en: 'This number belongs to an account of another organization.',
    fr: 'Ce numéro appartient à un compte d’une autre organisation.',
  },
  demo_account: {
    status: 403,
    en: 'This account belongs to the demo and is shared with other visitors, so it cannot be changed. Sign up with your own number to try this.',
    fr: 'Ce compte appartient à la démonstration et sert à d’autres visiteurs : il ne peut pas être modifié. Inscrivez-vous avec votre propre numéro pour essayer.',
  },
  manager_required: {
    status: 403,
    en: 'Only a manager or an administrator may do this.',
    fr: 'Seul un gestionnaire ou un administrateur peut le faire.',
  },
  units_required: { status: 409, en: 'Add a unit before you publish.', fr: 'Ajoutez un logement avant de publier.' },
  proof_required: {
    status: 409,
    en: 'Your organization requires an approved proof of ownership before a property is published. Submit the proof first.',
    fr: 'Votre organisation exige une preuve de propriété approuvée avant la publication. Déposez-la d’abord.',
  },
  too_many_open_requests: {
    status: 409,
    en: 'You have five open requests. Wait for an answer or cancel one.',
    fr: 'Vous avez cinq demandes en cours. Attendez une réponse ou annulez-en une.',
  },
  too_many_photos: {
    status: 409,
    en: 'The maximum number of photos is reached. Remove one first.',
    fr: 'Le nombre maximal de photos est atteint. Retirez-en une d’abord.',
  },
  too_many_repairs: {
    status: 409,
    en: 'This request has reached its maximum of messages, photos or reopenings for now. Call the other side, or try again tomorrow.',
    fr: 'Cette demande a atteint pour l’instant son maximum de messages, de photos ou de réouvertures. Appelez l’autre partie, ou réessayez demain.',
  },
  already_running: {
    status: 409,
    en: 'An operation of this kind that you started is still running. Wait until it has finished.',
    fr: 'Une opération de ce type, lancée par vous, est encore en cours. Attendez sa fin.',
  },
  contract_not_ready: {
    status: 409,
    en: 'This paper is still being prepared. Open it again in a few seconds, then sign.',
    fr: 'Ce document est en cours de préparation. Relisez-le dans quelques secondes, puis signez.',
  },
  precondition_failed: {
    status: 412,
    en: 'This has been changed in the meantime. Load it again, then repeat your change.',
    fr: 'Ces données ont changé entre-temps. Rechargez-les, puis refaites votre modification.',
  },
  body_too_large: { status: 413, en: 'The request body is too large.', fr: 'Le corps de la requête est trop grand.' },
  unsupported_media_type: {
    status: 415,
    en: 'Send the body as application/json.',
    fr: 'Envoyez le corps en application/json.',
  },
  misdirected_request: {
    status: 421,
    en: 'This server answers to another address. Its operator sets it with PUBLIC_URL.',
    fr: 'Ce serveur répond à une autre adresse. Son exploitant la règle avec PUBLIC_URL.',
  },
  validation_failed: { status: 422, en: 'Some values must be corrected.', fr: 'Certaines valeurs sont à corriger.' },
  idempotency_mismatch: {
    status: 422,
    en: 'This Idempotency-Key was already used for another request.',
    fr: 'Cette Idempotency-Key a déjà servi à une autre requête.',
  },
  overpayment: {
    status: 422,
    en: 'The amount is more than what is left to pay.',
    fr: 'Ce montant dépasse le reste à payer.',
  },
  refund_exceeds_credit: {
    status: 422,
    en: 'The amount is more than the credit of the lease.',
    fr: 'Ce montant dépasse le crédit du bail.',
  },
  deposit_exceeded: {
    status: 422,
    en: 'The amount is more than the deposit that is held.',
    fr: 'Ce montant dépasse ce qui reste du dépôt de garantie.',
  },
  deposit_covers: {
    status: 422,
    en: 'The deposit held covers what is owed on this lease. Deduct the debt from the deposit instead.',
    fr: 'Le dépôt de garantie détenu couvre ce qui reste dû sur ce bail. Déduisez plutôt la dette du dépôt.',
  },
  message_unreadable: {
    status: 422,
    en: 'This message cannot be read. Copy the whole credit message of MTN MoMo or Orange Money.',
    fr: 'Ce message est illisible. Copiez en entier le message de crédit MTN MoMo ou Orange Money.',
  },
  no_phone_number: {
    status: 409,
    en: 'The tenant has no phone number. Enter one, or inform them yourself.',
    fr: 'Le locataire n’a pas de numéro de téléphone. Inscrivez-en un, ou prévenez-le vous-même.',
  },
  wrong_code: { status: 422, en: 'The code is wrong.', fr: 'Le code est erroné.' },
  ticket_invalid: {
    status: 422,
    en: 'This sign-up has expired. Ask for a new code.',
    fr: 'Cette inscription a expiré. Demandez un nouveau code.',
  },
  outdated_terms: {
    status: 422,
    en: 'The terms have changed. Read and accept the current version.',
    fr: 'Les conditions ont changé. Lisez et acceptez la version actuelle.',
  },
  weak_password: {
    status: 422,
    en: 'This password is too easy to guess. Choose another.',
    fr: 'Ce mot de passe est trop facile à deviner. Choisissez-en un autre.',
  },
  own_number: { status: 422, en: 'This is already your number.', fr: 'C’est déjà votre numéro.' },
  phone_prefix_not_allowed: {
    status: 422,
    en: 'Codes are not sent to numbers of this country.',
    fr: 'Aucun code n’est envoyé aux numéros de ce pays.',
  },
  challenge_gone: {
    status: 410,
    en: 'This code has expired. Ask for a new one.',
    fr: 'Ce code a expiré. Demandez-en un nouveau.',
  },
  link_invalid: {
    status: 403,
    en: 'This link is not valid. Ask for a new one.',
    fr: 'Ce lien n’est pas valable. Demandez-en un nouveau.',
  },
  link_expired: {
    status: 410,
    en: 'This link has expired. Ask for a new one.',
    fr: 'Ce lien a expiré. Demandez-en un nouveau.',
  },
  upload_missing: { status: 409, en: 'Upload the file first.', fr: 'Envoyez d’abord le fichier.' },
  content_mismatch: {
    status: 422,
    en: 'The file is not what was announced, or it is damaged. Upload it again.',
    fr: 'Le fichier n’est pas celui qui était annoncé, ou il est abîmé. Envoyez-le à nouveau.',
  },
  quota_exceeded: {
    status: 409,
    en: 'The maximum is reached: no more can be added.',
    fr: 'Le maximum est atteint\u00a0: rien de plus ne peut être ajouté.',
  },
  documents_missing: {
    status: 422,
    en: 'A required document is missing: an identity document (SELF_ID), or for a property a title (PROOF_OF_OWNERSHIP), or a mandate with the identity of the owner (OWNER_MANDATE and OWNER_ID).',
    fr: 'Un document obligatoire manque : une pièce d’identité (SELF_ID), ou pour un bien un titre (PROOF_OF_OWNERSHIP), ou un mandat avec la pièce du propriétaire (OWNER_MANDATE et OWNER_ID).',
  },
  self_review: {
    status: 409,
    en: 'You cannot review a verification that concerns you, or that you opened, submitted or attached a paper to. Ask another administrator.',
    fr: 'Vous ne pouvez pas examiner une vérification qui vous concerne, que vous avez ouverte ou déposée, ou à laquelle vous avez joint une pièce. Demandez à un autre administrateur.',
  },
  own_account: {
    status: 409,
    en: 'You cannot remove your own administrator role. Ask another administrator.',
    fr: 'Vous ne pouvez pas vous retirer le rôle d’administrateur. Demandez à un autre administrateur.',
  },
  last_admin: {
    status: 409,
    en: 'An organization needs an administrator. Give somebody else this role first.',
    fr: 'Une organisation a besoin d’un administrateur. Nommez-en d’abord un autre.',
  },
  properties_owned: {
    status: 409,
    en: 'You still own properties here. Archive them, or have them transferred to another owner, then close your account.',
    fr: 'Vous possédez encore des biens ici. Archivez-les ou faites-les remettre à un autre propriétaire, puis fermez votre compte.',
  },
  invalid_credentials: {
    status: 401,
    en: 'The number or the password is wrong.',
    fr: 'Le numéro ou le mot de passe est incorrect.',
  },
  ...LATER,
} as const satisfies Readonly<Record<string, Code>>
export type ErrorCode = keyof typeof ERRORS

// What Object.keys cannot say: these are the table's own keys.
const isCode = (word: string): word is ErrorCode => word in ERRORS
export const ERROR_CODES: readonly ErrorCode[] = Object.keys(ERRORS).filter(isCode)
