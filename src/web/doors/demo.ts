import { html } from '../../core/html.ts'
import type { Role } from '../../core/roles.ts'
import { doorPage, type Locale } from './door.ts'

const HOUR_MS = 3_600_000

const TEXTS = {
  fr: {
    title: 'Essayez Loyer',
    lead: 'Un serveur d’essai : rien n’y est réel. Choisissez qui vous êtes.',
    roles: {
      OWNER: 'Propriétaire',
      MANAGER: 'Gestion',
      CARETAKER: 'Gardien',
      ADMIN: 'Administration',
      TENANT: 'Locataire',
    },
    sees: {
      OWNER: 'Ses immeubles, ses locataires, et qui a payé ce mois-ci.',
      MANAGER: 'Les biens de tous les propriétaires, les loyers et les relances.',
      CARETAKER: 'Un seul immeuble : ses locataires, et les espèces à noter.',
      ADMIN: 'Tout cela, et les comptes, les réglages, les pièces à vérifier.',
      TENANT: 'Ce qu’il reste à payer, les quittances, le bail.',
    },
    again: (hours: number) =>
      `Tout est remis en état ${hours === 24 ? 'chaque jour' : hours === 1 ? 'chaque heure' : `toutes les ${hours}\u00a0heures`}.`,
    none: 'Personne n’a encore de compte ici.',
    signIn: 'Se connecter avec un numéro',
  },
  en: {
    title: 'Try Loyer',
    lead: 'A server for trying things out: nothing here is real. Choose who you are.',
    roles: { OWNER: 'Owner', MANAGER: 'Manager', CARETAKER: 'Caretaker', ADMIN: 'Administrator', TENANT: 'Tenant' },
    sees: {
      OWNER: 'Their buildings, their tenants, and who has paid this month.',
      MANAGER: 'The properties of all owners, the rents and the reminders.',
      CARETAKER: 'One building only: its tenants, and cash to write down.',
      ADMIN: 'All of that, and the accounts, the settings, the papers to check.',
      TENANT: 'What is left to pay, the receipts, the lease.',
    },
    again: (hours: number) =>
      `Everything is reset ${hours === 24 ? 'every day' : hours === 1 ? 'every hour' : `every ${hours} hours`}.`,
    none: 'Nobody has an account here yet.',
    signIn: 'Sign in with a number',
  },
} as const

export type DemoPerson = { readonly id: string; readonly name: string; readonly role: Role | 'CARETAKER' }

/** GET /demo: each person of the sandbox with one button that signs them in; `resetMs`: how often it begins anew. */
export function demoPage(
  locale: Locale,
  lang: string,
  people: readonly DemoPerson[],
  resetMs: number | undefined,
): Response {
  const t = TEXTS[locale]
  return doorPage({
    locale,
    title: t.title,
    main: html`<p class="lead">${t.lead}${resetMs !== undefined && ` ${t.again(Math.max(1, Math.round(resetMs / HOUR_MS)))}`}</p>
${people.length === 0 && html`<p>${t.none}</p>`}
<form method="post" action="/demo${lang}">${people.map(
      ({ id, name, role }) => html`
<button class="person" name="person" value="${id}"><strong>${name}</strong> <em>${t.roles[role]}</em> <span>${t.sees[role]}</span></button>`,
    )}
</form>
<nav class="links"><a href="/console">${t.signIn}</a></nav>`,
    other: '/demo',
  })
}
