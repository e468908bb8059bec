import { momentOf } from '../core/dates.ts'
import { type Html, html } from '../core/html.ts'
import { maskPhone } from '../core/phone.ts'
import { faulty, type LinkContext, linkPages, saying } from './page.ts'

type Change = {
  readonly oldNumber: string
  readonly newNumber: string
  /** Epoch ms. */
  readonly changedAt: number
  readonly expiresAt: number
}

const TEXTS = {
  fr: {
    about: 'Numéro de votre compte',
    open: 'Votre compte a changé de numéro',
    openLead: 'C’était vous ? Alors il n’y a rien à faire : fermez cette page.',
    oldNumber: 'Ancien numéro',
    newNumber: 'Nouveau numéro',
    changedAt: 'Changé le',
    until: 'Annulable jusqu’au',
    notYou: 'Ce n’était pas vous ?',
    effects: [
      'Le compte reprend l’ancien numéro.',
      'Tous les appareils sont déconnectés, et les codes déjà envoyés ne valent plus rien.',
      'Le mot de passe actuel n’ouvre plus rien : vous en choisissez un autre avec un code envoyé à l’ancien numéro.',
    ],
    undo: 'Reprendre l’ancien numéro',
    restored: 'L’ancien numéro est rétabli',
    restoredLead: 'Tous les appareils sont déconnectés. Il reste à choisir un nouveau mot de passe.',
    password: 'Nouveau mot de passe',
    passwordLead: 'Choisissez un nouveau mot de passe avec le code que vous recevez.',
    sent: 'Un code part à l’instant vers le numéro rétabli. Il est bon dix minutes.',
    notSent: 'Aucun code ne peut être envoyé pour l’instant. Réessayez dans quelques minutes.',
    wrongCode: 'Ce code n’est pas le bon. Vérifiez-le dans le dernier message reçu.',
    wrongPassword: 'Ce mot de passe est trop court ou trop facile à deviner. Choisissez-en un autre.',
    gone: 'Ce code a expiré ou a déjà servi. Demandez-en un autre.',
    code: 'Code reçu (six ou douze chiffres)',
    newPassword: 'Nouveau mot de passe (huit caractères au moins)',
    save: 'Enregistrer le mot de passe',
    send: 'Recevoir un code',
    again: 'Recevoir un autre code',
    undone: 'Ce changement est déjà annulé',
    undoneLead: 'Le compte a retrouvé l’ancien numéro. Pas encore de nouveau mot de passe ? Demandez un code.',
    set: 'Votre mot de passe est changé',
    setLead: 'Connectez-vous avec le numéro rétabli et ce nouveau mot de passe.',
    taken: 'Ce numéro a maintenant un autre compte',
    takenLead:
      'Quelqu’un s’est inscrit avec ce numéro depuis : il ne peut plus reprendre le compte d’avant. Adressez-vous à votre bailleur ou à l’agence.',
    closed: 'Ce lien n’est plus ouvert',
    closedLead:
      'Un changement de numéro s’annule dans les 72\u00a0heures, une seule fois, et tant que le compte existe. Adressez-vous à votre bailleur ou à l’agence.',
  },
  en: {
    about: 'The number of your account',
    open: 'Your account has a new number',
    openLead: 'Was it you? Then there is nothing to do: close this page.',
    oldNumber: 'Old number',
    newNumber: 'New number',
    changedAt: 'Changed on',
    until: 'Can be undone until',
    notYou: 'Was it not you?',
    effects: [
      'The account goes back to the old number.',
      'All devices are signed out, and codes sent before no longer work.',
      'The present password no longer opens anything: you choose another with a code sent to the old number.',
    ],
    undo: 'Take the old number back',
    restored: 'The old number is back',
    restoredLead: 'All devices are signed out. Now choose a new password.',
    password: 'New password',
    passwordLead: 'Choose a new password with the code that you receive.',
    sent: 'A code is on its way to the old number. It is good for ten minutes.',
    notSent: 'No code can be sent right now. Try again in a few minutes.',
    wrongCode: 'This code is not right. Check it in the latest message.',
    wrongPassword: 'This password is too short or too easy to guess. Choose another.',
    gone: 'This code has expired or was used. Ask for another.',
    code: 'Code received (six or twelve digits)',
    newPassword: 'New password (at least eight characters)',
    save: 'Save the password',
    send: 'Send me a code',
    again: 'Send me another code',
    undone: 'This change is undone already',
    undoneLead: 'The account has its old number again. No new password yet? Ask for a code.',
    set: 'Your password is changed',
    setLead: 'Sign in with the old number and this new password.',
    taken: 'This number has another account now',
    takenLead:
      'Somebody has signed up with this number since: it can no longer take the earlier account back. Ask your landlord or the agency.',
    closed: 'This link is no longer open',
    closedLead:
      'A change of number can be undone within 72 hours, once, and while the account exists. Ask your landlord or the agency.',
  },
} as const

/** `closedPage`: the link is unknown (404), or expired or used (410). */
const { page, closedPage } = linkPages('u', TEXTS)

export { closedPage }

const action = ({ locale, token }: LinkContext, step = ''): string => `/u/${token}${step}?lang=${locale}`
const sendForm = (context: LinkContext, isAgain = false): Html =>
  html`<form method="post" action="${action(context, '/code')}"><button type="submit"${isAgain && html` class="other"`}>${TEXTS[context.locale][isAgain ? 'again' : 'send']}</button></form>`

/** GET /u/{token}: the change of number, and a button that undoes it. */
export function openPage(context: LinkContext, change: Change, timeZone: string): Response {
  const { locale } = context
  const t = TEXTS[locale]
  const facts: [string, string][] = [
    [t.oldNumber, maskPhone(change.oldNumber)],
    [t.newNumber, maskPhone(change.newNumber)],
    [t.changedAt, momentOf(change.changedAt, locale, timeZone)],
    [t.until, momentOf(change.expiresAt, locale, timeZone)],
  ]
  return page(context, {
    title: t.open,
    tone: 'overdue',
    main: html`<p class="lead">${t.openLead}</p>
<dl>${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<section>
<h2>${t.notYou}</h2>
<ul>${t.effects.map((line) => html`<li>${line}</li>`)}</ul>
<form method="post" action="${action(context)}"><button type="submit">${t.undo}</button></form>
</section>`,
  })
}

/** The same page once its change is undone (410). */
export const undonePage = (context: LinkContext): Response => {
  const t = TEXTS[context.locale]
  const main = html`<p class="lead">${t.undoneLead}</p>
${sendForm(context)}`
  return page(context, { status: 410, title: t.undone, tone: 'genuine', main })
}

const TROUBLES = { code: 'wrongCode', password: 'wrongPassword', gone: 'gone' } as const
/** The form for a new password with the code that was sent; `outcome`: the answer, or the errors of the input (422). */
export function passwordPage(
  context: LinkContext,
  challengeId: string | undefined,
  outcome: 'restored' | 'asked' | keyof typeof TROUBLES,
): Response {
  const t = TEXTS[context.locale]
  const trouble = outcome === 'restored' || outcome === 'asked' ? undefined : t[TROUBLES[outcome]]
  const title = outcome === 'restored' ? t.restored : t.password
  const lead = outcome === 'restored' ? t.restoredLead : t.passwordLead
  return page(context, {
    status: trouble === undefined ? 200 : 422,
    title,
    tone: 'genuine',
    main: html`<p class="lead">${lead}</p>
<section>
${saying(trouble ?? (challengeId === undefined ? t.notSent : t.sent), trouble !== undefined)}
${
  challengeId === undefined
    ? sendForm(context)
    : html`<form method="post" action="${action(context, '/password')}">
<input type="hidden" name="challengeId" value="${challengeId}">
<label>${t.code}<input name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="14" required${faulty(outcome === 'code')}></label>
<label>${t.newPassword}<input name="newPassword" type="password" autocomplete="new-password" minlength="8" maxlength="128" required${faulty(outcome === 'password')}></label>
<button type="submit">${t.save}</button>
</form>
${sendForm(context, true)}`
}
</section>`,
  })
}

/** The final page. */
export const setPage = (context: LinkContext): Response => {
  const t = TEXTS[context.locale]
  return page(context, { title: t.set, tone: 'genuine', main: html`<p class="lead">${t.setLead}</p>` })
}

/** The same page where the number has another account by now (409). */
export const takenPage = (context: LinkContext): Response => {
  const t = TEXTS[context.locale]
  const main = html`<p class="lead">${t.takenLead}</p>`
  return page(context, { status: 409, title: t.taken, tone: 'unknown', main, bare: true })
}
