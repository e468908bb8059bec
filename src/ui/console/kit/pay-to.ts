// Where rent is paid, as a form of six rows holds it; the organization and each property have one.
import type { Schemas } from '../../shared/api.ts'
import { bilingual } from '../../shared/words.svelte.ts'

type Instruction = Schemas['PayInstruction']
const ROWS = [0, 1, 2, 3, 4, 5]
const MEMBERS = ['method', 'number', 'holder', 'note'] as const
type Member = (typeof MEMBERS)[number]

/** The field of a row, and the paths by which the server may name one of them. */
export const nameOf = (row: number, member: Member): string => `pay${row}${member}`
export const payPaths = ROWS.flatMap((row) => MEMBERS.map((member) => `/payTo/${row}/${member}`))

export const payValues = (instructions: readonly Instruction[] = []): Record<string, string> =>
  Object.fromEntries(
    ROWS.flatMap((row) => MEMBERS.map((member) => [nameOf(row, member), instructions[row]?.[member] ?? ''])),
  )

/** The rows with a method, in order. */
export const payRows = (values: Readonly<Record<string, string | boolean>>): number[] =>
  ROWS.filter((row) => values[nameOf(row, 'method')] !== '')

const payBody = (values: Readonly<Record<string, string | boolean>>): Instruction[] =>
  payRows(values).map((row) => {
    const of = (member: Member): string => String(values[nameOf(row, member)] ?? '').trim()
    const rest = (['number', 'holder', 'note'] as const).flatMap((m) => (of(m) === '' ? [] : [[m, of(m)]]))
    return { method: of('method') as Instruction['method'], ...Object.fromEntries(rest) }
  })

/** The ways to pay, if the form changed them: a change asks for a sign-in of the last five minutes. */
export function payChanged(
  values: Readonly<Record<string, string | boolean>>,
  instructions: readonly Instruction[] = [],
) {
  const payTo = payBody(values)
  return JSON.stringify(payTo) === JSON.stringify(payBody(payValues(instructions))) ? {} : { payTo }
}

export const words = bilingual(
  {
    method: 'Moyen de paiement',
    none: 'Aucun',
    number: 'Numéro ou compte',
    holder: 'Au nom de',
    holderHint: 'Le nom qui s’affiche au moment de payer.',
    note: 'À savoir',
    add: 'Ajouter un moyen',
    row: (n: number) => `Moyen ${n}`,
  },
  {
    method: 'Way to pay',
    none: 'None',
    number: 'Number or account',
    holder: 'In the name of',
    holderHint: 'The name that appears when one pays.',
    note: 'Good to know',
    add: 'Add a way to pay',
    row: (n: number) => `Way ${n}`,
  },
)
