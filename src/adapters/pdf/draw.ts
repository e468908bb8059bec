import { drawInspection } from './papers/inspection.ts'
import { drawInvoice } from './papers/invoice.ts'
import { drawLease } from './papers/lease.ts'
import { drawLeaseNotice } from './papers/lease-notice.ts'
import { drawLetter } from './papers/letter.ts'
import { drawOwnerStatement } from './papers/owner-statement.ts'
import { drawReceipt } from './papers/receipt.ts'
import { drawReport } from './papers/report.ts'
import { drawStatement } from './papers/statement.ts'
import type { Papers, Seal, Template } from './port.ts'

const drawers: { readonly [T in Template]: (data: Papers[T], seal: Seal) => Promise<Uint8Array<ArrayBuffer>> } = {
  lease: drawLease,
  inspection: drawInspection,
  invoice: drawInvoice,
  receipt: drawReceipt,
  statement: drawStatement,
  letter: drawLetter,
  leaseNotice: drawLeaseNotice,
  ownerStatement: drawOwnerStatement,
  report: drawReport,
}

/** One paper as PDF 1.7, tagged, with its fonts embedded. */
export const draw = async <T extends Template>(
  template: T,
  data: Papers[T],
  seal: Seal,
): Promise<Uint8Array<ArrayBuffer>> => drawers[template](data, seal)
