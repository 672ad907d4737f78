// What a dataset is: for one action or one table of one contract, the rows that it yields. Pure functions.
// A new dataset is one such file, a line in projections.ts, a migration with comments and a test.
import type { Asset } from '../../core/antelope/asset.ts'
import type { ActionPlace, LedgerRow, StateRow, TouchedCandle } from '../store/rows.ts'

export type { ActionPlace }

/** Whose action or table it is; configuration names the account. `token` stands for every watched token contract. */
export type ContractRole =
  | 'amm'
  | 'spot'
  | 'otc'
  | 'token'
  | 'bridge'
  | 'hop'
  | 'wrap'
  | 'gateway'
  | 'liquid'
  | 'oracle'
  | 'registry'

/** Who gave tokens to the bridge, and which. */
export interface BridgeSender {
  account: string
  quantity: Asset | undefined
}

export interface RowPlace {
  chain: string
  blockNum: number
  blockTime: number
  code: string
  /** As a name, and as the number that it is. */
  scope: string
  scopeRaw: bigint
  primaryKey: bigint
  present: boolean
}

/** What projections of one block may tell each other. */
export interface BlockContext {
  /** The latest to give tokens to the bridge, by transaction. */
  bridgeSenders: Map<string, BridgeSender>
  bridgeAccount: string | undefined
  /** The domain whose deposits a gateway credits, by its account. */
  gatewayDomains: ReadonlyMap<string, bigint>
  /** Accounts of the exchange, whose balances are kept in any token. */
  exchangeAccounts: ReadonlySet<string>
  /** Whether every balance of a token contract is kept. */
  isTokenWatched(contract: string): boolean
}

export interface Projected {
  ledger?: LedgerRow[]
  state?: StateRow[]
  candles?: TouchedCandle[]
}

export interface ActionProjection<T> {
  contract: ContractRole
  action: string
  /** @throws DecodeError when a value does not fit its column: the action is then kept raw */
  rows(action: T, at: ActionPlace, account: string, context: BlockContext): Projected
}

/** Which current row a row of a contract is. */
export interface CurrentKey {
  /** Table of `state`. */
  table: string
  /** Its key columns in the order of its primary key, without the chain; null when only the row's values tell. */
  key: Record<string, string | number | bigint> | null
}

export interface TableProjection<T> {
  contract: ContractRole
  table: string
  /**
   * The current row by its place alone, for rows whose value cannot be read; null for one that is not kept. Absent where
   * no current row is kept.
   *
   * @throws DecodeError when the place fits no current row
   */
  current?(at: RowPlace, context: BlockContext): CurrentKey | null
  rows(row: T, at: RowPlace, context: BlockContext): Projected
}

/** A decoded extended_symbol; older ABIs call the symbol's member `symbol`. */
export interface ExtendedSymbol {
  sym?: { precision: number; code: string }
  symbol?: { precision: number; code: string }
  contract: string
}

const MINUTE = 60_000

/** Start of the minute, Unix milliseconds. */
export function minuteOf(time: number): number {
  return time - (time % MINUTE)
}

export function ledger(table: string, at: ActionPlace, row: object): LedgerRow {
  return { table, at, row }
}

export function state(table: string, at: RowPlace, row: object): StateRow {
  return { table, row, present: at.present }
}
