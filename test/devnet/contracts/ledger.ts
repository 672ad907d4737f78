// Runs transactions on contracts without a chain and returns the changes. For tests of contracts.

import { packAbi } from '../../../core/antelope/abi/pack.ts'
import type { ActionCall, Authorization, Contract } from '../../../devnet/chain/contract.ts'
import { ContractError } from '../../../devnet/chain/contract-error.ts'
import { ContractTables } from '../../../devnet/chain/contract-tables.ts'
import { execute, packCall } from '../../../devnet/chain/execute.ts'
import { ChainState, RowChange } from '../../../devnet/chain/state.ts'

export interface TraceData {
  receiver: string
  account: string
  name: string
  authorization: readonly Authorization[]
  /** Packed row. */
  bytes: Uint8Array
  data: object
}

export interface RowWritten {
  code: string
  table: string
  scope: string
  key: bigint
  /** Absent when the row was removed. */
  row: object | undefined
}

export type Outcome = { error: string } | { error: null; traces: TraceData[]; written: RowWritten[] }

export class Ledger {
  readonly state = new ChainState(0)
  private readonly contracts: Map<string, Contract>

  constructor(contracts: Contract[]) {
    this.contracts = new Map(contracts.map((contract) => [contract.account, contract]))
    for (const { account, abi } of contracts) this.state.setAbi(account, packAbi(abi))
  }

  tables(account: string): ContractTables {
    return new ContractTables(this.state, account)
  }

  /** @param now  Unix milliseconds */
  push(calls: ActionCall[], now: number): Outcome {
    this.state.takeChanges()
    try {
      const actions = calls.map((call) => ({ call, packed: packCall(this.state, call) }))
      const traces = execute(this.state, this.contracts, { actions }, now).map(({ receiver, action }) => ({
        receiver,
        account: action.account,
        name: action.name,
        authorization: action.authorization,
        bytes: action.data,
        data: this.state.abiOf(action.account).decodeAction(action.name, action.data),
      }))
      return { error: null, traces, written: this.written() }
    } catch (error) {
      if (error instanceof ContractError) return { error: error.message }
      throw error
    }
  }

  /** Each changed row once, with its final value. */
  private written(): RowWritten[] {
    const rows = new Map<string, RowWritten>()
    for (const change of this.state.takeChanges()) {
      if (!(change instanceof RowChange)) continue
      const { code, table, scope } = change.rows
      const row = change.rows.get(change.key)?.value
      rows.set(`${code}/${table}/${scope}/${change.key}`, { code, table, scope, key: change.key, row })
    }
    return [...rows.values()]
  }
}
