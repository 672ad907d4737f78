// What a subscriber to the stream of facts wants.
import { DATASETS, type FactRow } from '../facts.ts'

export interface FactFilter {
  datasets: readonly string[]
  account: string | null
  /** Null: all; facts without a pool are left out otherwise. */
  pool: string | null
  /** Id of the token of the row; facts without a token of their own are left out. */
  token: string | null
  /** Transaction id. */
  transaction: string | null
}

const ACCOUNTS = new Map(DATASETS.map(({ name, accounts }) => [name, accounts]))

export function isWanted(
  { dataset, row, trxId }: Pick<FactRow, 'dataset' | 'row' | 'trxId'>,
  { datasets, account, pool, token, transaction }: FactFilter,
): boolean {
  if (!datasets.includes(dataset)) return false
  if (transaction !== null && trxId !== transaction) return false
  if (pool !== null && row.pool_id !== pool) return false
  if (token !== null && row.token_id !== token) return false
  return account === null || (ACCOUNTS.get(dataset) ?? []).some((column) => row[column] === account)
}
