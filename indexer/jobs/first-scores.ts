// Makes the first scores of a chain as soon as its history is in: nobody waits for the next minute.
import { setTimeout as delay } from 'node:timers/promises'
import { ScoreReader } from '../derive/scores/reader.ts'
import { refreshScores, type ScoreOptions } from '../derive/scores/refresh.ts'
import { SESSION } from '../derive/scores/sql.ts'
import { onConnection } from '../store/connection.ts'

/** Between looks, milliseconds. */
const LOOK_MS = 1000
/** A chain whose last irreversible block is no older by the clock has its history in, milliseconds. */
const NEAR_MS = 600_000

/**
 * Waits until the chain is near its head and has scores. Ends at once when it has some.
 *
 * @param signal  ends the waiting
 * @throws RetryableError DATABASE_UNAVAILABLE: the job that looks every minute makes the scores then
 */
export async function firstScores(options: ScoreOptions, signal: AbortSignal): Promise<void> {
  const { chain, databaseUrl } = options
  await onConnection({ databaseUrl, name: 'scores', chain, session: SESSION }, async (client) => {
    const reader = new ScoreReader(client, chain)
    for (; !signal.aborted; await delay(LOOK_MS, undefined, { signal }).catch(() => {})) {
      const standing = await reader.standing()
      if (standing === null) continue
      if (standing.scoredHour !== null) return
      if (Date.now() - standing.libTime.getTime() < NEAR_MS) await refreshScores(options)
    }
  })
}
