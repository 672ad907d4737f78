// Interface of a devnet contract: an ABI and one `apply` over decoded values.
// Amounts and 64-bit members are bigint. A failed `check` undoes the whole transaction.

import type { AbiDefinition } from '../../core/antelope/abi/definition.ts'

/** Members of an action, decoded (`core/antelope/abi`). */
export interface ActionData {
  [field: string]: unknown
}

export interface Authorization {
  actor: string
  permission: string
}

export interface ActionCall {
  account: string
  name: string
  authorization: Authorization[]
  data: ActionData
}

/** Rows of one contract as decoded objects. A stored row must not be changed in place: set a new one. */
export interface TableStore {
  get<T>(table: string, scope: string, key: bigint): T | undefined
  /** Inserts or modifies. */
  set(table: string, scope: string, key: bigint, row: object): void
  /** Does nothing when the row does not exist. */
  erase(table: string, scope: string, key: bigint): void
  /** Snapshot of the rows in ascending order of the primary key. */
  rows<T>(table: string, scope: string): readonly T[]
}

export interface ApplyContext {
  /** The account whose contract runs; for a notification it differs from `action.account`. */
  readonly receiver: string
  readonly action: ActionCall
  /** Block time, Unix milliseconds. */
  readonly now: number
  /** Tables of the receiver. */
  readonly db: TableStore
  /** Tables of another contract, read-only. */
  table(account: string): Pick<TableStore, 'get' | 'rows'>
  /** Queues an inline action: it runs after this action and its notifications, depth first. */
  inline(call: ActionCall): void
  /** Adds a recipient (`require_recipient`), once. */
  notify(account: string): void
  /** Throws ContractError unless the condition holds, which undoes the whole transaction. */
  check(condition: boolean, message: string): asserts condition
}

export interface Contract {
  readonly account: string
  readonly abi: AbiDefinition
  apply(context: ApplyContext): void
}
