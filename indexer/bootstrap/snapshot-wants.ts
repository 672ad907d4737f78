// Selects the tables and ABIs of a snapshot that projections read. Of token contracts that are not watched, only the
// balances of the exchange's accounts are read; of contracts that are watched by the names of their actions and tables
// alone, only ABIs in which such a name occurs.
import { nameToU64 } from '../../core/antelope/name.ts'
import { writeU64 } from '../../core/antelope/raw.ts'
import type { AccountAbi } from '../../core/antelope/snapshot/accounts.ts'
import type { TableId } from '../../core/antelope/snapshot/tables.ts'
import { NameIndex } from '../decode/name-index.ts'
import { MATCH, type Watch } from '../decode/watch.ts'
import type { Wanted } from '../project/projector.ts'

export interface SnapshotWantsOptions {
  wanted: Wanted
  watch: Watch
  tokenContracts: '*' | readonly string[]
  /** Accounts with a role, whose balances of all tokens are read. */
  exchangeAccounts: readonly string[]
}

const ANY = '*'

export class SnapshotWants {
  readonly #watch: Watch
  readonly #everyToken: boolean
  readonly #exchange: NameIndex
  /** Contracts that are watched by their account. */
  readonly #contracts: NameIndex
  /** Packed names of the actions and tables that are watched of any contract. */
  readonly #anyNames: readonly Buffer[]

  constructor({ wanted, watch, tokenContracts, exchangeAccounts }: SnapshotWantsOptions) {
    const { actions, tables } = wanted
    this.#watch = watch
    this.#everyToken = tokenContracts === ANY
    this.#exchange = new NameIndex(exchangeAccounts)
    const contracts = [...actions.keys(), ...tables.keys()].filter((account) => account !== ANY)
    this.#contracts = new NameIndex([...new Set(contracts)])
    this.#anyNames = [...(actions.get(ANY) ?? []), ...(tables.get(ANY) ?? [])].map(packName)
  }

  table({ codeLow, codeHigh, scopeLow, scopeHigh, tableLow, tableHigh }: TableId): boolean {
    const match = this.#watch.matchTable(codeLow, codeHigh, tableLow, tableHigh)
    if (match === MATCH.wanted) return true
    if (match !== MATCH.any) return false
    return this.#everyToken || this.#exchange.find(scopeLow, scopeHigh) >= 0
  }

  abi({ low, high, abi }: AccountAbi): boolean {
    if (!this.#watch.matchAbi(low, high)) return false
    if (this.#contracts.find(low, high) >= 0) return true
    const bytes = Buffer.from(abi.buffer, abi.byteOffset, abi.length)
    return this.#anyNames.some((name) => bytes.includes(name))
  }

  /** Whether undecodable rows of a contract are stored raw: rows of watched accounts are. */
  keepsRaw(code: string): boolean {
    const value = nameToU64(code)
    return this.#contracts.find(Number(value & 0xffffffffn), Number(value >> 32n)) >= 0
  }
}

function packName(name: string): Buffer {
  const bytes = Buffer.alloc(8)
  writeU64(bytes, 0, nameToU64(name))
  return bytes
}
