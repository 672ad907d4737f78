// Decides whether the service is ready, and gives the reasons if not. Pure.
import { CONTRADICTION_SECONDS, toleratedLag } from '../kit/lag.ts'
import type { ChainPosition } from './positions.ts'
import type { Replication } from './replication.ts'
import type { ChainReport } from './reports.ts'

export interface Readiness {
  ready: boolean
  /** Reasons against, at most one for each chain and one for the database. */
  reasons: string[]
  /** Data that answers lack even when the service is ready. */
  warnings: string[]
}

export interface ReadinessFacts {
  /** Required exchange chains. */
  chains: readonly string[]
  /** Required EVM chains. */
  evm: readonly string[]
  positions: readonly ChainPosition[]
  reports: readonly ChainReport[]
  /** Greatest tolerated age of the last indexed block. */
  maxLagSeconds: number
  replication: Replication
  /** Greatest tolerated lag of a standby, seconds. */
  maxReplayLagSeconds: number
  /** Whether the market of an exchange chain is in memory. */
  isLoaded: (chain: string) => boolean
}

/** Block 1 cannot be indexed. If the first block is later than this, history is missing. */
const FIRST_OF_CHAIN = 2

export function readiness(facts: ReadinessFacts): Readiness {
  const reasons: string[] = []
  const warnings: string[] = []
  const standby = standbyReason(facts)
  if (standby !== null) reasons.push(standby)
  for (const chain of [...facts.chains, ...facts.evm]) {
    const at = facts.positions.find((position) => position.chain === chain)
    const report = facts.reports.find((one) => one.chain === chain)
    const reason = reasonOf(chain, at, report, facts)
    if (reason !== null) reasons.push(`${chain}: ${reason}`)
    if (at !== undefined && at.stateBlock === null && at.firstBlock > FIRST_OF_CHAIN && facts.chains.includes(chain))
      warnings.push(
        `${chain}: indexing began at block ${at.firstBlock}; current rows that have not changed since may be missing`,
      )
    else if (at !== undefined && !at.hasState && at.firstBlock > FIRST_OF_CHAIN && facts.chains.includes(chain))
      warnings.push(
        `${chain}: indexing began at block ${at.firstBlock} with the state of block ${at.stateBlock}, and there is no pool, market or route: compare with a node by \`headwater verify --against\``,
      )
    if (at !== undefined && at.staleRows > 0) warnings.push(staleWarning(at))
  }
  return { ready: reasons.length === 0, reasons, warnings }
}

function standbyReason({ replication, maxReplayLagSeconds }: ReadinessFacts): string | null {
  const { standby, receiving, replayLagSeconds, replayLagBytes } = replication
  if (!standby || replayLagSeconds <= maxReplayLagSeconds) return null
  const lag = `the database is a standby and lags ${Math.round(replayLagSeconds)} s`
  return receiving
    ? `${lag}: ${(replayLagBytes / 1e6).toFixed(1)} MB are received and not replayed`
    : `${lag}: it is not connected to its primary`
}

function staleWarning({ chain, staleRows, stale }: ChainPosition): string {
  const more = staleRows > stale.length ? ' and others' : ''
  return `${chain}: the last change of ${staleRows} current rows could not be decoded, they are older than the chain or missing: ${stale.join(', ')}${more} (head.stale_rows)`
}

function reasonOf(
  chain: string,
  at: ChainPosition | undefined,
  report: ChainReport | undefined,
  { evm, maxLagSeconds, isLoaded }: ReadinessFacts,
): string | null {
  const isEvm = evm.includes(chain)
  const fault = report?.fault && isUnresolved(report.fault.ageSeconds, at) ? report.fault : null
  const contradiction = report?.contradiction
  if (contradiction && (contradiction.ageSeconds < CONTRADICTION_SECONDS || isUnresolved(contradiction.ageSeconds, at)))
    return `a node contradicts what is final here: ${contradiction.text}`
  if (fault && report?.ended) return `indexing has ended: ${causeOf(fault)}`
  const state = stateOf(chain, at, toleratedLag(maxLagSeconds, isEvm), isEvm ? () => true : isLoaded)
  return state === null || fault === null ? state : `${state}: ${causeOf(fault)}`
}

/** Whether nothing has been committed since the fault. */
function isUnresolved(ageSeconds: number, at: ChainPosition | undefined): boolean {
  return at === undefined || ageSeconds <= at.headAgeSeconds
}

function stateOf(
  chain: string,
  at: ChainPosition | undefined,
  tolerated: number,
  isLoaded: (chain: string) => boolean,
): string | null {
  if (at === undefined) return 'nothing is indexed yet'
  if (at.stateBlock !== null && at.block < at.stateBlock)
    return `current rows are exact from block ${at.stateBlock} on, indexed is block ${at.block}`
  if (!at.indexed) return `history is being indexed, at block ${at.block} of ${at.head}`
  if (at.lagSeconds > tolerated) return `the last indexed block ${at.block} is ${Math.round(at.lagSeconds)} s old`
  return isLoaded(chain) ? null : 'the market is being loaded'
}

function causeOf({ code, text }: { code: string; text: string }): string {
  if (code === 'OTHER_CHAIN') return `this node has another chain id: ${text}`
  return /ECONNREFUSED/.test(text) ? `the node refuses connections: ${text}` : text
}
