import { renderSVG } from 'uqr'
import { Html, html } from '../../../../core/html.ts'
import { hidden, layout, type PageContext } from '../pages/pages.ts'
import type { FactorRow } from './factor-rows.ts'
import { FACTOR_TEXTS, type FactorText } from './factor-texts.ts'

/** Each form posts to `action` with the `csrf` token and the name of its step. */
export type FactorForm = {
  readonly action: string
  readonly csrf: string
  /** Address of the same page in the other language. */
  readonly otherLang: string
  readonly error?: FactorText | undefined
  /** The passkey options for the browser, as JSON; undefined where there are no passkeys. */
  readonly passkey?: string | undefined
}

/** The error above the page; an error about the app's code stands beside its field instead, far below. */
const aboveAll = (page: PageContext, { error }: FactorForm): Html | undefined =>
  error === 'wrongSetup' ? undefined : alertOf(page, error)
const alertOf = ({ lang }: PageContext, error: FactorText | undefined): Html | undefined =>
  error && html`<p class="alert" role="alert" id="error">${FACTOR_TEXTS[lang][error]}</p>`

const fieldsOf = ({ lang }: PageContext, { csrf }: FactorForm, step: string, more: Record<string, string> = {}) =>
  hidden({ csrf, lang, step, ...more })

const footerOf = ({ lang }: PageContext, { otherLang }: FactorForm): Html => {
  const other = lang === 'fr' ? 'en' : 'fr'
  return html`<a href="${otherLang}" hreflang="${other}" lang="${other}">${{ fr: 'Français', en: 'English' }[other]}</a>`
}

const codeInput = (page: PageContext, label: FactorText, hint: FactorText | undefined, bad: boolean): Html => {
  const t = FACTOR_TEXTS[page.lang]
  const described = bad ? 'error' : hint && 'hint'
  return html`<label for="code">${t[label]}</label>
<input id="code" name="code" type="text" inputmode="numeric" autocomplete="one-time-code" maxlength="20" required${(bad || hint) && html` autofocus`}${bad && html` aria-invalid="true"`}${described && html` aria-describedby="${described}"`}>
${hint && html`<p class="hint" id="hint">${t[hint]}</p>`}`
}

/** Hidden until the script has found that the browser supports passkeys. */
const passkeyForm = (
  page: PageContext,
  form: FactorForm,
  step: string,
  label: FactorText,
  failed: FactorText,
): Html => {
  const t = FACTOR_TEXTS[page.lang]
  return html`<form method="post" action="${form.action}" class="lone with-passkey" data-passkey="${form.passkey}" hidden>
<p class="alert" role="alert" hidden>${t[failed]}</p>
${fieldsOf(page, form, step, { answer: '' })}
<button type="submit">${t[label]}</button>
</form>`
}

/** The second step of a sign-in: passkey, authenticator code or recovery code. */
export function askPage(page: PageContext, form: FactorForm): string {
  const t = FACTOR_TEXTS[page.lang]
  return layout(
    page,
    t.askTitle,
    html`<h1>${t.askTitle}</h1>
<p class="lead">${t.askLead}</p>
${alertOf(page, form.error)}
${
  form.passkey !== undefined &&
  html`${passkeyForm(page, form, 'passkey', 'usePasskey', 'failedPasskey')}
<p class="or with-passkey" hidden>${t.orCode}</p>`
}
<form method="post" action="${form.action}">
${fieldsOf(page, form, 'code')}
${codeInput(page, 'code', 'codeHint', form.error !== undefined && form.error !== 'failedPasskey')}
<button type="submit">${t.check}</button>
</form>
<p class="hint">${t.lost}</p>
<form method="post" action="${form.action}" class="lone">
${fieldsOf(page, form, 'restart')}
<button type="submit" class="quiet">${t.otherAccount}</button>
</form>`,
    footerOf(page, form),
    form.passkey !== undefined,
  )
}

export type Offer = { readonly secret: string; readonly address: string }

const appForm = (page: PageContext, form: FactorForm, { secret, address }: Offer): Html => {
  const t = FACTOR_TEXTS[page.lang]
  return html`<ol>
<li>${t.appStep1}</li>
<li>${t.appStep2}
<div class="qr" role="img" aria-label="${t.qr}">${new Html(renderSVG(address, { border: 2 }))}</div>
<p class="small">${t.secret}<br><code class="key">${secret.replace(/(.{4})(?=.)/g, '$1 ')}</code></p>
<p class="small"><a href="${address}">${t.openApp}</a></p></li>
<li>${t.appStep3}</li>
</ol>
<form method="post" action="${form.action}">
${fieldsOf(page, form, 'app')}
${form.error === 'wrongSetup' && alertOf(page, form.error)}
${codeInput(page, 'code', undefined, form.error === 'wrongSetup')}
<button type="submit">${t.confirm}</button>
</form>`
}

const passkeyOffer = (page: PageContext, form: FactorForm): Html | undefined => {
  const t = FACTOR_TEXTS[page.lang]
  return form.passkey === undefined
    ? undefined
    : html`<section class="with-passkey" hidden>
<h2>${t.passkey}</h2>
<p class="small">${t.passkeyLead}</p>
${passkeyForm(page, form, 'new-passkey', 'addPasskey', 'notAdded')}
</section>`
}

/** Enrolment for people who must have a second factor and have none yet. */
export function setupPage(page: PageContext, form: FactorForm, offer: Offer): string {
  const t = FACTOR_TEXTS[page.lang]
  return layout(
    page,
    t.setupTitle,
    html`<h1>${t.setupTitle}</h1>
<p class="lead">${t.setupLead}</p>
${aboveAll(page, form)}
<h2>${t.app}</h2>
${appForm(page, form, offer)}
${passkeyOffer(page, form)}`,
    footerOf(page, form),
    form.passkey !== undefined,
  )
}

/** The recovery codes, shown once; without codes the page only confirms the factor. */
export function codesPage(page: PageContext, form: FactorForm, codes: readonly string[]): string {
  const t = FACTOR_TEXTS[page.lang]
  const [title, lead] = codes.length > 0 ? [t.codesTitle, t.codesLead] : [t.doneTitle, t.doneLead]
  return layout(
    page,
    title,
    html`<h1>${title}</h1>
<p class="lead">${lead}</p>
${codes.length > 0 && html`<ul class="codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>`}
<form method="post" action="${form.action}" class="lone">
${fieldsOf(page, form, 'continue')}
<button type="submit">${codes.length > 0 ? t.codesKept : t.check}</button>
</form>`,
  )
}

export type Security = {
  readonly factors: readonly FactorRow[]
  readonly codesLeft: number
  /** An authenticator app to set up, for accounts without one. */
  readonly offer: Offer | undefined
  readonly changed: boolean
}

/** A person's own page of second factors: list, add, remove, renew. */
export function securityPage(page: PageContext, form: FactorForm, security: Security): string {
  const t = FACTOR_TEXTS[page.lang]
  const { factors, codesLeft, offer, changed } = security
  const day = new Intl.DateTimeFormat(page.lang === 'fr' ? 'fr-FR' : 'en-GB', { dateStyle: 'long' })
  const rows = factors.map(
    ({ id, kind, createdAt }) => html`<li>
<div><strong>${kind === 'TOTP' ? t.app : t.passkey}</strong><br><span class="small">${t.since} ${day.format(new Date(createdAt))}</span></div>
<form method="post" action="${form.action}" class="lone">
${fieldsOf(page, form, 'remove', { factor: id })}
<button type="submit" class="quiet" aria-label="${t.remove} (${kind === 'TOTP' ? t.app : t.passkey})">${t.remove}</button>
</form></li>`,
  )
  return layout(
    page,
    t.securityTitle,
    html`<h1>${t.securityTitle}</h1>
<p class="lead">${t.securityLead}</p>
${aboveAll(page, form)}
${changed && html`<p class="done" role="status">${t.changed}</p>`}
<h2>${t.yours}</h2>
${rows.length > 0 ? html`<ul class="rows">${rows}</ul>` : html`<p class="small">${t.none}</p>`}
${
  rows.length > 0 &&
  html`<section>
<p>${t.codesLeft} ${codesLeft}</p>
<p class="small">${t.renewHint}</p>
<form method="post" action="${form.action}" class="lone">
${fieldsOf(page, form, 'renew')}
<button type="submit" class="quiet">${t.renewCodes}</button>
</form>
</section>`
}
${
  offer &&
  html`<section>
<h2>${t.app}</h2>
${appForm(page, form, offer)}
</section>`
}
${passkeyOffer(page, form)}
<a class="button quiet" href="${page.home}">${{ fr: 'Aller à l’accueil', en: 'Go to the start page' }[page.lang]}</a>`,
    footerOf(page, form),
    form.passkey !== undefined,
  )
}
