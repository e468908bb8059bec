import { type Html, html } from '../../core/html.ts'
import { assetPath } from '../serve.ts'

export type Locale = 'fr' | 'en'
type Door = {
  readonly status?: number
  readonly locale: Locale
  readonly title: string
  readonly main: Html
  /** Address of the same page in the other language. */
  readonly other: string
  /** A script that the page can do without. */
  readonly script?: string
  /** Where the answer to the form leads, beyond this service. */
  readonly target?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly cookies?: readonly string[]
}
/** The style of the sign-in page, so that people see one product. */
const RESOURCES = '/realms/svc/resources'
const TAGLINE = { fr: 'Vos biens, vos baux, vos loyers.', en: 'Your homes, your leases, your rent.' }
const OTHER = { fr: ['en', 'English'], en: ['fr', 'Français'] } as const

/** A page with a form that works without scripts: setting up, signing up, recovering an account, the demo's people. */
export function doorPage({ status = 200, locale, title, main, other, script, target = '', ...more }: Door): Response {
  const [lang, name] = OTHER[locale]
  const text = html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} – Loyer</title>
<link rel="icon" type="image/svg+xml" href="${RESOURCES}/icon.svg">
<link rel="stylesheet" href="${RESOURCES}/login.css">
${script !== undefined && html`<script src="${assetPath(script)}" defer></script>`}
</head>
<body>
<header class="brand">
<img src="${RESOURCES}/icon.svg" alt="" width="40" height="40">
<p class="name">Loyer</p>
<p class="tagline">${TAGLINE[locale]}</p>
</header>
<main class="card">
<h1>${title}</h1>
${main}
</main>
<footer><a href="${other}${other.includes('?') ? '&' : '?'}lang=${lang}" hreflang="${lang}" lang="${lang}">${name}</a></footer>
</body>
</html>
`
  const headers = new Headers({
    'cache-control': 'no-store',
    'content-language': locale,
    'content-security-policy': [
      "default-src 'none'",
      "style-src 'self'",
      "img-src 'self'",
      ...(script === undefined ? [] : ["script-src 'self'"]),
      `form-action 'self' ${target}`.trimEnd(),
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ].join('; '),
    'content-type': 'text/html; charset=utf-8',
    // Without a referrer the browser would name no origin in the form's POST.
    'referrer-policy': 'same-origin',
    vary: 'Accept-Language, Cookie',
    'x-content-type-options': 'nosniff',
    ...more.headers,
  })
  for (const cookie of more.cookies ?? []) headers.append('set-cookie', cookie)
  return new Response(text.text, { status, headers })
}

/** The errors of a form: sentences by field name; `''` is about the whole form. */
export type Faults = Readonly<Record<string, string>>

type Field = {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly value?: string
  readonly type?: 'text' | 'tel' | 'password'
  readonly mode?: 'numeric' | 'tel'
  readonly autocomplete: string
  readonly max: number
  readonly focus?: boolean
}
/** A labelled field with its hint and its error. */
export function field(
  { name, label, hint, value, type = 'text', mode, autocomplete, max, focus }: Field,
  faults: Faults = {},
): Html {
  const fault = faults[name]
  const described = [fault !== undefined && `${name}-fault`, hint !== undefined && `${name}-hint`]
    .filter(Boolean)
    .join(' ')
  return html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}"${mode && html` inputmode="${mode}"`} autocomplete="${autocomplete}" maxlength="${max}" required value="${value}"${described !== '' && html` aria-describedby="${described}"`}${fault !== undefined && html` aria-invalid="true"`}${(focus || (fault !== undefined && Object.keys(faults)[0] === name)) && html` autofocus`}>
${fault !== undefined && html`<p class="fault" id="${name}-fault">${fault}</p>`}
<p class="hint" id="${name}-hint">${fault === undefined && hint}</p>`
}

/** The error about the form as a whole. */
export const alertOf = (faults: Faults): Html | undefined =>
  faults[''] === undefined ? undefined : html`<p class="alert" role="alert">${faults['']}</p>`
