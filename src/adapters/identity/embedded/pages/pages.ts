import { type Html, html } from '../../../../core/html.ts'
import { type Lang, TEXTS, type TextKey } from './texts.ts'

/** Hidden fields of a form. */
export const hidden = (fields: Readonly<Record<string, string>>): Html[] =>
  Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)

/**
 * Addresses of the pages for people without an account or password; an undefined one is not shown. Their parameter `back`
 * names the sign-in to continue.
 */
export type HelpLinks = { readonly register?: string | undefined; readonly reset?: string | undefined }

export type PageContext = {
  readonly lang: Lang
  /** Base path of the stylesheet and icon: the issuer's path. */
  readonly base: string
  /** The start page of the product. */
  readonly home: string
  readonly links: HelpLinks
}

/** A whole page; `script`: the page offers passkeys, which need a script. */
export const layout = (
  { lang, base }: PageContext,
  title: string,
  content: Html,
  footer?: Html,
  script = false,
): string =>
  html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} – Loyer</title>
<link rel="icon" type="image/svg+xml" href="${base}/resources/icon.svg">
<link rel="stylesheet" href="${base}/resources/login.css">
${script && html`<script src="${base}/resources/passkey.js" defer></script>`}
</head>
<body>
<header class="brand">
<img src="${base}/resources/icon.svg" alt="" width="40" height="40">
<p class="name">Loyer</p>
<p class="tagline">${TEXTS[lang].tagline}</p>
</header>
<main class="card">
${content}
</main>
<footer>${footer}</footer>
</body>
</html>
`.text

export type LoginForm = {
  readonly action: string
  readonly csrf: string
  readonly username?: string | undefined
  readonly error?: TextKey | undefined
  /** Address of the same page in the other language. */
  readonly otherLang: string
}

/** The sign-in form; works without scripts, at 360 px, and with password managers. */
export function loginPage(page: PageContext, form: LoginForm): string {
  const t = TEXTS[page.lang]
  const { error, username } = form
  const invalid = error === 'wrong' || error === 'empty' ? html` aria-invalid="true" aria-describedby="error"` : html``
  const hint = invalid.text === '' ? html` aria-describedby="hint"` : invalid
  const focus = html` autofocus`
  const { register, reset } = page.links
  const more = `?back=${form.action.split('/').at(-1)}&lang=${page.lang}`
  const links = [
    ...(reset === undefined ? [] : [html`<a href="${reset + more}">${t.forgotten}</a>`]),
    ...(register === undefined ? [] : [html`<a href="${register + more}">${t.register}</a>`]),
  ]
  return layout(
    page,
    t.signIn,
    html`<h1>${t.signIn}</h1>
<p class="lead">${t.signInLead}</p>
${error && html`<p class="alert" role="alert" id="error">${t[error]}</p>`}
<form method="post" action="${form.action}">
${hidden({ csrf: form.csrf, lang: page.lang })}
<label for="username">${t.phone}</label>
<input id="username" name="username" type="tel" inputmode="tel" autocomplete="username" maxlength="40" required value="${username}"${hint}${!username && focus}>
<p class="hint" id="hint">${t.phoneHint}</p>
<label for="password">${t.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="512" required${invalid}${username ? focus : undefined}>
<button type="submit">${t.submit}</button>
</form>
${links.length > 0 ? html`<nav class="links">${links}</nav>` : html`<p class="hint">${t.noCodes}</p>`}`,
    html`<a href="${form.otherLang}" hreflang="${page.lang === 'fr' ? 'en' : 'fr'}" lang="${page.lang === 'fr' ? 'en' : 'fr'}">${t.otherLang}</a>`,
  )
}

/** An error in both languages, the reader's first, because an error page has no address for the other language. */
export function errorPage(page: PageContext, title: TextKey, text: TextKey, detail?: string): string {
  const other = page.lang === 'fr' ? 'en' : 'fr'
  const t = TEXTS[page.lang]
  return layout(
    page,
    t[title],
    html`<h1>${t[title]}</h1>
<p class="lead">${t[text]}</p>
<section lang="${other}">
<h2>${TEXTS[other][title]}</h2>
<p>${TEXTS[other][text]}</p>
</section>
<a class="button" href="${page.home}">${t.home}</a>
${detail && html`<p class="hint">${t.detail} <code>${detail}</code></p>`}`,
  )
}

export type Post = { readonly action: string; readonly fields: Readonly<Record<string, string>> }

export function logoutPage(page: PageContext, { action, fields }: Post): string {
  const t = TEXTS[page.lang]
  return layout(
    page,
    t.signOut,
    html`<h1>${t.signOut}</h1>
<p class="lead">${t.signOutLead}</p>
<form method="post" action="${action}" class="lone">
${hidden(fields)}
<button type="submit" name="logout" value="yes">${t.signOut}</button>
</form>
<a class="button quiet" href="${page.home}">${t.stay}</a>`,
  )
}

export function loggedOutPage(page: PageContext): string {
  const t = TEXTS[page.lang]
  return layout(
    page,
    t.signedOut,
    html`<h1>${t.signedOut}</h1>
<p class="lead">${t.signedOutLead}</p>
<a class="button" href="${page.home}">${t.home}</a>`,
  )
}

/** The browser has a session of another account: one button closes it and continues. */
export function switchPage(page: PageContext, { action, fields }: Post): string {
  const t = TEXTS[page.lang]
  return layout(
    page,
    t.switchTitle,
    html`<h1>${t.switchTitle}</h1>
<p class="lead">${t.switchLead}</p>
<form method="post" action="${action}" class="lone">
${hidden(fields)}
<button type="submit">${t.proceed}</button>
</form>`,
  )
}
