// Computes scores from rows that a test wrote, as the indexer does at the first block of an hour.
import { type ScoredChain, scoreHour } from '../../indexer/derive/scores/score-hour.ts'
import { onConnection } from '../../indexer/store/connection.ts'

/** @param hour  Unix milliseconds, a full hour, like `since` */
export async function scoreAt(databaseUrl: string, of: ScoredChain, hour: number, since = hour): Promise<void> {
  const session = `set timezone = 'UTC'; set role headwater_writer`
  await onConnection({ databaseUrl, name: 'score', chain: of.chain, session }, async (client) => {
    const { rows } = await client.query<{ num: string; id: string }>(
      'select block_num as num, block_id as id from meta.position where chain = $1',
      [of.chain],
    )
    const [at] = rows
    if (at) await scoreHour(client, of, { hour, at: { num: Number(at.num), id: at.id }, since })
  })
}
