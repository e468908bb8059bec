import { html } from '../core/html.ts'
import { answerPage } from './page.ts'

type Trouble = {
  readonly status: number
  /** The code of the problem. */
  readonly code: string
  readonly locale: 'fr' | 'en'
  /** The problem, in a sentence. */
  readonly detail: string
  /** Retry-After in seconds. */
  readonly retryAfter: number | undefined
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}
const TEXTS = {
  fr: {
    tooMany: 'Trop de demandes',
    tooManyLead: 'Beaucoup de demandes sont venues de votre connexion.',
    missing: 'Page introuvable',
    missingLead: 'Cette adresse ne mène à rien. Elle a peut-être changé.',
    broken: 'Page momentanément indisponible',
    refused: 'Demande refusée',
    notSetUp: 'Loyer n’est pas encore installé',
    setUp: 'Coller le lien',
    about: 'Loyers et documents',
    wait: (n: number) => `Vous pourrez réessayer dans ${n}\u00a0${n > 1 ? 'secondes' : 'seconde'}.`,
    again: 'Réessayer',
    home: 'Aller à l’accueil',
  },
  en: {
    tooMany: 'Too many requests',
    tooManyLead: 'Many requests came from your connection.',
    missing: 'Page not found',
    missingLead: 'This address leads nowhere. It may have changed.',
    broken: 'This page cannot be shown right now',
    refused: 'Request refused',
    notSetUp: 'Loyer is not set up yet',
    setUp: 'Paste the link',
    about: 'Rents and papers',
    wait: (n: number) => `You can try again in ${n} ${n === 1 ? 'second' : 'seconds'}.`,
    again: 'Try again',
    home: 'Go to the home page',
  },
} as const

/** What a person sees at such an address instead of the page: too many requests (429), nothing there (404), a fault (5xx). */
export function troublePage({ status, code, locale, detail, retryAfter, path: at, headers }: Trouble): Response {
  // The address of a form's target is no page; link to the page of the form instead.
  const path = at.replace(/^(\/u\/[^/]+)\/.*$/, '$1')
  const t = TEXTS[locale]
  const isNew = code === 'not_set_up'
  const title = isNew
    ? t.notSetUp
    : status === 429
      ? t.tooMany
      : status === 404
        ? t.missing
        : status < 500
          ? t.refused
          : t.broken
  return answerPage({
    status,
    locale,
    title,
    about: t.about,
    tone: 'calm',
    main: html`<h1>${title}</h1>
<p class="lead">${status === 429 ? t.tooManyLead : code === 'not_found' ? t.missingLead : detail}${retryAfter !== undefined && !isNew && ` ${t.wait(retryAfter)}`}</p>
${status === 404 && html`<a class="file" href="/">${t.home}</a>`}
${isNew && html`<a class="file" href="/setup">${t.setUp}</a>`}
${(status === 429 || status >= 500) && !isNew && html`<a class="file" href="${path}">${t.again}</a>`}`,
    other: path,
    headers,
  })
}
