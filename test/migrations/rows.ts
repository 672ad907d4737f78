// Inserts rows by hand, for tests of the views.
import type { Pool } from 'pg'

/** Time of every block. */
export const AT = '2026-01-01 00:00:30+00'

/** Adds a chain at block 10 without rows; block 9 is its last irreversible one. */
export async function addChain(pool: Pool, chain: string, chainId: string | null = null): Promise<void> {
  await pool.query('select meta.add_chain($1)', [chain])
  await pool.query(
    `insert into meta.position (chain, chain_id, first_block, block_num, block_id, block_time, lib_num, head_num, writer)
     values ($1, $2, 1, 10, repeat('0a', 32), $3, 9, 10, gen_random_uuid())`,
    [chain, chainId, AT],
  )
}

/** Inserts a row at block 5. A ledger row without global sequence and transaction gets them. */
export async function insert(pool: Pool, table: string, row: Record<string, unknown>): Promise<void> {
  const isFact = table.startsWith('ledger.') && table !== 'ledger.blocks' && table !== 'ledger.orphaned_blocks'
  const place = { block_num: 5, block_time: AT, global_seq: 1, trx_id: Buffer.alloc(32) }
  const values = isFact ? { ...place, ...row } : row
  const names = Object.keys(values)
  await pool.query(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(values),
  )
}

export function withdrawal(chain: string, id: number, domain: string) {
  const raw = Buffer.from('alice')
  const route = { vault: raw, token: raw, recipient: raw }
  return { chain, id, domain, ...route, amount: 7, deadline: 0, fee: 0, memo: Buffer.alloc(0), sender: 'alice' }
}
