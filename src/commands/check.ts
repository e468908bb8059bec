import { existsSync } from 'node:fs'
import { checkBooks } from '../../db/ledger/check.ts'
import { type Command, spoken } from './command.ts'
import { expectSettled } from './swap.ts'

/** The most disagreements that are printed: the first ones say what is wrong. */
const MOST = 20

/** `loyer check`: proves that the books balance, to the franc, while the service runs or is stopped; exit 1 if they do not. */
export const check: Command = ({ config: settings }) => {
  const config = settings()
  expectSettled(config)
  if (!existsSync(config.databaseFile))
    throw new Error(
      `${config.dataDir} holds no database: \`loyer serve\` makes one, or LOYER_DATA names another folder.`,
    )
  const checked = checkBooks(config.databaseFile)
  if (!checked)
    throw new Error(`${config.databaseFile} is of another version of Loyer: \`loyer migrate\` brings it up to date.`)
  const { wrong, invoices, payments, leases } = checked
  if (wrong.length === 0)
    return spoken({
      en: `The books balance to the franc: ${invoices} invoices, ${payments} payments, ${leases} leases.`,
      fr: `Les comptes sont justes au franc près\u00a0: ${invoices} factures, ${payments} paiements, ${leases} baux.`,
    })
  const head = spoken({
    en: 'The books do not balance. Nothing was changed. Keep a backup and report these lines, which show a fault of Loyer:',
    fr: 'Les comptes ne sont pas justes. Rien n’a été modifié. Gardez une sauvegarde et signalez ces lignes, qui montrent un défaut de Loyer\u00a0:',
  })
  throw new Error([head, ...wrong.slice(0, MOST)].join('\n'))
}
