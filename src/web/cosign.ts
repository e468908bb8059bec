import { type Html, html } from '../core/html.ts'
import { maskPhone } from '../core/phone.ts'
import { faulty, type LinkContext, linkPages, saying } from './page.ts'

type Invitation = {
  readonly role: 'CO_TENANT' | 'GUARANTOR'
  readonly fullName: string
  readonly phoneNumber: string | null
  readonly tenantName: string
  readonly unitLabel: string
  readonly propertyName: string
}

const TEXTS = {
  fr: {
    about: 'Signature d’un bail',
    open: 'Un bail attend votre signature',
    as: { CO_TENANT: 'Vous y êtes colocataire.', GUARANTOR: 'Vous y êtes garant du locataire.' },
    name: 'Votre nom',
    tenant: 'Locataire',
    premises: 'Lieux loués',
    number: 'Votre numéro',
    read: '1. Lisez le bail',
    readLead: 'Lisez-le en entier avant de signer. En cas d’erreur, dites-le au bailleur : ne signez pas.',
    paper: 'Ouvrir le bail (PDF)',
    notReady: 'Le bail est en cours de préparation. Revenez dans une minute.',
    sign: '2. Signez avec un code',
    signLead: 'Un code à six chiffres est envoyé à votre numéro. Le saisir ici, avec votre nom, vaut accord.',
    send: 'Recevoir un code',
    again: 'Recevoir un autre code',
    sent: 'Un code part à l’instant vers votre numéro. Il est bon dix minutes.',
    notSent: 'Aucun code ne peut être envoyé pour l’instant. Réessayez dans une minute.',
    changed: 'Le bail vient de changer. Relisez-le, puis demandez un nouveau code.',
    wrong: 'Ce code n’est pas le bon. Vérifiez-le dans le dernier message reçu.',
    gone: 'Ce code a expiré ou a déjà servi. Demandez-en un autre.',
    missing: 'Saisissez le code reçu et votre nom complet.',
    code: 'Code reçu (six chiffres)',
    fullName: 'Votre nom complet',
    agree: 'Signer le bail',
    signed: 'Vous avez signé ce bail',
    signedLead: 'Votre accord est enregistré. Le bail est en vigueur dès que toutes les parties ont signé.',
    closed: 'Il n’y a rien à signer ici',
    closedLead: 'Ce bail est signé, annulé ou terminé, ou vous n’en êtes plus partie. Adressez-vous au bailleur.',
  },
  en: {
    about: 'Signing a lease',
    open: 'A lease is waiting for your signature',
    as: { CO_TENANT: 'You are a co-tenant in it.', GUARANTOR: 'You are the guarantor of the tenant in it.' },
    name: 'Your name',
    tenant: 'Tenant',
    premises: 'Premises',
    number: 'Your number',
    read: '1. Read the lease',
    readLead: 'Read all of it before you sign. If something is wrong, tell the landlord: do not sign.',
    paper: 'Open the lease (PDF)',
    notReady: 'The lease is being drawn up. Come back in a minute.',
    sign: '2. Sign with a code',
    signLead: 'A code of six digits is sent to your number. Entering it here, with your name, is your agreement.',
    send: 'Send me a code',
    again: 'Send me another code',
    sent: 'A code is on its way to your number. It is good for ten minutes.',
    notSent: 'No code can be sent right now. Try again in a minute.',
    changed: 'The lease has just changed. Read it again, then ask for a new code.',
    wrong: 'This code is not right. Check it in the latest message.',
    gone: 'This code has expired or was used. Ask for another.',
    missing: 'Enter the code that you received and your full name.',
    code: 'Code you received (six digits)',
    fullName: 'Your full name',
    agree: 'Sign the lease',
    signed: 'You have signed this lease',
    signedLead: 'Your agreement is recorded. The lease is in force once all parties have signed.',
    closed: 'There is nothing to sign here',
    closedLead: 'This lease is signed, cancelled or over, or you are no longer a party to it. Ask the landlord.',
  },
} as const

/** `closedPage`: the link is unknown (404), or its lease is not out for signing (410). */
const { page, closedPage } = linkPages('s', TEXTS)

export { closedPage }

const action = ({ locale, token }: LinkContext, step: string): string => `/s/${token}${step}?lang=${locale}`
const reading = (context: LinkContext, hasPaper: boolean): Html => {
  const t = TEXTS[context.locale]
  return hasPaper
    ? html`<a class="file" href="/s/${context.token}/lease.pdf">${t.paper}</a>`
    : html`<p role="status">${t.notReady}</p>`
}

/** Where the signer stands: nothing asked for yet, a code under way (its challenge), or what was wrong. */
export type Step = {
  readonly challengeId?: string | undefined
  readonly fullName?: string
  readonly outcome?: 'sent' | 'notSent' | 'changed' | 'wrong' | 'gone' | 'missing'
}
const FAULTS: readonly string[] = ['wrong', 'gone', 'missing']

/** GET /s/{token}: the lease to read, and the way to sign it with a code. Works without scripts. */
export function cosignPage(context: LinkContext, invitation: Invitation, hasPaper: boolean, step: Step = {}): Response {
  const t = TEXTS[context.locale]
  const { role, fullName, phoneNumber, tenantName, unitLabel, propertyName } = invitation
  const facts: [string, string][] = [
    [t.name, fullName],
    [t.tenant, tenantName],
    [t.premises, `${unitLabel}, ${propertyName}`],
    [t.number, maskPhone(phoneNumber ?? '')],
  ]
  const { challengeId, outcome } = step
  const code = challengeId !== undefined && outcome !== 'gone' && outcome !== 'changed'
  const send = html`<form method="post" action="${action(context, '/code')}"><button type="submit"${code && html` class="other"`}>${code ? t.again : t.send}</button></form>`
  return page(context, {
    status: outcome !== undefined && FAULTS.includes(outcome) ? 422 : 200,
    title: t.open,
    tone: 'open',
    main: html`<p class="lead">${t.as[role]}</p>
<dl>${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<section><h2>${t.read}</h2>
<p>${t.readLead}</p>
${reading(context, hasPaper)}</section>
${
  hasPaper &&
  html`<section><h2>${t.sign}</h2>
<p>${t.signLead}</p>
${outcome !== undefined && saying(t[outcome], FAULTS.includes(outcome))}
${
  code &&
  html`<form method="post" action="${action(context, '/sign')}">
<input type="hidden" name="challengeId" value="${challengeId}">
<label>${t.code}<input name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="14" required${faulty(outcome === 'wrong' || outcome === 'missing')}></label>
<label>${t.fullName}<input name="fullName" autocomplete="name" maxlength="200" value="${step.fullName ?? ''}" required></label>
<button type="submit">${t.agree}</button>
</form>`
}
${send}</section>`
}`,
  })
}

/** The same page once its person has signed. */
export function cosignedPage(context: LinkContext, hasPaper: boolean): Response {
  const t = TEXTS[context.locale]
  const main = html`<p class="lead">${t.signedLead}</p>
<section>${reading(context, hasPaper)}</section>`
  return page(context, { title: t.signed, tone: 'genuine', main })
}
