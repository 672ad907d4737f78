// Which tables make up a chain's current state. Token contracts hold a balance in a scope for each account: of those that
// are watched all are read; of the others that pools and markets name, only the balances of the exchange's accounts.

import { CompiledAbi } from '../../core/antelope/abi/compile.ts'
import type { AbiBook } from '../decode/abi-book.ts'
import { BLOCK_END } from '../decode/abi-book.ts'
import type { Projector } from '../project/projector.ts'
import type { StateRow } from '../store/rows.ts'
import type { WantedTable } from './read-tables.ts'

const ANY = '*'

/** Accounts whose ABIs the exchange's actions and tables are read by. */
export function exchangeContracts({ wanted }: Projector): string[] {
  return [...new Set([...wanted.actions.keys(), ...wanted.tables.keys()])].filter((account) => account !== ANY)
}

/** Tables of the exchange's own contracts. */
export function exchangeTables({ wanted }: Projector): WantedTable[] {
  const named = [...wanted.tables].filter(([code]) => code !== ANY)
  return named.flatMap(([code, tables]) => [...tables].map((table) => ({ code, table })))
}

/** Tables of token contracts. @param exchangeAccounts  whose balances are read in contracts that are not watched */
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

/** Those of the tables that the ABI of their contract knows; nodes refuse to list others. */
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
