// The tables that exports read whole.
export {
  rowsWith,
  SHAPE,
  type TransferRow,
  type TransferTable,
  transferRows,
  transferTables,
} from '../../../../db/transfer.ts'
