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
  for (const name of CURRENT) {
    signal.throwIfAborted()
    const view = await findView(client, name)
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
