// Sizes of blocks as chains have them: how much is in a block, and how little of it is the exchange's.
export interface BlockProfile {
  /** Transactions of a block, without `onblock`. */
  transactions: number
  /** Traces of a block, with `onblock` and notifications. */
  traces: number
  /** Changed rows of contracts. */
  rows: number
  /** Further bytes of action data a trace, to reach the size. */
  data: number
  /** Bytes of a row's value. */
  value: number
  /** Exchange transactions a block, on average; each has three traces and one row. */
  trades: number
}

export const PROFILES: Record<string, BlockProfile> = {
  /** 3 kB. */
  quiet: { transactions: 2, traces: 9, rows: 5, data: 8, value: 24, trades: 0.06 },
  /** 20 kB. */
  'wax-now': { transactions: 12, traces: 70, rows: 51, data: 8, value: 24, trades: 0.5 },
  /** 64 kB, in the proportions of the densest blocks. */
  'wax-64k': { transactions: 43, traces: 242, rows: 175, data: 8, value: 16, trades: 1.6 },
  /** 121 transactions, 676 traces and 490 rows, as counted in the densest blocks. That is at least 175 kB. */
  'wax-dense': { transactions: 121, traces: 676, rows: 490, data: 8, value: 16, trades: 4.5 },
  /** No real chain's: every transaction is the exchange's, so that rows and not blocks are the work. */
  exchange: { transactions: 20, traces: 61, rows: 20, data: 8, value: 16, trades: 20 },
}
