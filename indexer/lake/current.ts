// Copies current rows, such as pools and markets, whole: each copy replaces the one before in one step.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { writeFile } from '../export/export.ts'
import { findView } from '../export/view.ts'
import type { LakeOptions } from './lake.ts'

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

/** Error of a view that a replica of final rows does not have. */
const NOT_REPLICATED = 'HW050'

/**
 * Copies the views of all chains, in the client's snapshot. A replica of final rows does not have some of them: they are
 * left out, and an older copy stays.
 *
 * @param folder  for temporary files
 */
export async function copyCurrent(
  client: pg.Client,
  { target, signal, onSkip }: Pick<LakeOptions, 'target' | 'signal' | 'onSkip'>,
  folder: string,
): Promise<void> {
  const skipped: string[] = []
  for (const given of [...CURRENT, ...BOARDS.map((board) => `board.${board}`)]) {
    signal.throwIfAborted()
    const view = await findView(client, given)
    const name = given.replace('.', '_')
    const path = join(folder, `${name}.parquet`)
    const facts = { bytes: 0, sha256: '' }
    await client.query('savepoint copy_view')
    let rows: number
    try {
      rows = await writeFile(client, view, [], {
        ...{ format: 'parquet', out: path },
        onComplete: ({ bytes, sha256 }) => Object.assign(facts, { bytes, sha256 }),
      })
    } catch (error) {
      if ((error as { code?: unknown }).code !== NOT_REPLICATED) throw error
      await client.query('rollback to savepoint copy_view')
      skipped.push(view.name)
      continue
    }
    await target.replace({ name, view }, { dataset: name, path, rows, ...facts })
    await rm(path, { force: true })
  }
  if (skipped.length > 0) onSkip?.(skipped)
}
