// A dataset: maps an action or a table row of a contract to rows. Pure functions. A new dataset is one such file, a
// line in projections.ts, a migration with comments and a test.
import type { Asset, ExtendedSymbol, TokenSymbol } from '../../core/antelope/asset.ts'
import type { UnixMicroseconds, UnixSeconds } from '../../core/antelope/time.ts'
import type { ActionPlace, LedgerRow, StateRow, TouchedCandle } from '../store/rows.ts'
import type { RestingOrders } from './spot/resting-orders.ts'

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

/** A swap in one pool: its place among the paths of its transaction. */
interface PathPlace {
  trxId: string
  /** Number of the path, from 0. */
  path: number
  /** Whether the swap is the last of its path. */
  ends: boolean
}

/** Data that projections of one block share. */
export interface BlockContext {
  /** The latest swap. */
  lastSwap: PathPlace | undefined
  /** The latest sender of tokens to the bridge, by transaction. */
  bridgeSenders: Map<string, BridgeSender>
  bridgeAccount: string | undefined
  /** Orders of the order books, and the deals that hit them. */
  restingOrders: RestingOrders
  /** Domain whose deposits a gateway credits, by the gateway's account. */
  gatewayDomains: ReadonlyMap<string, bigint>
  /** Accounts of the exchange, whose balances of all tokens are stored. */
  exchangeAccounts: ReadonlySet<string>
  /** Whether all balances of a token contract are stored. */
  isTokenWatched(contract: string): boolean
}

export interface Projected {
  ledger?: LedgerRow[]
  state?: StateRow[]
  candles?: TouchedCandle[]
}

/** A projection of any action. */
export interface AnyAction {
  contract: ContractRole
  action: string
  /** @throws DecodeError when a value does not fit its column: the action is then stored raw */
  rows(action: object, at: ActionPlace, account: string, context: BlockContext): Projected
  /** Called instead of `rows` for an action that cannot be decoded, when other rows of the block depend on it. */
  missed?(context: BlockContext): void
}

/** @typeParam Actions  members of the contract's actions by name: `core/contracts/`, generated from the ABIs */
export interface ActionProjection<Actions, Name extends keyof Actions & string> extends Omit<AnyAction, 'rows'> {
  action: Name
  rows(action: Actions[Name], at: ActionPlace, account: string, context: BlockContext): Projected
}

/** Identifies the current row of a contract's row. */
export interface CurrentKey {
  /** Table of `state`. */
  table: string
  /** Key columns in primary key order, without the chain; null when the key depends on the row's value. */
  key: Record<string, string | number | bigint> | null
}

/** A projection of any table. */
export interface AnyTable {
  contract: ContractRole
  table: string
  /**
   * The current row by table, scope and primary key, for rows that cannot be decoded; null for a row that is not stored.
   * Absent when the projection has no current rows.
   *
   * @throws DecodeError when no current row can have this place
   */
  current?(at: RowPlace, context: BlockContext): CurrentKey | null
  rows(row: object, at: RowPlace, context: BlockContext): Projected
  /** As of `AnyAction`. */
  missed?(context: BlockContext): void
}

/** @typeParam Tables  rows of the contract's tables by name: `core/contracts/`, generated from the ABIs */
export interface TableProjection<Tables, Name extends keyof Tables & string> extends Omit<AnyTable, 'rows'> {
  table: Name
  rows(row: Tables[Name], at: RowPlace, context: BlockContext): Projected
}

/** Symbol of a decoded extended_symbol; older ABIs on the chains name the member `symbol`. */
export function symbolOf(token: ExtendedSymbol | { symbol?: TokenSymbol }): TokenSymbol | undefined {
  return 'sym' in token ? token.sym : token.symbol
}

/** Columns of a row. Times are Unix milliseconds: a time of a contract, in another unit, does not compile. */
type Columns<Row> = {
  [Column in keyof Row]: Extract<Row[Column], UnixSeconds | UnixMicroseconds> extends never ? Row[Column] : never
}

const MINUTE = 60_000

/** Start of the minute, Unix milliseconds. */
export function minuteOf(time: number): number {
  return time - (time % MINUTE)
}

const HOUR = 60 * MINUTE

/** Start of the hour, Unix milliseconds. */
export function hourOf(time: number): number {
  return time - (time % HOUR)
}

export function ledger<Row extends object>(table: string, at: ActionPlace, row: Row & Columns<Row>): LedgerRow {
  return { table, at, row }
}

export function state<Row extends object>(table: string, at: RowPlace, row: Row & Columns<Row>): StateRow {
  return { table, row, present: at.present }
}

/** A row of state that stays when the contract removes its row. */
export function lastingState<Row extends object>(table: string, row: Row & Columns<Row>): StateRow {
  return { table, row, present: true }
}
