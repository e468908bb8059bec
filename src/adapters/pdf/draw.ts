import { drawInvoice } from './invoice.ts'
import { drawLease } from './lease.ts'
import { drawLetter } from './letter.ts'
import { drawOwnerStatement } from './owner-statement.ts'
import type { Papers, Seal, Template } from './port.ts'
import { drawReceipt } from './receipt.ts'
import { drawReport } from './report.ts'
import { drawStatement } from './statement.ts'

const drawers: { readonly [T in Template]: (data: Papers[T], seal: Seal) => Promise<Uint8Array<ArrayBuffer>> } = {
  lease: drawLease,
  invoice: drawInvoice,
  receipt: drawReceipt,
  statement: drawStatement,
  letter: drawLetter,
  ownerStatement: drawOwnerStatement,
  report: drawReport,
}

/** One paper as PDF 1.7, tagged, with its fonts embedded. */
export const draw = async <T extends Template>(
  template: T,
  data: Papers[T],
  seal: Seal,
): Promise<Uint8Array<ArrayBuffer>> => drawers[template](data, seal)
