// Makes the scores of a chain's tokens anew when an hour more is irreversible, and counts their holders. Trades are
// counted once, hour by hour; windows add up hours. Everything is as of one irreversible block: the same ledger up to
// it, with the same settings and earlier scores, gives the same scores.
import type pg from 'pg'
import type { TokenId } from '../../../core/price/token-id.ts'
import { scoreDetails, type TokenScoreDetails } from '../../../core/score/details.ts'
import { onConnection } from '../../store/connection.ts'
import type { ValuationOptions } from '../../value/options.ts'
import { standings, type TokenStanding } from './assemble.ts'
import { type HolderSample, holderSamples, samplesAt } from './holder-history.ts'
import { NO_TRADES, ScoreReader, type Standing } from './reader.ts'
import {
  ADD_DETAILS,
  ADD_SAMPLES,
  ADD_SNAPSHOT,
  COUNT_TRADES,
  COUNTED_TO,
  FORGET_DETAILS,
  FORGET_HOURS,
  FORGET_TRADERS,
  LOCK,
  REFRESHED,
  SESSION,
  SNAPSHOT,
  VALID_FROM,
} from './sql.ts'

export interface ScoreOptions {
  chain: string
  databaseUrl: string
  valuation: ValuationOptions
  /** Token worth one USD. */
  usdToken?: TokenId
  /** Accounts of the exchange's contracts: no traders, and what they hold is the exchange's. */
  exchange: readonly string[]
  /** Token contracts whose balances are kept. */
  tokenContracts: '*' | readonly string[]
  /** From when the scores are to hold, Unix milliseconds. Only a chain that nobody values meanwhile may have its own. */
  validFrom?: number
  /** Whether scores of a chain far behind the clock are made although the last ones are not ten minutes old. */
  isUrgent?: boolean
  /** Whether a chain far behind the clock, of that last irreversible block, is to get its first scores later. */
  isInHistory?: (lib: number) => boolean
}

export interface Refreshed {
  /** At which windows end, Unix milliseconds. */
  hour: number
  block: number
  validFrom: number
  tokens: number
}

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Trades that are counted in one transaction. */
const CHUNK = DAY

/**
 * @returns null when there is nothing to do: no new hour is irreversible, or another process does it
 * @throws RetryableError DATABASE_UNAVAILABLE
 */
export async function refreshScores(options: ScoreOptions): Promise<Refreshed | null> {
  const { chain, databaseUrl } = options
  return onConnection({ databaseUrl, name: 'scores', chain, session: SESSION }, async (client) => {
    const { rows } = await client.query<{ mine: boolean }>(LOCK, [chain])
    return rows[0]?.mine ? await refresh(client, options) : null
  })
}

async function refresh(client: pg.Client, options: ScoreOptions): Promise<Refreshed | null> {
  const standing = await new ScoreReader(client, options.chain).standing()
  if (standing === null) return null
  const hour = Math.floor(standing.libTime.getTime() / HOUR) * HOUR
  const { scoredHour, isFresh, isCurrent, lib } = standing
  if (scoredHour !== null && hour <= scoredHour.getTime()) return null
  if (!isCurrent && !options.isUrgent) {
    // On the way through history an hour of the chain takes seconds.
    if (scoredHour === null ? options.isInHistory?.(lib) : isFresh) return null
  }
  await countTrades(client, options, standing, hour)
  const scored = await inTransaction(client, SNAPSHOT, () => score(client, options, hour))
  return await inTransaction(client, 'begin', () => keep(client, options, hour, scored))
}

/** Counts the hours that have become irreversible. An hour that has begun before the first block is counted as it is. */
async function countTrades(client: pg.Client, options: ScoreOptions, standing: Standing, hour: number): Promise<void> {
  const { chain, exchange } = options
  const windowStart = hour - 30 * DAY
  const first = Math.floor(standing.firstTime.getTime() / HOUR) * HOUR
  let from = Math.max(standing.countedTo?.getTime() ?? first, windowStart)
  do {
    const to = Math.min(from + CHUNK, hour)
    await inTransaction(client, 'begin', async () => {
      if (to > from) await client.query(COUNT_TRADES, [chain, new Date(from), new Date(to), exchange])
      await client.query(COUNTED_TO, [chain, new Date(to)])
    })
    from = to
  } while (from < hour)
  for (const statement of [FORGET_HOURS, FORGET_TRADERS]) await client.query(statement, [chain, new Date(windowStart)])
}

interface Scored {
  lib: number
  details: Map<TokenId, TokenScoreDetails>
  samples: HolderSample[]
  isTruncated: boolean
  systemToken: TokenId
}

async function score(client: pg.Client, options: ScoreOptions, hour: number): Promise<Scored> {
  const reader = new ScoreReader(client, options.chain)
  const standing = (await reader.standing()) as Standing
  const rows = await reader.exchange(standing, options.exchange)
  const tokens = standings(rows, options.valuation, options.usdToken)
  const windows = await reader.windows(hour)
  const prices = await reader.prices(tokens, hour)
  const kept = tokens.filter((token) => isKept(token, options))
  const holders = await reader.holders(kept)
  const isTruncated = !rows.isWhole && !standing.hasState
  // Where balances from before are not known, nothing can be said of how they were.
  const samples = isTruncated
    ? samplesAt(holders, [], [hour])
    : await holderSamples(reader, kept, holders, hour, rows.since)
  const details = new Map<TokenId, TokenScoreDetails>()
  for (const { id, tvlUsd, firstSeen } of tokens) {
    const facts = {
      ...(windows.get(id) ?? NO_TRADES),
      tvlUsd,
      holders: isTruncated ? null : (holders.get(id) ?? null),
      prices: prices.get(id) ?? null,
      firstSeen,
    }
    details.set(id, scoreDetails(facts, hour, rows.at))
  }
  const { contract, symbol } = options.valuation.systemToken
  const systemToken = `${symbol.toLowerCase()}-${contract}`
  return { lib: standing.lib, details, samples, isTruncated, systemToken }
}

/** Whether all balances of a token are kept. */
function isKept({ contract }: TokenStanding, { tokenContracts }: ScoreOptions): boolean {
  return tokenContracts === '*' || tokenContracts.includes(contract)
}

async function keep(client: pg.Client, options: ScoreOptions, hour: number, scored: Scored): Promise<Refreshed> {
  const { chain } = options
  const { lib, details, samples, isTruncated, systemToken } = scored
  const at = new Date(hour)
  const of = (name: keyof HolderSample) => samples.map((sample) => sample[name])
  const hours = samples.map((sample) => new Date(sample.hour))
  await client.query(ADD_SAMPLES, [chain, lib, of('token'), hours, of('holders'), isTruncated])
  const validFrom = await validity(client, options)
  // A token without a score counts as 0; the system token stands for a snapshot in which all others are so.
  const snapshot = [...details].filter(([token, { score }]) => score > 0 || token === systemToken)
  const scores = snapshot.map(([, { score }]) => score)
  await client.query(ADD_SNAPSHOT, [chain, validFrom, snapshot.map(([token]) => token), scores])
  const texts = [...details.values()].map((value) => JSON.stringify(value))
  await client.query(ADD_DETAILS, [chain, validFrom, [...details.keys()], texts])
  await client.query(FORGET_DETAILS, [chain, validFrom])
  await client.query(REFRESHED, [chain, at, lib, validFrom])
  return { hour, block: lib, validFrom: validFrom.getTime(), tokens: details.size }
}

async function validity(client: pg.Client, { chain, validFrom }: ScoreOptions): Promise<Date> {
  if (validFrom !== undefined) return new Date(validFrom)
  // Late commits would change the past of those who have already looked.
  await client.query(`set local statement_timeout = '5s'`)
  const { rows } = await client.query<{ validFrom: Date }>(VALID_FROM, [chain])
  return (rows[0] as { validFrom: Date }).validFrom
}

async function inTransaction<T>(client: pg.Client, begin: string, work: () => Promise<T>): Promise<T> {
  await client.query(begin)
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}
