// The accounts of a chain's roles, stored in the database: views and other processes read them there.
import type pg from 'pg'
import type { Lease } from './lease.ts'
import { KEEP_ACCOUNTS } from './sql.ts'

export interface ChainAccount {
  role: string
  account: string
  /** For a gateway: the domain whose deposits it credits. */
  domain: bigint | null
}

/** Replaces the chain's accounts, under the writer's lease. */
export async function keepAccounts(client: pg.Client, lease: Lease, accounts: readonly ChainAccount[]): Promise<void> {
  await client.query(`begin; ${lease.check}`)
  await client.query(KEEP_ACCOUNTS, [lease.chain, ...columnsOf(accounts)])
  await client.query('commit')
}

function columnsOf(accounts: readonly ChainAccount[]): [roles: string[], names: string[], domains: (bigint | null)[]] {
  return [accounts.map((x) => x.role), accounts.map((x) => x.account), accounts.map((x) => x.domain)]
}
