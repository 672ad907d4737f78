// What a subscriber to the stream of facts wants.
import { DATASETS, type FactRow } from '../facts.ts'

export interface FactFilter {
  datasets: readonly string[]
  account: string | null
  /** Null: all; facts without a pool are left out otherwise. */
  pool: string | null
}

const ACCOUNTS = new Map(DATASETS.map(({ name, accounts }) => [name, accounts]))

export function isWanted(
  { dataset, row }: Pick<FactRow, 'dataset' | 'row'>,
  { datasets, account, pool }: FactFilter,
): boolean {
  if (!datasets.includes(dataset)) return false
  if (pool !== null && row.pool_id !== pool) return false
  return account === null || (ACCOUNTS.get(dataset) ?? []).some((column) => row[column] === account)
}
