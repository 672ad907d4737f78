// A dataset: maps an action or a table row of a contract to rows. Pure functions. A new dataset is one such file, a
// line in projections.ts, a migration with comments and a test.
import type { Asset } from '../../core/antelope/asset.ts'
import type { ActionPlace, LedgerRow, StateRow, TouchedCandle } from '../store/rows.ts'

export type { ActionPlace }

/** Contract of the action or table; the configuration names its account. `token` is every watched token contract. */
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

/** Sender of tokens to the bridge, and the amount. */
interface BridgeSender {
  account: string
  quantity: Asset | undefined
}

export interface RowPlace {
  chain: string
  blockNum: number
  blockTime: number
  code: string
  /** The scope as a name, and as a number. */
  scope: string
  scopeRaw: bigint
  primaryKey: bigint
  present: boolean
}

/** Data that projections of one block share. */
export interface BlockContext {
  /** The latest sender of tokens to the bridge, by transaction. */
  bridgeSenders: Map<string, BridgeSender>
  bridgeAccount: string | undefined
  /** Domain whose deposits a gateway credits, by the gateway's account. */
  gatewayDomains: ReadonlyMap<string, bigint>
  /** Accounts of the exchange, whose balances of all tokens are kept. */
  exchangeAccounts: ReadonlySet<string>
  /** Whether all balances of a token contract are kept. */
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

/** Identifies the current row of a contract's row. */
export interface CurrentKey {
  /** Table of `state`. */
  table: string
  /** Key columns in primary key order, without the chain; null when the key depends on the row's value. */
  key: Record<string, string | number | bigint> | null
}

export interface TableProjection<T> {
  contract: ContractRole
  table: string
  /**
   * The current row by table, scope and primary key, for rows that cannot be decoded; null for a row that is not kept.
   * Absent when the projection keeps no current rows.
   *
   * @throws DecodeError when no current row can have this place
   */
  current?(at: RowPlace, context: BlockContext): CurrentKey | null
  rows(row: T, at: RowPlace, context: BlockContext): Projected
}

/** A decoded extended_symbol; older ABIs name the member `symbol`. */
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
