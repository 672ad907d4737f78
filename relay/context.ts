// Shared by the lanes of the relayer: settings, journal, prices, the last check before each transaction, reports.
import { statSync } from 'node:fs'
import type { RelayConfig } from '../config/relay-schema.ts'
import { UserError } from '../core/errors.ts'
import type { BridgeApi } from './bridge-api.ts'
import type { Prices } from './choice/choose.ts'
import type { Limited } from './choice/limits.ts'
import { evmRefusal, NOT_ALLOWED, type RefusalKind, SIGNER_WRONG } from './choice/refusal.ts'
import type { Tokens } from './choice/tokens.ts'
import type { Log } from './log.ts'
import type { RelayMetrics } from './metrics.ts'
import type { RelayAction } from './pending.ts'
import type { IntentAction, Journal } from './state/journal.ts'

/** An action that is in a block, or its refusal. */
export interface RelayedAction {
  /** Key of the leg or the journey. */
  key: string
  what: RelayAction
  /** Why it was refused; null when it succeeded. */
  refused: string | null
}

export interface Context {
  config: RelayConfig
  journal: Journal
  api: BridgeApi
  log: Log
  metrics: RelayMetrics
  limits: Limits
  /** USD by symbol, at most some minutes old. */
  prices: () => Prices
  /** Tokens of the ledger's routes. */
  tokens: () => Tokens
  /** Called for each action that is in a block, and for each new refusal. */
  onAction?: (action: RelayedAction) => void
  /** Called between the steps of a transaction, for tests that end the process there. `seen`: its receipt. */
  onStep?: (step: 'intended' | 'sent' | 'seen', hash: string) => void
}

/** Reason why no transaction may be sent now; null when sending is allowed. Called right before each transaction. */
export async function stoppedBy({ config, journal }: Context): Promise<Limited | null> {
  if (config.stopFile !== undefined && fileExists(config.stopFile)) return 'stop-file'
  return (await journal.isOn()) ? null : 'switched-off'
}

/** Whether a stop file exists. If that cannot be determined, it counts as existing. */
function fileExists(path: string): boolean {
  try {
    statSync(path)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
}

/** Counts transactions that a limit holds back. Logs only when the limit of a chain changes. */
export class Limits {
  readonly #last = new Map<string, Limited>()

  note({ log, metrics }: Context, chain: string, limit: Limited, leg?: string): void {
    metrics.limited.inc({ chain, limit })
    if (this.#last.get(chain) === limit) return
    this.#last.set(chain, limit)
    log.warn('kept back', { chain, limit, leg })
  }

  /** Call after a transaction was sent: the next limit is then logged, even if it is the same as before. */
  clear(chain: string): void {
    this.#last.delete(chain)
  }
}

export interface RefusedAction {
  chain: string
  signer: string
  leg: string
  action: IntentAction
  reason: string
  /** Refusals in a row before this one. */
  before: number
  /** Default: derived from the reason, by the errors of the EVM contracts. */
  kind?: RefusalKind
  /** Reason of the refusal before this one. The same reason is not reported again. */
  reasonBefore?: string
}

/** Records a refusal. The refusal of a proof is logged as an error, since it must never happen. */
export async function noteRefusal(context: Context, refused: RefusedAction): Promise<void> {
  const { log, metrics, journal, onAction } = context
  const { chain, signer, leg, action, reason, before, kind = evmRefusal(reason), reasonBefore } = refused
  await journal.refuse({ signer, leg, action, chain, reason, kind }, before)
  metrics.refusals.inc({ chain, action, kind })
  if (kind === 'proof') metrics.proofs.inc({ chain })
  if (reason === reasonBefore) return
  const fields = { chain, key: signer, leg, action, reason, kind }
  if (reason.startsWith(NOT_ALLOWED)) log.error('the bridge API asks for a call that is not allowed', fields)
  else if (reason.startsWith(SIGNER_WRONG)) log.error('a signer answers wrongly', fields)
  else if (kind === 'proof') log.error('a contract calls the proof wrong', fields)
  else log.info('refused', fields)
  if (action !== 'cancel' && action !== 'learn') onAction?.({ key: leg, what: action, refused: reason })
}

/**
 * Records a failure of one entry. The entry is tried again later, and the others continue.
 *
 * @throws the error when the journal is lost or the process ends
 */
export async function noteFailure(context: Context, refused: Omit<RefusedAction, 'reason'>, error: unknown) {
  if (context.journal.isLost || isAbort(error)) throw error
  await noteRefusal(context, { kind: 'later', ...refused, reason: error instanceof Error ? error.message : `${error}` })
}

/** Whether a request ended because the process ends. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || isAbort(error.cause))
}

/** Reports an action that is in a block. */
export function noteRelayed(
  { log, metrics, onAction }: Context,
  done: {
    chain: string
    signer: string
    leg: string
    action: IntentAction
    step: string
    hash: string
    costUsd: number | null
    feeUsd: number | null
  },
): void {
  const { chain, signer, leg, action, step, hash, costUsd, feeUsd } = done
  metrics.costUsd.inc({ chain }, costUsd ?? 0)
  if (action === 'learn') metrics.actions.inc({ chain, action })
  const isEnd = action !== 'cancel' && action !== 'learn' && step !== 'learn'
  const earned = isEnd ? feeUsd : 0
  const profitUsd = earned === null || costUsd === null ? null : earned - costUsd
  log.info('relayed', { chain, key: signer, leg, action, step, hash, costUsd, feeUsd: earned, profitUsd })
  if (!isEnd) return
  metrics.actions.inc({ chain, action })
  metrics.feeUsd.inc({ chain }, feeUsd ?? 0)
  onAction?.({ key: leg, what: action, refused: null })
}

/** The error for a node of another chain, to which nothing is sent. */
export function otherChain(name: string, got: number | string, wanted: number | string): UserError {
  return new UserError('RELAY_OTHER_CHAIN', `${name}: the node is of chain ${got}, not of ${wanted}`, {
    hint: 'correct relay.nodes or the source of the chain',
    place: { chain: name },
  })
}
