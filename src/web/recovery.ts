import { momentOf } from '../core/dates.ts'
import { html } from '../core/html.ts'
import { type LinkContext, linkPages } from './page.ts'

type Facts = {
  readonly kind: 'RECOVERY_CODE' | 'SECOND_FACTOR'
  /** The name of the ADMIN who asked for it. */
  readonly who: string
  /** Epoch ms. */
  readonly askedAt: number
  readonly effectiveAt: number
  readonly timeZone: string
}

const TEXTS = {
  fr: {
    about: 'Accès à votre compte',
    PENDING: 'Un administrateur demande à rouvrir votre compte',
    lead: {
      RECOVERY_CODE:
        'Il a reçu un code de secours à vous remettre. Avec ce code, on choisit un nouveau mot de passe pour votre compte.',
      SECOND_FACTOR:
        'Il demande de retirer la deuxième étape de connexion de votre compte. Vos appareils seront déconnectés.',
    },
    who: 'Demandé par',
    askedAt: 'Demandé le',
    effectiveAt: 'Prend effet le',
    notYou: 'Ce n’est pas voulu\u00a0?',
    stopLead: 'Rien ne change sur votre compte. L’administrateur qui l’a demandé et les autres sont prévenus.',
    stop: 'Tout arrêter',
    isYou: 'C’est vous qui l’avez demandé\u00a0?',
    confirmLead: 'Sans réponse, la demande prend effet à l’heure dite. Confirmez, et elle prend effet tout de suite.',
    confirm: 'Confirmer maintenant',
    STOPPED: 'C’est arrêté',
    STOPPEDLead: 'Rien n’a changé sur votre compte. Les administrateurs sont prévenus.',
    EFFECTIVE: 'La demande a pris effet',
    EFFECTIVELead:
      'Ce n’était pas vous\u00a0? Changez de mot de passe, prévenez les autres administrateurs et l’exploitant du service.',
    closed: 'Ce lien n’est plus ouvert',
    closedLead: 'La demande est close depuis plus d’un jour, ou le compte n’existe plus.',
    note: 'Ce lien est réservé à la personne qui l’a reçu\u00a0: ne le transmettez pas, même à un administrateur.',
  },
  en: {
    about: 'Access to your account',
    PENDING: 'An administrator asks to reopen your account',
    lead: {
      RECOVERY_CODE: 'They got a recovery code to hand over to you. It sets a new password for your account.',
      SECOND_FACTOR: 'They ask to remove the second sign-in step from your account. Your devices will be signed out.',
    },
    who: 'Asked by',
    askedAt: 'Asked on',
    effectiveAt: 'Takes effect on',
    notYou: 'Not meant?',
    stopLead: 'Nothing changes in your account. The administrator who asked and the others are told.',
    stop: 'Stop it',
    isYou: 'Was it you who asked?',
    confirmLead: 'Without an answer it takes effect at the time above. Confirm, and it takes effect at once.',
    confirm: 'Confirm now',
    STOPPED: 'It is stopped',
    STOPPEDLead: 'Nothing changed in your account. The administrators are told.',
    EFFECTIVE: 'It has taken effect',
    EFFECTIVELead: 'Was it not you? Change your password, and tell the other administrators and the operator.',
    closed: 'This link is no longer open',
    closedLead: 'This was closed more than a day ago, or the account no longer exists.',
    note: 'This link is meant for the person who received it: do not pass it on, not even to an administrator.',
  },
} as const

const { page, closedPage } = linkPages('a', TEXTS)
const TONES = { STOPPED: 'genuine', EFFECTIVE: 'overdue' } as const
type State = 'PENDING' | keyof typeof TONES | 'closed' | 'unknown'

/** GET /a/{token}: what an ADMIN asked for, with buttons to stop or to confirm it; or what became of it. */
export function recoveryPage(context: LinkContext, state: State, facts?: Facts): Response {
  const { locale, token } = context
  const t = TEXTS[locale]
  if (state === 'STOPPED' || state === 'EFFECTIVE') {
    const main = html`<p class="lead">${t[`${state}Lead`]}</p>`
    return page(context, { tone: TONES[state], title: t[state], main, bare: true })
  }
  if (state !== 'PENDING' || !facts) return closedPage(context, state === 'PENDING' ? 'closed' : state)
  const { kind, who, askedAt, effectiveAt, timeZone } = facts
  const lines: [string, string][] = [
    [t.who, who],
    [t.askedAt, momentOf(askedAt, locale, timeZone)],
    [t.effectiveAt, momentOf(effectiveAt, locale, timeZone)],
  ]
  const form = (step: 'stop' | 'confirm', other = false) =>
    html`<form method="post" action="/a/${token}/${step}?lang=${locale}"><button type="submit"${other && html` class="other"`}>${t[step]}</button></form>`
  return page(context, {
    title: t.PENDING,
    tone: 'overdue',
    main: html`<p class="lead">${t.lead[kind]}</p>
<dl>${lines.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<section>
<h2>${t.notYou}</h2>
<p>${t.stopLead}</p>
${form('stop')}
</section>
<section>
<h2>${t.isYou}</h2>
<p>${t.confirmLead}</p>
${form('confirm', true)}
</section>`,
  })
}
