// The rewind command. Down to the last irreversible block, it restores state from before-images. Below it there are
// none: a forced rewind removes the whole chain, to be indexed again from its first block, because rows could not be
// restored reliably.
import type pg from 'pg'
import { UserError } from '../../core/errors.ts'
import { openClient } from '../../net/postgres.ts'
import { Lease } from '../store/lease.ts'
import { CLEAR, POSITION, RECORD, REWIND } from './sql.ts'

export interface RewindOptions {
  /** Connection string with the writer's role; for a forced rewind, the owner's. */
  url: string
  chain: string
  /** Last block to keep. */
  to: number
  /** Whether `to` may be below the last irreversible block. */
  force?: boolean
}

export interface RewindResult {
  /** `nothing`: the position is at or below the block. `cleared`: the chain was removed, to be indexed again. */
  outcome: 'rewound' | 'nothing' | 'cleared'
  /** Last indexed block before the rewind. */
  from: number
}

/**
 * @throws FencedError WRITER_FENCED while the chain is being indexed; UserError UNKNOWN_CHAIN, REWIND_BEFORE_HISTORY,
 *   REWIND_BELOW_LIB, NOT_OWNER
 */
export async function rewindChain({ url, chain, to, force = false }: RewindOptions): Promise<RewindResult> {
  const client = openClient({ connectionString: url, application_name: `headwater rewind ${chain}` })
  await client.connect()
  try {
    const lease = await Lease.take(client, chain)
    try {
      await client.query('begin')
      await client.query(lease.check)
      const result = await rewind(client, chain, to, force)
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback').catch(() => {})
      throw error
    } finally {
      await lease.release()
    }
  } finally {
    await client.end().catch(() => {})
  }
}

async function rewind(client: pg.Client, chain: string, to: number, force: boolean): Promise<RewindResult> {
  const row = (await client.query(POSITION, [chain])).rows[0]
  if (!row)
    throw new UserError('UNKNOWN_CHAIN', `nothing of the chain ${chain} is indexed in this database`, {
      place: { chain },
    })
  const [first, from, lib] = [Number(row.firstBlock), Number(row.block), Number(row.lib)]
  if (to >= from) return { outcome: 'nothing', from }
  if (to < first - 1) {
    throw new UserError(
      'REWIND_BEFORE_HISTORY',
      `${chain} is indexed from block ${first} on: it cannot go back to ${to}`,
      { place: { chain } },
    )
  }
  const isForced = to < lib
  if (isForced && !force) {
    const hint = 'with --force everything of the chain is removed, to be indexed again from its first block'
    throw new UserError('REWIND_BELOW_LIB', `${chain}: block ${lib} is irreversible, above block ${to}`, {
      hint,
      place: { chain },
    })
  }
  await client.query(RECORD, [chain, from, to, lib, isForced])
  if (isForced) await clear(client, chain)
  else await client.query(REWIND, [chain, to + 1])
  return { outcome: isForced ? 'cleared' : 'rewound', from }
}

async function clear(client: pg.Client, chain: string): Promise<void> {
  try {
    await client.query(CLEAR, [chain])
  } catch (error) {
    if ((error as pg.DatabaseError).code !== '42501') throw error
    throw new UserError('NOT_OWNER', `${chain}: only the owner of the database may remove irreversible rows`, {
      hint: 'connect as the role that migrated it',
      place: { chain },
    })
  }
}
