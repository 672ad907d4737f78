// How many accounts held a token when an hour began: what they hold now, less what transfers have brought since. Hours
// that passed while nobody counted are made up for, as far back as changes are told.
import type { TokenId } from '../../../core/price/token-id.ts'
import type { TokenStanding } from './assemble.ts'
import type { ScoreReader } from './reader.ts'

export interface HolderSample {
  token: TokenId
  /** At whose beginning they were counted, Unix milliseconds. */
  hour: number
  holders: number
}

/** Accounts that held a token when an hour began and do not when it ends, less those that have come to hold it. */
export interface HolderChange {
  token: TokenId
  /** Unix milliseconds. */
  hour: number
  before: number
}

/**
 * Samples of the hours that lack them, the given one included, of up to a day.
 *
 * @param tokens  those whose balances are all kept
 * @param counts  holders as of the last irreversible block
 * @param hour    the hour that holds it, Unix milliseconds
 * @param since   first moment of which transfers are known, Unix milliseconds
 */
export async function holderSamples(
  reader: ScoreReader,
  tokens: readonly TokenStanding[],
  counts: ReadonlyMap<TokenId, number>,
  hour: number,
  since: number,
): Promise<HolderSample[]> {
  const hours = await reader.hoursWithoutHolders(hour, since)
  const [earliest] = hours
  if (earliest === undefined) return samplesAt(counts, [], [hour])
  return samplesAt(counts, await reader.holderChanges(tokens, earliest), hours)
}

/** @param hours  Unix milliseconds; changes must be known from the earliest on */
export function samplesAt(
  counts: ReadonlyMap<TokenId, number>,
  changes: readonly HolderChange[],
  hours: readonly number[],
): HolderSample[] {
  const byToken = new Map<TokenId, HolderChange[]>()
  for (const change of changes) {
    const known = byToken.get(change.token)
    if (known === undefined) byToken.set(change.token, [change])
    else known.push(change)
  }
  return [...counts].flatMap(([token, count]) => {
    const own = byToken.get(token) ?? []
    return hours.map((at) => {
      const holders = own.reduce((sum, { hour, before }) => (hour >= at ? sum + before : sum), count)
      return { token, hour: at, holders }
    })
  })
}
