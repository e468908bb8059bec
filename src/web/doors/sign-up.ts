import { type Html, html } from '../../core/html.ts'
import { markdown } from '../../core/markdown.ts'
import { alertOf, doorPage, type Faults, field, type Locale } from './door.ts'
import { WORDS } from './words.ts'

const TEXTS = {
  fr: {
    register: 'Créer un compte',
    registerLead: 'Votre numéro de téléphone suffit. Vous recevez un code pour montrer qu’il est à vous.',
    recover: 'Mot de passe oublié',
    recoverLead: 'Entrez le numéro de votre compte. Vous recevez un code pour choisir un autre mot de passe.',
    send: 'Recevoir un code',
    signIn: 'Se connecter',
    codeTitle: 'Entrez le code',
    sentBy: { WHATSAPP: 'WhatsApp', SMS: 'SMS' },
    sent: (by: string, to: string, at: string) =>
      `Un code est parti à ${at} par ${by} au ${to}. Il est bon dix minutes.`,
    maybeSent: (by: string, to: string, at: string) =>
      `Si le ${to} a un compte, un code est parti à ${at} par ${by}. Il est bon dix minutes.`,
    code: { register: 'Code reçu (six chiffres)', recover: 'Code reçu (six ou douze chiffres)' },
    recoveryHint: 'Ou les douze chiffres qu’un administrateur vous a donnés.',
    codeHint: 'Vous pouvez quitter cette page pour lire le message, puis y revenir.',
    check: 'Continuer',
    save: 'Enregistrer le mot de passe',
    noCode: 'Rien reçu ? Un nouveau code peut partir.',
    noCodeYet: (seconds: Html, at: string) => html`Rien reçu ? Un nouveau code peut partir dans ${seconds} s, à ${at}.`,
    again: 'Renvoyer le code',
    againBy: { WHATSAPP: 'Renvoyer par WhatsApp', SMS: 'Renvoyer par SMS' },
    other: 'Changer de numéro',
    sandbox: 'Serveur d’essai : lire le message ici',
    finish: 'Encore votre nom',
    finishLead: 'Il figure sur vos baux et vos quittances.',
    terms: 'J’accepte les conditions d’utilisation',
    privacy: 'J’ai lu comment mes données sont protégées',
    read: 'Lire le texte',
    create: 'Créer mon compte',
    done: 'Votre mot de passe est changé',
    doneLead: 'Tous les appareils sont déconnectés. Connectez-vous avec le nouveau mot de passe.',
    known: 'Ce numéro a déjà un compte',
    knownLead: 'Connectez-vous, ou choisissez un autre mot de passe si vous l’avez oublié.',
  },
  en: {
    register: 'Create an account',
    registerLead: 'Your phone number is enough. You get a code that shows that it is yours.',
    recover: 'Forgotten password',
    recoverLead: 'Enter the number of your account. You get a code to choose another password.',
    send: 'Send me a code',
    signIn: 'Sign in',
    codeTitle: 'Enter the code',
    sentBy: { WHATSAPP: 'WhatsApp', SMS: 'SMS' },
    sent: (by: string, to: string, at: string) =>
      `A code was sent at ${at} by ${by} to ${to}. It is good for ten minutes.`,
    maybeSent: (by: string, to: string, at: string) =>
      `If ${to} has an account, a code was sent at ${at} by ${by}. It is good for ten minutes.`,
    code: { register: 'Code received (six digits)', recover: 'Code received (six or twelve digits)' },
    recoveryHint: 'Or the twelve digits that an administrator gave you.',
    codeHint: 'You can leave this page to read the message, then come back.',
    check: 'Continue',
    save: 'Save the password',
    noCode: 'Nothing received? Another code can be sent.',
    noCodeYet: (seconds: Html, at: string) =>
      html`Nothing received? Another code can be sent in ${seconds} s, at ${at}.`,
    again: 'Send the code again',
    againBy: { WHATSAPP: 'Send again by WhatsApp', SMS: 'Send again by SMS' },
    other: 'Change the number',
    sandbox: 'Test server: read the message here',
    finish: 'And your name',
    finishLead: 'It is printed on your leases and receipts.',
    terms: 'I accept the terms of use',
    privacy: 'I have read how my data are protected',
    read: 'Read the text',
    create: 'Create my account',
    done: 'Your password is changed',
    doneLead: 'All devices are signed out. Sign in with the new password.',
    known: 'This number has an account already',
    knownLead: 'Sign in, or choose another password if you have forgotten yours.',
  },
} as const

export type Way = 'register' | 'recover'
type Channel = 'WHATSAPP' | 'SMS'
export type Step = {
  readonly way: Way
  readonly locale: Locale
  /** `?lang=…` where the reader chose a language. */
  readonly lang: string
  readonly faults?: Faults
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly cookies?: readonly string[]
}
const base = ({ way, locale, status = 200, headers = {}, cookies = [] }: Step, path = '') => ({
  locale,
  status,
  headers,
  cookies,
  other: `/${way}${path}`,
})

/** GET /register and /recover: the number. `back`: the sign-in that goes on afterwards. */
export function phonePage(
  step: Step,
  { phoneNumber, back }: { readonly phoneNumber: string; readonly back: string },
): Response {
  const { way, locale, lang, faults = {} } = step
  const [t, w] = [TEXTS[locale], WORDS[locale]]
  return doorPage({
    ...base(step),
    other: back === '' ? `/${way}` : `/${way}?back=${back}`,
    title: t[way],
    main: html`<p class="lead">${t[`${way}Lead`]}</p>
${alertOf(faults)}
<form method="post" action="/${way}${lang}">
<input type="hidden" name="back" value="${back}">
${field({ name: 'phoneNumber', label: w.phone, hint: w.phoneHint, value: phoneNumber, type: 'tel', mode: 'tel', autocomplete: 'tel', max: 40, focus: true }, faults)}
<button type="submit">${t.send}</button>
</form>
<nav class="links"><a href="/console">${t.signIn}</a></nav>`,
  })
}

export type Sent = {
  readonly channel: Channel
  readonly maskedDestination: string
  /** Times of day. */
  readonly at: string
  readonly againAt: string
  /** Seconds until a code can be sent again; 0 once it can. */
  readonly wait: number
  readonly channels: readonly Channel[]
  /** The page where a sandbox shows its messages. */
  readonly messages: string | undefined
}
/** GET /register/code and /recover/code; the latter takes the new password too. */
export function codePage(step: Step, sent: Sent): Response {
  const { way, locale, lang, faults = {} } = step
  const [t, w] = [TEXTS[locale], WORDS[locale]]
  const say = way === 'register' ? t.sent : t.maybeSent
  const resend = (channel: Channel) =>
    html`<button class="quiet" type="submit" name="again" value="${channel}">${sent.channels.length > 1 ? t.againBy[channel] : t.again}</button>`
  return doorPage({
    ...base(step, '/code'),
    title: t.codeTitle,
    script: 'ui/doors/again.js',
    main: html`<p class="lead" role="status">${say(t.sentBy[sent.channel], sent.maskedDestination, sent.at)}</p>
${alertOf(faults)}
<form method="post" action="/${way}/code${lang}">
${field({ name: 'code', label: t.code[way], hint: way === 'register' ? t.codeHint : t.recoveryHint, value: '', mode: 'numeric', autocomplete: 'one-time-code', max: 20, focus: true }, faults)}
${way === 'recover' && field({ name: 'newPassword', label: w.newPassword, hint: w.passwordHint, type: 'password', autocomplete: 'new-password', max: 128 }, faults)}
<button type="submit">${way === 'register' ? t.check : t.save}</button>
</form>
${sent.messages !== undefined && html`<p class="hint"><a href="${sent.messages}" target="_blank" rel="noopener">${t.sandbox}</a></p>`}
<form class="again" method="post" action="/${way}/code${lang}">
${sent.wait > 0 ? html`<p class="small" data-wait="${sent.wait}" data-ready="${t.noCode}">${t.noCodeYet(html`<b>${sent.wait}</b>`, sent.againAt)}</p>` : html`<p class="small">${t.noCode}</p>`}
${sent.channels.map(resend)}
</form>
<nav class="links"><a href="/${way}${lang}">${t.other}</a></nav>`,
  })
}

type Text = { readonly version: string; readonly text: string }
type Name = { readonly firstName: string; readonly lastName: string }
export type Terms = { readonly terms: Text; readonly privacy: Text }
/** GET /register/finish: name, password and the two texts. `target`: where the sign-in goes on, if elsewhere. */
export function finishPage(step: Step, { firstName, lastName }: Name, texts: Terms, target: string): Response {
  const { locale, lang, faults = {} } = step
  const [t, w] = [TEXTS[locale], WORDS[locale]]
  const box = (
    name: 'terms' | 'privacy',
  ) => html`<label class="check"><input type="checkbox" name="${name}" value="${texts[name].version}" required${faults[name] !== undefined && html` aria-invalid="true"`}> <span>${t[name]}</span></label>
<details><summary>${t.read}</summary><div>${markdown(texts[name].text)}</div></details>`
  return doorPage({
    ...base(step, '/finish'),
    target,
    title: t.finish,
    main: html`<p class="lead">${t.finishLead}</p>
${alertOf(faults)}
<form method="post" action="/register/finish${lang}">
<div class="two"><div>${field({ name: 'firstName', label: w.firstName, value: firstName, autocomplete: 'given-name', max: 100, focus: true }, faults)}</div>
<div>${field({ name: 'lastName', label: w.lastName, value: lastName, autocomplete: 'family-name', max: 100 }, faults)}</div></div>
${field({ name: 'password', label: w.password, hint: w.passwordHint, type: 'password', autocomplete: 'new-password', max: 128 }, faults)}
${box('terms')}
${box('privacy')}
<button type="submit">${t.create}</button>
</form>`,
  })
}

/** The last page: of a recovery, or of a sign-up with a number that has an account. `to`: where sign-in goes on. */
export function endPage(step: Step, kind: 'done' | 'known', to: string): Response {
  const { locale, lang } = step
  const t = TEXTS[locale]
  return doorPage({
    ...base(step),
    title: t[kind],
    main: html`<p class="lead">${t[`${kind}Lead`]}</p>
<a class="button" href="${to}">${t.signIn}</a>
${kind === 'known' && html`<a class="button quiet" href="/recover${lang}">${t.recover}</a>`}`,
  })
}
