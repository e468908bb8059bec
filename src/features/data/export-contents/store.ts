// The tables that exports read whole.
export {
  rowsWith,
  SHAPE,
  type TransferTable,
  transferRows,
  transferTables,
} from '../../../../db/transfer.ts'
export type { TransferRow } from '../../../../db/transfer-checks.ts'
