// What a contract of the devnet looks like to the chain: an ABI and one `apply` over decoded values.
// Amounts and 64-bit members are bigint; a failed `check` undoes the whole transaction.

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

/** Rows of one contract, as decoded objects. A row that was set must not be changed in place: set a new one. */
export interface TableStore {
  get<T>(table: string, scope: string, key: bigint): T | undefined
  /** Inserts or modifies. */
  set(table: string, scope: string, key: bigint, row: object): void
  /** Does nothing when there is no such row. */
  erase(table: string, scope: string, key: bigint): void
  /** In ascending order of the primary key, as they are at the call. */
  rows<T>(table: string, scope: string): readonly T[]
}

export interface ApplyContext {
  /** The contract that runs. Differs from `action.account` when it is notified. */
  readonly receiver: string
  readonly action: ActionCall
  /** Block time, Unix milliseconds. */
  readonly now: number
  /** Tables of the receiver. */
  readonly db: TableStore
  /** Tables of another contract, to read. */
  table(account: string): Pick<TableStore, 'get' | 'rows'>
  /** Queues an inline action: it runs after this action and its notifications, depth first. */
  inline(call: ActionCall): void
  /** Adds a recipient (`require_recipient`); the same recipient counts once. */
  notify(account: string): void
  /** Throws ContractError when the condition does not hold: the whole transaction is undone. */
  check(condition: boolean, message: string): asserts condition
}

export interface Contract {
  readonly account: string
  readonly abi: AbiDefinition
  apply(context: ApplyContext): void
}
