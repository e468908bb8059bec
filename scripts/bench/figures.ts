// `bun scripts/bench/figures.ts [FILE]`: writes the handbook's figures, in both languages, from what the bench has saved.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SAVED } from './report.ts'

type Language = 'en' | 'fr'
type Row = { readonly name: string } & Readonly<Record<'ratio' | 'bar' | 'value', number | undefined>>
type Words = readonly [en: string, fr: string]

/** The rows of the table by their names in the bench: what is done, and what it is compared with. */
const ROWS: readonly (readonly [name: string, work: Words, against: Words])[] = [
  [
    'list of 50, not in the cache',
    ['list of 50 with sign-in, not seen before', 'liste de 50 avec connexion, jamais demandée'],
    ['a bare Bun server on the same rows, no sign-in', 'un simple serveur Bun sur les mêmes lignes, sans connexion'],
  ],
  [
    'the same list again, nothing changed (200)',
    ['the same list again, nothing changed', 'la même liste à nouveau, sans changement'],
    ['the same', 'le même'],
  ],
  [
    'single resource',
    ['one invoice, of 2,000 that were asked before', 'une facture, parmi 2\u00a0000 déjà demandées'],
    ['the same, one row', 'le même, une ligne'],
  ],
  [
    'single resource, not in the cache',
    ['one invoice, never asked before', 'une facture, jamais demandée'],
    ['the same', 'le même'],
  ],
  [
    'conditional list (304)',
    ['the list with `If-None-Match` (304)', 'la liste avec `If-None-Match` (304)'],
    ['the list', 'la liste'],
  ],
  ['page 2,000', ['page 2,000 of a list', 'page 2\u00a0000 d’une liste'], ['page 1', 'page 1']],
  [
    'organization of 100,000 rows',
    ['an organization of 100,000 rows', 'une organisation de 100\u00a0000 lignes'],
    ['one of 100', 'une de 100'],
  ],
  [
    '10,000 people in turn, a list each',
    ['10,000 people in turn, a list each', '10\u00a0000 personnes à tour de rôle, une liste chacune'],
    ['four people', 'quatre personnes'],
  ],
  [
    'search of a tenant by name, among 1,000,000 invoices',
    ['search of a tenant, among 1,000,000 invoices', 'recherche d’un locataire, parmi un million de factures'],
    ['the same organization among 10,000', 'la même organisation parmi 10\u00a0000'],
  ],
  [
    'search of a tenant by name, 2,000 leases',
    ['search of a tenant, 2,000 leases', 'recherche d’un locataire, 2\u00a0000 baux'],
    ['a bare `LIKE`', 'un simple `LIKE`'],
  ],
  [
    'rent roll of 200 leases',
    ['rent roll of 200 leases, one month', 'état locatif de 200 baux, un mois'],
    ['the bare server, one query', 'le simple serveur, une requête'],
  ],
  [
    'durable create, 32 connections',
    ['durable creates, 32 connections', 'créations durables, 32 connexions'],
    ['one transaction a request', 'une transaction par requête'],
  ],
  [
    'sign-in by password, page to tokens',
    ['sign-in by password, from the page to the tokens', 'connexion par mot de passe, de la page aux jetons'],
    ['the password’s hash alone', 'le hachage du mot de passe seul'],
  ],
  [
    'paper of an invoice drawn',
    ['an invoice drawn as PDF', 'une facture dessinée en PDF'],
    ['its words alone, by PDFKit', 'ses seuls mots, par PDFKit'],
  ],
]

const TEXTS = {
  en: {
    heading: '## Figures',
    intro: (day: string, machine: string) =>
      `\`npm run build && bun run bench\` compares the service with a bare \`Bun.serve\` and SQLite on the same rows, side by side in one run: a database of 1,000,000 invoices and some 20,000 organizations, the caller's with 100,000. Ratios of requests per second of processor time; above 1, the work is faster than what it stands against. One run of ${day} on ${machine}:`,
    head: ['work', 'against', 'ratio', 'at least'],
    outside: ({ start, idle, full, size, least, most, roll }: Outside) =>
      `The binary answers ${start} ms after its start, uses ${idle} MB of memory when idle (${full} MB with 1,000,000 invoices) and ${size} MiB of disk. Reports of 5,000 units over 12 months take ${least} to ${most} ms to their last byte, the rent roll, which is 30 MB of JSON, ${roll} ms.`,
  },
  fr: {
    heading: '## Chiffres',
    intro: (day: string, machine: string) =>
      `\`npm run build && bun run bench\` compare le service avec un simple \`Bun.serve\` et SQLite sur les mêmes lignes, côte à côte dans un même passage\u00a0: une base d’un million de factures et de quelque 20\u00a0000 organisations, celle de l’appelant en a 100\u00a0000. Rapports de requêtes par seconde de temps processeur\u00a0; au-dessus de 1, le travail est plus rapide que ce à quoi il est comparé. Un passage du ${day.split('-').reverse().join('/')} sur ${machine}\u00a0:`,
    head: ['travail', 'comparé à', 'rapport', 'au moins'],
    outside: ({ start, idle, full, size, least, most, roll }: Outside) =>
      `Le binaire répond ${start}\u00a0ms après son démarrage, occupe ${idle}\u00a0Mo de mémoire au repos (${full}\u00a0Mo avec un million de factures) et ${size}\u00a0Mio de disque. Les rapports de 5\u00a0000 logements sur 12 mois prennent de ${least} à ${most}\u00a0ms jusqu’au dernier octet, l’état locatif, qui fait 30 Mo de JSON, ${roll}\u00a0ms.`,
  },
} as const
type Outside = Readonly<Record<'start' | 'idle' | 'full' | 'size' | 'least' | 'most' | 'roll', string>>

/** What an operator sees, in whole numbers. @throws Error for a run that left something out */
function outside(rows: readonly Row[]): Outside {
  const figureOf = (name: string): number => {
    const value = rows.find((row) => row.name === name)?.value
    if (value === undefined) throw new Error(`The run has no row '${name}': run the whole bench`)
    return value
  }
  const reportOf = (name: string) => figureOf(`report ${name}, 12 months of 5,000 units`)
  const reports = ['arrears', 'collection', 'occupancy', 'tva-journal', 'owner-statement'].map(reportOf)
  const values = {
    start: figureOf('start of the process to the first 200'),
    idle: figureOf('memory when idle (RSS)'),
    full: figureOf('memory when idle with 1,000,000 invoices (RSS)'),
    size: figureOf('size of the binary'),
    least: Math.min(...reports),
    most: Math.max(...reports),
    roll: reportOf('rent-roll'),
  }
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.toFixed(0)])) as Outside
}

type Run = { readonly machine: string; readonly day: string; readonly rows: readonly Row[] }
function section(language: Language, { machine, day, rows }: Run): string {
  const { heading, intro, head, outside: said } = TEXTS[language]
  const [at, decimal] = language === 'en' ? [0, '.'] : [1, ',']
  const lines = ROWS.flatMap(([name, work, against]) => {
    const row = rows.find((r) => r.name === name)
    if (row?.ratio === undefined) return []
    const ratio = row.ratio.toFixed(row.ratio < 10 ? 2 : 1).replace('.', decimal)
    return [[work[at], against[at], ratio, String(row.bar ?? '').replace('.', decimal)]]
  })
  const table = [head, head.map(() => '---'), ...lines].map((cells) =>
    `| ${cells.join(' | ')} |`.replace('|  |', '| |'),
  )
  return `${heading}\n\n${intro(day, machine)}\n\n${table.join('\n')}\n\n${said(outside(rows))}\n`
}

const run = JSON.parse(readFileSync(process.argv[2] ?? SAVED, 'utf8')) as Run
for (const language of ['en', 'fr'] as const) {
  const file = join(import.meta.dirname, `../../src/web/handbook/${language}/operations.md`)
  const text = readFileSync(file, 'utf8')
  const from = text.indexOf(`${TEXTS[language].heading}\n`)
  const next = text.indexOf('\n## ', from + 1)
  writeFileSync(file, text.slice(0, from) + section(language, run) + (next < 0 ? '' : text.slice(next)))
}
