// What exports read whole: every table of an organization.
export {
  rowsWith,
  SHAPE,
  type TransferRow,
  type TransferTable,
  transferRows,
  transferTables,
} from '../../../../db/transfer.ts'
