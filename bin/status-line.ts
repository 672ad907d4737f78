// One line of `headwater status`: how far a chain is indexed, and if it lags, why and which command helps. Pure.
import type { ChainPosition } from '../api/operate/positions.ts'
import type { ChainReport } from '../api/operate/reports.ts'
import { age } from '../indexer/operate/progress-line.ts'

/** Longest time for which a fault is shown after its last occurrence, seconds. */
const RECENT_S = 60
const START = 'start `headwater run` or `headwater index`'
const CHECK = '`headwater check` tries its nodes'

/**
 * @param at      undefined when nothing is indexed
 * @param report  of the chain's indexer; undefined when there is none
 * @param maxLagSeconds  age of the last block above which the chain lags
 */
export function statusLine(
  chain: string,
  at: ChainPosition | undefined,
  report: ChainReport | undefined,
  maxLagSeconds: number,
): string {
  const fault = report?.fault && (report.ended || report.fault.ageSeconds < RECENT_S) ? report.fault.text : null
  const remedy = report?.ended ? `correct that, then ${START}` : CHECK
  if (at === undefined) return `${chain}: nothing is indexed yet; ${fault === null ? START : `${fault}; ${remedy}`}`
  const { block, head, lib, lagSeconds, indexed, stateBlock } = at
  const parts = [`block ${block} of ${head}`, `irreversible ${lib}`, `${age(lagSeconds * 1000)} old`]
  if (!indexed) parts.push('backfill under way')
  if (stateBlock !== null && block < stateBlock) parts.push(`current rows exact from block ${stateBlock} on`)
  return [`${chain}: ${parts.join(', ')}`, ...obstacle(at, fault, remedy, maxLagSeconds)].join('; ')
}

/** Cause of a lag, and a command. */
function obstacle(
  { lagSeconds, headAgeSeconds, indexed }: ChainPosition,
  fault: string | null,
  remedy: string,
  maxLagSeconds: number,
): string[] {
  if (fault !== null) return [fault, remedy]
  if (lagSeconds <= maxLagSeconds) return []
  // A backfill stores its position after each range, which takes minutes.
  if (headAgeSeconds < maxLagSeconds || !indexed) return ['it lags and catches up']
  return [`no indexer has written for ${age(headAgeSeconds * 1000)}`, START, CHECK]
}
