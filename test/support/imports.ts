// Files of rows for one organization, imported through the API.
import { expect } from 'bun:test'
import { runImports } from '../../src/features/data/imports/jobs.ts'
import { type Answer, ORG, type TestApp } from './app.ts'

export type Run = {
  readonly id: string
  readonly status: string
  readonly rows: number
  readonly rowsDone: number
  readonly problemCount: number
  readonly problems: { readonly row: number; readonly column?: string; readonly message: string }[]
  readonly created: Record<string, number>
  readonly sheet?: { readonly name?: string; readonly headingRow: number; readonly others: readonly object[] }
  readonly columns?: readonly {
    readonly heading: string
    readonly values: readonly string[]
    readonly member?: string
    readonly by: string
    readonly certain: boolean
  }[]
  readonly outcomes?: Record<string, number>
  readonly read?: readonly {
    readonly row: number
    readonly outcome: string
    readonly values: Record<string, unknown>
    readonly differs?: readonly object[]
    readonly message?: string
  }[]
}
export const OWNER = 'OWNER.ana'

export async function begin(t: TestApp, body: Record<string, unknown>, who = OWNER): Promise<Answer<Run>> {
  return t.call<Run>(who, 'POST /api/v1/imports', body)
}
export async function bring(t: TestApp, body: Record<string, unknown>, who = OWNER): Promise<Run> {
  const asked = await begin(t, body, who)
  expect(`${asked.status} ${asked.text.slice(0, 300)}`).toStartWith('202')
  await runImports(t.deps)
  return (await t.call<Run>(who, `GET /api/v1/imports/${asked.body.id}`)).body
}
export const told = ({ problems }: Run) =>
  problems.map(({ row, column, message }) => `${row} ${column ?? '-'} ${message}`)
export const count = (t: TestApp, table: string) =>
  Number(t.rows(`select count(*) n from ${table} where org_id = ?`, ORG)[0]?.n)

export const PROPERTIES =
  'Nom;Adresse;Ville;Type\nRésidence Makepe;Derrière le marché;Douala;Appartement\nTour;Rue 2;Yaoundé;Bureau\n'
export const UNITS =
  'Bien;Logement;Loyer\nRésidence Makepe;A1;60 000\nRésidence Makepe;A2;70.000 FCFA\nTour;B1;100000\n'
export const LEASES =
  'Bien;Logement;Locataire;Téléphone;Début;Solde initial;Facturer dès;Langue\n' +
  'Résidence Makepe;A1;Ngo Bassa Marie;677 12 34 56;01/01/2024;75 000;01/04/2026;Français\n' +
  'tour;b1;Société Kribi;;15/02/2025;;;anglais\n'
