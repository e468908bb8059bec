import { type Html, html, inUrl } from '../core/html.ts'
import { assetPath } from './serve.ts'

type Page = {
  readonly status: number
  readonly locale: 'fr' | 'en'
  readonly title: string
  /** The kind of page, shown under the name of the service. */
  readonly about: string
  /** The tone, which colours the page. */
  readonly tone: string
  readonly main: Html
  readonly note?: string
  /** Address of the same page in the other language. */
  readonly other: string
  readonly script?: string
  /** More for the head, such as what messengers show of the page. */
  readonly head?: Html
  /** True if the page has pictures of this server. */
  readonly pictures?: true
  /** True if the page has a form that changes something. */
  readonly form?: true
  readonly headers?: Readonly<Record<string, string>>
}
const OTHER = { fr: ['en', 'English'], en: ['fr', 'Français'] } as const

const policy = (scripts: boolean, forms: boolean, pictures: boolean): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    // An empty icon stops browsers from requesting one.
    `img-src ${pictures ? "'self' " : ''}data:`,
    ...(scripts ? ["script-src 'self'"] : []),
    `form-action ${forms ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')

/** A page that needs no sign-in: complete without scripts, never cached, excluded from search engines. */
export function answerPage(page: Page): Response {
  const { status, locale, title, about, tone, main, note, other, script, head, pictures, form, headers } = page
  const [lang, name] = OTHER[locale]
  const text = html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} – Loyer</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assetPath('verify/page.css')}">
${head}
${script !== undefined && html`<script src="${assetPath(script)}" defer></script>`}
</head>
<body>
<header><p>Loyer</p><p>${about}</p></header>
<main class="${tone}">
${main}
</main>
<footer>${note !== undefined && html`<p>${note}</p>`}<a href="${other}?lang=${lang}" hreflang="${lang}" lang="${lang}">${name}</a></footer>
</body>
</html>
`
  return new Response(text.text, {
    status,
    headers: {
      'cache-control': 'no-store',
      'content-language': locale,
      'content-security-policy': policy(script !== undefined, script !== undefined || form === true, pictures === true),
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
  })
}

/** A sentence about the form below; the field of an error also refers to it, see `faulty`. */
export const saying = (text: string, isFault: boolean): Html =>
  isFault ? html`<p class="fault" id="said" role="alert">${text}</p>` : html`<p role="status">${text}</p>`
export const faulty = (isFault: boolean): Html | undefined =>
  isFault ? html` aria-invalid="true" aria-describedby="said" autofocus` : undefined

/** The link that opened a page, and its language: that of the link's receiver. */
export type LinkContext = { readonly locale: 'fr' | 'en'; readonly token: string }
/** `bare`: the page shows nothing of a person. */
type Look = Pick<Page, 'title' | 'tone' | 'main'> & { readonly status?: number; readonly bare?: true }
const LINKS = {
  fr: {
    unknown: 'Lien inconnu',
    unknownLead: 'Ce lien n’ouvre rien. Vérifiez que vous l’avez ouvert ou recopié en entier.',
    note: 'Ce lien est réservé à la personne qui l’a reçu\u00a0: ne le transmettez pas.',
    noteless: 'Cette page ne montre aucune donnée personnelle.',
  },
  en: {
    unknown: 'Unknown link',
    unknownLead: 'This link opens nothing. Check that you opened or copied all of it.',
    note: 'This link is meant for the person who received it: do not pass it on.',
    noteless: 'This page shows no personal data.',
  },
} as const
type LinkTexts = { readonly [Name in 'about' | 'closed' | 'closedLead']: string } & { readonly note?: string }

/** The pages with forms behind links below `/<place>/`, each for the person who received the link. */
export function linkPages(place: string, texts: Readonly<Record<LinkContext['locale'], LinkTexts>>) {
  const page = ({ locale, token }: LinkContext, { status = 200, title, tone, main, bare }: Look): Response =>
    answerPage({
      status,
      locale,
      title,
      about: texts[locale].about,
      tone,
      main: html`<h1>${title}</h1>
${main}`,
      note: bare ? LINKS[locale].noteless : (texts[locale].note ?? LINKS[locale].note),
      other: `/${place}/${inUrl(token, 64)}`,
      form: true,
      headers: { 'x-robots-tag': 'noindex, nofollow' },
    })
  /** The page of a link that is unknown (404) or no longer open (410). */
  function closedPage(context: LinkContext, state: 'unknown' | 'closed'): Response {
    const t = { ...LINKS[context.locale], ...texts[context.locale] }
    const main = html`<p class="lead">${t[`${state}Lead`]}</p>`
    return page(context, {
      status: state === 'unknown' ? 404 : 410,
      title: t[state],
      tone: 'unknown',
      main,
      bare: true,
    })
  }
  return { page, closedPage }
}
