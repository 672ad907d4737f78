// Copies current rows, such as pools and markets, whole: each copy replaces the one before in one step.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { writeFile } from '../export/export.ts'
import { findView } from '../export/view.ts'
import type { LakeTarget } from './target.ts'

/** Views of `final` that queries over facts are joined with. They do not grow with every block. */
const CURRENT = [
  ...['chain_domains', 'contracts', 'day_totals', 'deposits', 'holder_counts', 'hops', 'hour_totals', 'incentives'],
  ...[
    'markets',
    'orders',
    'pools',
    'position',
    'positions',
    'ticks',
    'token_prices',
    'tokens',
    'traded_tokens',
    'withdrawals',
  ],
]

/** Boards: sums by day that are kept in PostgreSQL. Their copies are `board_pool_days` and so on. */
const BOARDS = ['account_days', 'bridge_days', 'leaders', 'pool_days', 'token_days', 'trader_months']

/**
 * Copies the views of all chains, in the client's snapshot.
 *
 * @param folder  for temporary files
 */
export async function copyCurrent(
  client: pg.Client,
  { target, signal }: { target: LakeTarget; signal: AbortSignal },
  folder: string,
): Promise<void> {
  for (const given of [...CURRENT, ...BOARDS.map((board) => `board.${board}`)]) {
    signal.throwIfAborted()
    const view = await findView(client, given)
    const name = given.replace('.', '_')
    const path = join(folder, `${name}.parquet`)
    const facts = { bytes: 0, sha256: '' }
    const rows = await writeFile(client, view, [], {
      ...{ format: 'parquet', out: path },
      onComplete: ({ bytes, sha256 }) => Object.assign(facts, { bytes, sha256 }),
    })
    await target.replace({ name, view }, { dataset: name, path, rows, ...facts })
    await rm(path, { force: true })
  }
}
