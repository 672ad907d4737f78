// Selects the tables that make up a chain's current state. A token contract has one scope for each account: of a
// watched contract all scopes are read, of other contracts that pools and markets name only the exchange's accounts.

import { CompiledAbi } from '../../core/antelope/abi/compile.ts'
import type { AbiBook } from '../decode/abi-book.ts'
import { BLOCK_END } from '../decode/abi-book.ts'
import type { Projector } from '../project/projector.ts'
import type { StateRow } from '../store/rows.ts'
import type { WantedTable } from './read-tables.ts'

const ANY = '*'

/** Accounts whose ABIs decode the exchange's actions and tables. */
export function exchangeContracts({ wanted }: Projector): string[] {
  return [...new Set([...wanted.actions.keys(), ...wanted.tables.keys()])].filter((account) => account !== ANY)
}

/** Tables of the exchange's contracts. */
export function exchangeTables({ wanted }: Projector): WantedTable[] {
  const named = [...wanted.tables].filter(([code]) => code !== ANY)
  return named.flatMap(([code, tables]) => [...tables].map((table) => ({ code, table })))
}

/** Tables of token contracts. @param exchangeAccounts  scopes to read of a contract that is not watched */
export function tokenTables(
  { wanted }: Projector,
  contracts: Iterable<string>,
  isWatched: (contract: string) => boolean,
  exchangeAccounts: readonly string[],
): WantedTable[] {
  const names = [...(wanted.tables.get(ANY) ?? [])]
  return [...contracts].flatMap((code) => {
    if (isWatched(code)) return names.map((table) => ({ code, table }))
    return names.includes('accounts') ? [{ code, table: 'accounts', scopes: exchangeAccounts }] : []
  })
}

/** The tables that exist in the ABI of their contract; nodes refuse to list others. */
export function knownTables(tables: readonly WantedTable[], abis: AbiBook, block: number): WantedTable[] {
  return tables.filter(({ code, table }) => {
    const abi = abis.at(code, block, BLOCK_END)
    return abi instanceof CompiledAbi && abi.tables.has(table)
  })
}

/** Token contracts that rows of pools and markets name. */
export function tokenContractsOf(rows: Iterable<StateRow>): string[] {
  const found: string[] = []
  for (const { table, row } of rows) {
    const { contractA, contractB, baseContract, targetContract } = row as Record<string, string>
    if (table === 'pools') found.push(contractA as string, contractB as string)
    else if (table === 'markets') found.push(baseContract as string, targetContract as string)
  }
  return found
}
