import { html } from '../../core/html.ts'
import { alertOf, doorPage, type Faults, field, type Locale } from './door.ts'
import { WORDS } from './words.ts'

const TEXTS = {
  fr: {
    title: 'Installer Loyer',
    lead: 'Cinq lignes, une seule fois. Vous serez propriétaire et administrateur de cet espace.',
    token: 'Lien affiché dans le terminal',
    tokenHint: 'Collez le lien en entier, ou ce qui suit le #.',
    name: 'Nom de votre agence, ou le vôtre',
    nameHint: 'Il figure sur les baux et les quittances. Vous pourrez le changer.',
    language: 'Langue des documents',
    samples: 'Ajouter un immeuble d’exemple, pour voir. Il s’enlève en une fois dans les réglages.',
    submit: 'Commencer',
    wrongToken:
      'Ce lien n’est pas le bon. Chaque démarrage du serveur en affiche un nouveau : prenez celui affiché en dernier.',
    done: 'Ce serveur est déjà installé',
    doneLead: 'Le lien a servi. Connectez-vous avec le numéro et le mot de passe choisis alors.',
    signIn: 'Se connecter',
  },
  en: {
    title: 'Set up Loyer',
    lead: 'Five lines, once. You will own and administer this place.',
    token: 'Link shown in the terminal',
    tokenHint: 'Paste the whole link, or the part after the #.',
    name: 'Name of your agency, or your own',
    nameHint: 'It is printed on leases and receipts. You can change it later.',
    language: 'Language of the papers',
    samples: 'Add a sample building, to look around. It is removed in one go in the settings.',
    submit: 'Begin',
    wrongToken:
      'This link is not the current one. The server prints a new link each time it starts: use the latest one.',
    done: 'This server is already set up',
    doneLead: 'The link was used. Sign in with the number and the password chosen then.',
    signIn: 'Sign in',
  },
} as const

type Filled = {
  readonly token?: string
  readonly organizationName?: string
  readonly firstName?: string
  readonly lastName?: string
  readonly phoneNumber?: string
  readonly locale?: string
}
/** GET /setup, and the same with what was typed where something of it is `broken` (422); `weak` is about the password. */
export function setupPage(
  { locale, lang }: { readonly locale: Locale; readonly lang: string },
  filled: Filled,
  broken: readonly string[] = [],
): Response {
  const [t, w] = [TEXTS[locale], WORDS[locale]]
  const about: Faults = {
    token: t.wrongToken,
    organizationName: w.missing,
    firstName: filled.firstName ? w.wrongName : w.missing,
    lastName: filled.lastName ? w.wrongName : w.missing,
    phoneNumber: w.wrongPhone,
    password: w.shortPassword,
    weak: w.weakPassword,
  }
  const faults: Faults = Object.fromEntries(
    broken.flatMap((name) => (about[name] === undefined ? [] : [[name === 'weak' ? 'password' : name, about[name]]])),
  )
  const tongue = (value: Locale, name: string) =>
    html`<label lang="${value}"><input type="radio" name="locale" value="${value}"${filled.locale === value && html` checked`}>${name}</label>`
  return doorPage({
    status: broken.length === 0 ? 200 : 422,
    locale,
    title: t.title,
    main: html`<p class="lead">${t.lead}</p>
${alertOf(faults.token === undefined ? {} : { '': t.wrongToken })}
<form method="post" action="/setup${lang}">
<div class="paste">${field({ name: 'token', label: t.token, hint: t.tokenHint, value: faults.token === undefined ? (filled.token ?? '') : '', autocomplete: 'off', max: 300 })}</div>
${field({ name: 'organizationName', label: t.name, hint: t.nameHint, value: filled.organizationName ?? '', autocomplete: 'organization', max: 200 }, faults)}
<div class="two"><div>${field({ name: 'firstName', label: w.firstName, value: filled.firstName ?? '', autocomplete: 'given-name', max: 100 }, faults)}</div>
<div>${field({ name: 'lastName', label: w.lastName, value: filled.lastName ?? '', autocomplete: 'family-name', max: 100 }, faults)}</div></div>
${field({ name: 'phoneNumber', label: w.phone, hint: w.phoneHint, value: filled.phoneNumber ?? '', type: 'tel', mode: 'tel', autocomplete: 'username', max: 40 }, faults)}
${field({ name: 'password', label: w.password, hint: w.passwordHint, type: 'password', autocomplete: 'new-password', max: 128 }, faults)}
<fieldset><legend>${t.language}</legend>${tongue('fr', 'Français')}${tongue('en', 'English')}</fieldset>
<label class="check"><input type="checkbox" name="sampleData" value="yes"> <span>${t.samples}</span></label>
<button type="submit">${t.submit}</button>
</form>`,
    other: '/setup',
    script: 'ui/setup/fill.js',
  })
}

/** The same page once the link was used (409 for a form that comes too late). */
export function setUpPage(locale: Locale, status = 200): Response {
  const t = TEXTS[locale]
  return doorPage({
    status,
    locale,
    title: t.done,
    main: html`<p class="lead">${t.doneLead}</p>
<a class="button" href="/">${t.signIn}</a>`,
    other: '/setup',
  })
}
