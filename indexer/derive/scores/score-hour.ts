// Scores the tokens of a chain and counts their holders at each hour of block time: before the first block of the hour
// is committed, from the rows of the blocks before it. Scores therefore depend only on blocks and settings. Trades are
// counted once for each hour; windows are sums of hours.
import type { ClientBase } from 'pg'
import { tokenId } from '../../../core/price/token-id.ts'
import { scoreDetails, type TokenFacts, type TokenScoreDetails } from '../../../core/score/details.ts'
import type { BlockPosition } from '../../source/source.ts'
import { FencedError } from '../../store/errors.ts'
import type { ScoreOptions, ValuationOptions } from '../../value/options.ts'
import { standings, type TokenStanding } from './assemble.ts'
import { NO_TRADES, ScoreReader, type Standing, type Windows } from './reader.ts'
import {
  ADD_DETAILS,
  ADD_SAMPLES,
  ADD_SNAPSHOT,
  COUNT_TRADES,
  FORGET_DETAILS,
  FORGET_HOURS,
  FORGET_SCORES,
  FORGET_TRADERS,
  LAST_COUNTED,
  RECOUNT_HOURS,
  RECOUNT_TRADERS,
} from './sql.ts'

export interface ScoredChain {
  chain: string
  valuation: ValuationOptions
  scores: ScoreOptions
}

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** The hour to score, and where the chain is. */
export interface Scoring {
  /** Start of the hour of the next block, Unix milliseconds; later than the last indexed block. */
  hour: number
  /** The caller's last indexed block. */
  at: BlockPosition
  /**
   * Start of the first hour that was scored with the same settings, Unix milliseconds. Counts from this hour on are
   * continued; counts of earlier hours are not used.
   */
  since: number
}

/**
 * Writes the scores valid from an hour on, in one transaction. Replaces existing scores of the hour.
 *
 * @param client  a connection with the writer's role, not used by others meanwhile
 * @throws FencedError when another process moved the chain's position; database errors
 */
export async function scoreHour(client: ClientBase, of: ScoredChain, scoring: Scoring): Promise<void> {
  const { hour, at } = scoring
  await client.query('begin')
  try {
    const reader = new ScoreReader(client, of.chain)
    const standing = await reader.standing()
    if (standing?.num !== at.num || standing.id !== at.id)
      throw new FencedError(of.chain, `another process has moved it from block ${at.num}`)
    await client.query(FORGET_SCORES, [of.chain, new Date(hour)])
    await countTrades(client, of, standing, hour)
    await score(client, of, standing, scoring)
    await forgetTrades(client, of, hour)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** Counts the hours since the last count. The first hour may be partial: it is counted from the first block on. */
async function countTrades(client: ClientBase, of: ScoredChain, standing: Standing, hour: number): Promise<void> {
  const { chain, scores } = of
  const windowStart = hour - 30 * DAY
  const { rows } = await client.query<{ hour: Date | null }>(LAST_COUNTED, [chain])
  const begin = rows[0]?.hour ?? new Date(Math.floor(standing.firstTime.getTime() / HOUR) * HOUR)
  const from = new Date(Math.max(begin.getTime(), windowStart))
  for (const statement of [RECOUNT_HOURS, RECOUNT_TRADERS]) await client.query(statement, [chain, from])
  await client.query(COUNT_TRADES, [chain, from, new Date(hour), scores.exchange])
}

/** Deletes the hours before the longest window. */
async function forgetTrades(client: ClientBase, { chain }: ScoredChain, hour: number): Promise<void> {
  const windowStart = new Date(hour - 30 * DAY)
  for (const statement of [FORGET_HOURS, FORGET_TRADERS]) await client.query(statement, [chain, windowStart])
}

async function score(client: ClientBase, of: ScoredChain, standing: Standing, { hour, since }: Scoring): Promise<void> {
  const { chain, valuation, scores } = of
  const reader = new ScoreReader(client, chain)
  const rows = await reader.exchange(standing, scores.exchange)
  const tokens = standings(rows, valuation, scores.usdToken)
  const ids = tokens.map(({ id }) => id)
  const windows = await reader.windows(hour, ids, hour - HOUR >= since)
  const prices = await reader.prices(tokens, hour)
  const holders = await reader.holders(tokens.filter((token) => isIndexed(token, scores)))
  // Balances from before the indexed history are unknown.
  const isTruncated = !rows.isWhole && !standing.hasState
  const counted = [[...holders.keys()], standing.num, [...holders.values()], isTruncated]
  await client.query(ADD_SAMPLES, [chain, new Date(hour), ...counted])
  const details = new Map<string, TokenScoreDetails>()
  for (const token of tokens) {
    const { id } = token
    const found = { holders: isTruncated ? null : (holders.get(id) ?? null), prices: prices.get(id) ?? null }
    details.set(id, scoreDetails(factsOf(token, windows.get(id) ?? NO_TRADES, found), hour, rows.at))
  }
  await storeScores(client, of, hour, details)
}

function factsOf(
  { tvlUsd, firstSeen }: TokenStanding,
  trades: Windows,
  { holders, prices }: Pick<TokenFacts, 'holders' | 'prices'>,
): TokenFacts {
  return {
    trades: trades.trades,
    volumeUsd: trades.volumeUsd,
    uniqueTraders: trades.uniqueTraders,
    trades7d: trades.trades7d,
    volumeUsd7d: trades.volumeUsd7d,
    uniqueTraders7d: trades.uniqueTraders7d,
    uniqueTradersPrev7d: trades.uniqueTradersPrev7d,
    uniqueTraders24h: trades.uniqueTraders24h,
    uniqueTradersPrev24h: trades.uniqueTradersPrev24h,
    tvlUsd,
    holders,
    prices,
    firstSeen,
  }
}

/** Whether all balances of a token are indexed. */
function isIndexed({ contract }: TokenStanding, { tokenContracts }: ScoreOptions): boolean {
  return tokenContracts === '*' || tokenContracts.includes(contract)
}

async function storeScores(client: ClientBase, of: ScoredChain, hour: number, details: Map<string, TokenScoreDetails>) {
  const { chain, valuation } = of
  const { contract, symbol } = valuation.systemToken
  const systemToken = tokenId(symbol, contract)
  // A token without a score counts as 0. The system token is always stored, so that a snapshot is never empty.
  const snapshot = [...details].filter(([token, { score }]) => score > 0 || token === systemToken)
  const validFrom = new Date(hour)
  const scores = snapshot.map(([, { score }]) => score)
  await client.query(ADD_SNAPSHOT, [chain, validFrom, snapshot.map(([token]) => token), scores])
  const texts = [...details.values()].map((value) => JSON.stringify(value))
  await client.query(ADD_DETAILS, [chain, validFrom, [...details.keys()], texts])
  await client.query(FORGET_DETAILS, [chain])
}
