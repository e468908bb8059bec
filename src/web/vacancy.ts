import { type Html, html, inUrl } from '../core/html.ts'
import { formatMoney } from '../core/money.ts'
import { UNIT_TYPE_NAMES } from '../core/unit-types.ts'
import { answerPage } from './page.ts'

type Locale = 'fr' | 'en'
type Unit = {
  readonly label: string
  readonly areaSqm: number | null
  readonly bedrooms: number | null
  readonly bathrooms: number | null
  readonly rentAmount: number | null
  /** The rent with the VAT that a new lease would bear. */
  readonly payableAmount: number | null
  /** The unit's type, if it differs from that of the property. */
  readonly type: keyof (typeof TEXTS)['fr']['types'] | null
}
type Home = {
  readonly id: string
  readonly name: string
  readonly type: keyof (typeof TEXTS)['fr']['types']
  readonly city: string
  readonly quartier: string | null
  readonly province: string | null
  readonly amenities: readonly string[]
  readonly letBy: string | undefined
  readonly units: readonly Unit[]
  /** How many are vacant, also those that are not shown. */
  readonly vacant: number
  readonly lowestRent: number | undefined
  /** `label`: of the unit that it shows. */
  readonly photos: readonly { readonly id: string; readonly label: string | undefined }[]
  /** `whole`: small enough for a preview as it is. */
  readonly cover: { readonly id: string; readonly type: string; readonly whole: boolean | undefined } | undefined
}

const TEXTS = {
  fr: {
    about: 'À louer',
    types: UNIT_TYPE_NAMES.fr,
    vacant: (n: number) =>
      n === 0 ? 'Rien de libre en ce moment' : n === 1 ? '1 logement libre' : `${n}\u00a0logements libres`,
    from: (rent: string) => `à partir de ${rent} par mois`,
    units: 'Ce qui est libre',
    more: (n: number) => `et ${n}\u00a0${n > 1 ? 'autres' : 'autre'}`,
    area: (n: number) => `${n}\u00a0m²`,
    bedrooms: (n: number) => (n > 1 ? `${n}\u00a0chambres` : `${n}\u00a0chambre`),
    bathrooms: (n: number) => (n > 1 ? `${n} salles d’eau` : `${n} salle d’eau`),
    perMonth: (rent: string, net?: string) => `${rent} / mois${net === undefined ? '' : ` (${net} hors TVA)`}`,
    onRequest: 'Loyer sur demande',
    amenities: 'Sur place',
    photo: (name: string, n: number, label?: string) => `${name}${label === undefined ? '' : `, ${label}`}, photo ${n}`,
    contact: 'Vous êtes intéressé ?',
    contactLead: (who: string | undefined) =>
      `${who === undefined ? 'Le bailleur' : who} reçoit votre demande et vous répond. Il vous faut un compte, créé avec votre numéro de téléphone ; il est gratuit.`,
    ask: 'Demander ce logement',
    others: 'Voir ce qui est libre ailleurs',
    letBy: 'Proposé par',
    note: 'Ne payez jamais d’avance pour visiter. L’adresse exacte vous est donnée par le bailleur.',
  },
  en: {
    about: 'To let',
    types: UNIT_TYPE_NAMES.en,
    vacant: (n: number) => (n === 0 ? 'Nothing vacant at the moment' : n === 1 ? '1 vacant unit' : `${n} vacant units`),
    from: (rent: string) => `from ${rent} a month`,
    units: 'What is vacant',
    more: (n: number) => `and ${n} more`,
    area: (n: number) => `${n}\u00a0m²`,
    bedrooms: (n: number) => (n === 1 ? '1 bedroom' : `${n} bedrooms`),
    bathrooms: (n: number) => (n === 1 ? '1 bathroom' : `${n} bathrooms`),
    perMonth: (rent: string, net?: string) => `${rent} a month${net === undefined ? '' : ` (${net} before VAT)`}`,
    onRequest: 'Rent on request',
    amenities: 'On site',
    photo: (name: string, n: number, label?: string) => `${name}${label === undefined ? '' : `, ${label}`}, photo ${n}`,
    contact: 'Interested?',
    contactLead: (who: string | undefined) =>
      `${who === undefined ? 'The landlord' : who} receives your request and answers you. You need an account, made with your phone number; it is free.`,
    ask: 'Ask for this home',
    others: 'See other vacant homes',
    letBy: 'Let by',
    note: 'Never pay to be shown a home. The landlord tells you the exact address.',
  },
} as const

type VacancyPage = {
  readonly locale: Locale
  readonly home: Home
  readonly publicUrl: string
}

const photoUrl = (id: string, size?: 320 | 800): string =>
  `/media-files/public/${id}${size === undefined ? '' : `?size=${size}`}`

function unitRow(unit: Unit, locale: Locale): Html {
  const t = TEXTS[locale]
  const facts = [
    unit.type !== null && t.types[unit.type],
    unit.bedrooms !== null && unit.bedrooms > 0 && t.bedrooms(unit.bedrooms),
    unit.bathrooms !== null && unit.bathrooms > 0 && t.bathrooms(unit.bathrooms),
    unit.areaSqm !== null && unit.areaSqm > 0 && t.area(unit.areaSqm),
  ].filter((fact) => fact !== false)
  const { rentAmount: net, payableAmount: sum } = unit
  const rent =
    net === null || sum === null
      ? t.onRequest
      : t.perMonth(formatMoney(sum, locale), sum === net ? undefined : formatMoney(net, locale))
  return html`<li><div><strong>${unit.label}</strong><span>${facts.join(' · ')}</span></div><strong>${rent}</strong></li>`
}

/** GET /p/{propertyId}: a home to let, for whoever was sent its link. Works without scripts, and on paper. */
export function vacancyPage({ locale, home, publicUrl }: VacancyPage): Response {
  const t = TEXTS[locale]
  const place = [home.quartier, home.city, home.province].filter((part) => part !== null && part !== '').join(', ')
  const rent = home.lowestRent === undefined ? undefined : t.from(formatMoney(home.lowestRent, locale))
  const lead = [t.vacant(home.vacant), ...(rent === undefined || home.vacant === 0 ? [] : [rent])].join(', ')
  const path = `/p/${home.id}`
  const { cover } = home
  const preview: Html = html`<meta name="description" content="${lead}. ${place}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="Loyer">
<meta property="og:title" content="${home.name}, ${place}">
<meta property="og:description" content="${t.types[home.type]}. ${lead}.">
<meta property="og:url" content="${publicUrl}${path}">
<meta property="og:locale" content="${locale === 'fr' ? 'fr_FR' : 'en_GB'}">
${
  cover &&
  html`<meta property="og:image" content="${publicUrl}${photoUrl(cover.id, cover.whole ? undefined : 800)}">
<meta property="og:image:type" content="${cover.type}">
<meta property="og:image:alt" content="${t.photo(home.name, 1)}">
<meta name="twitter:card" content="summary_large_image">`
}
<link rel="canonical" href="${publicUrl}${path}">`
  const left = home.vacant - home.units.length
  return answerPage({
    status: 200,
    locale,
    title: `${home.name}, ${place}`,
    about: t.about,
    tone: 'home',
    head: preview,
    pictures: true,
    main: html`<h1>${home.name}</h1>
<p class="lead">${t.types[home.type]} · ${place}</p>
<p class="good">${lead}</p>
${
  home.photos.length > 0 &&
  html`<ul class="photos">${home.photos.map(
    ({ id, label }, i) =>
      html`<li><a href="${photoUrl(id)}"><img src="${photoUrl(id, i === 0 ? 800 : 320)}" alt="${t.photo(home.name, i + 1, label)}"${i > 2 && html` loading="lazy"`}></a></li>`,
  )}</ul>`
}
${
  home.units.length > 0 &&
  html`<section><h2>${t.units}</h2>
<ul class="units">${home.units.map((unit) => unitRow(unit, locale))}</ul>
${left > 0 && html`<p>${t.more(left)}</p>`}</section>`
}
${
  home.amenities.length > 0 &&
  html`<section><h2>${t.amenities}</h2>
<p class="named">${home.amenities.join(' · ')}</p></section>`
}
${
  home.vacant > 0
    ? html`<section class="screen"><h2>${t.contact}</h2>
<p>${t.contactLead(home.letBy)}</p>
<a class="file" href="/portal/homes?q=${inUrl(home.name, 100)}">${t.ask}</a></section>`
    : html`<a class="file screen" href="/portal/homes">${t.others}</a>`
}
${home.letBy !== undefined && html`<p class="lead">${t.letBy} ${home.letBy}</p>`}
<p class="paper">${publicUrl}${path}</p>`,
    note: t.note,
    other: path,
  })
}
