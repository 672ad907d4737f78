// Tables of one contract, for contracts and for the simulation around the chain.

import type { TableStore } from './contract.ts'
import type { ChainState } from './state.ts'

const NONE: readonly never[] = []

export class ContractTables implements TableStore {
  private readonly state: ChainState
  private readonly account: string

  constructor(state: ChainState, account: string) {
    this.state = state
    this.account = account
  }

  get<T>(table: string, scope: string, key: bigint): T | undefined {
    return this.state.findRows(this.account, table, scope)?.get(key)?.value as T | undefined
  }

  rows<T>(table: string, scope: string): readonly T[] {
    return (this.state.findRows(this.account, table, scope)?.values() ?? NONE) as readonly T[]
  }

  set(table: string, scope: string, key: bigint, row: object): void {
    this.state.setRow(this.account, table, scope, key, row)
  }

  erase(table: string, scope: string, key: bigint): void {
    this.state.eraseRow(this.account, table, scope, key)
  }
}
