// State of a transfer: the calls for the wallet, and the bridge's last answer. Plain data;
// `machine.ts` changes it, `view.ts` presents it.
import type { JourneyAnswer } from '../answers.ts'
import type { EvmCall } from '../evm/calls.ts'
import type { Way } from '../routes.ts'
import type { AntelopeAction, Draft, JourneyEvent } from '../types.ts'

/** A draft without problems, with its sender. */
export interface Order {
  draft: Draft
  way: Way
  /** Ledger units. */
  units: bigint
  /** Raw units at the source: a whole number of ledger units. */
  raw: bigint
  sender: string
  recipient: string
}

/** Something for the wallet to sign. */
export interface Call {
  /** `Approve`, `Deposit`, `Transfer`. */
  label: string
  chain: string
  /** Whether this call begins the transfer. */
  last: boolean
  body: { kind: 'evm'; call: EvmCall } | { kind: 'antelope'; actions: readonly AntelopeAction[] }
}

/** Progress of the first transactions, which the page itself sends. */
export type Local =
  | { at: 'checking' }
  | { at: 'signing'; call: Call }
  /** Signed, and not in a block yet. */
  | { at: 'mining'; call: Call | null; ref: string; tries: number; since: number }
  /** Its key at the bridge is known. */
  | { at: 'following' }
  /** Nothing is in progress. */
  | { at: 'failed' }

/** Actions of the user during a transfer. */
export const ACTS = ['collect', 'release', 'expire', 'recover', 'forward', 'bounce'] as const
export type Act = (typeof ACTS)[number]

export interface Acting {
  name: Act
  /** `noticing`: done on its chain, but not yet in the bridge's answers. */
  at: 'preparing' | 'signing' | 'mining' | 'noticing'
  /** Label in the wallet: `Release`, or a step before it. */
  label: string
  /** Polls of the bridge since it was done. */
  looks: number
}

export interface OwnTransaction {
  chain: string
  label: string
  ref: string
}

export interface Trouble {
  code: string
  text: string
}

export interface State {
  order: Order | null
  local: Local
  key: string | null
  answer: JourneyAnswer | null
  acting: Acting | null
  /** Actions that anyone may take now, in addition to those of the answer. */
  possible: readonly Act[]
  own: readonly OwnTransaction[]
  error: Trouble | null
  /** Consecutive polls without an answer. */
  failures: number
  /** Consecutive polls in which the bridge did not know the key. */
  unknown: number
  /** Consecutive polls with a final state. */
  ended: number
  /** A fork undid a step that was reported. */
  takenBack: boolean
  reported: readonly JourneyEvent['type'][]
}

/** Inputs of the machine. `at` is in Unix milliseconds. */
export type JourneyInput =
  /** All checks passed; this is the next call for the wallet. */
  | { type: 'checked'; call: Call }
  /** A check, the wallet or the node refused; nothing was sent. */
  | { type: 'refused'; trouble: Trouble }
  | { type: 'signed'; ref: string; at: number }
  /** An approval is in a block. */
  | { type: 'mined' }
  /** The transaction is in a block, where it failed. */
  | { type: 'reverted'; trouble: Trouble }
  /** Another transaction replaced it with the same effect. */
  | { type: 'replaced'; ref: string }
  | { type: 'located'; key: string }
  /** Looked for and not found. */
  | { type: 'missing' }
  | { type: 'answered'; answer: JourneyAnswer; possible: readonly Act[] }
  /** The bridge does not know the key. */
  | { type: 'unknown' }
  /** The bridge did not answer. */
  | { type: 'silent'; trouble: Trouble }
  | { type: 'retry' }
  | { type: 'act'; name: Act }
  | { type: 'act-signing'; label: string }
  | { type: 'act-signed'; label: string; chain: string; ref: string }
  | { type: 'act-done' }
  | { type: 'act-failed'; trouble: Trouble }

/** Effects of the machine. Delays are milliseconds. */
export type Effect =
  /** Run all checks and choose the next call. `after`: label of the call that was just mined. */
  | { do: 'check'; after: string | null }
  | { do: 'sign'; call: Call }
  /** Look for an own transaction. */
  | { do: 'watch'; ref: string; last: boolean; delay: number }
  /** Request the transfer from the bridge. */
  | { do: 'poll'; key: string; delay: number }
  | { do: 'act'; name: Act }
  | { do: 'report'; event: JourneyEvent }

const nothing = {
  answer: null,
  acting: null,
  possible: [],
  own: [],
  error: null,
  failures: 0,
  unknown: 0,
  ended: 0,
  takenBack: false,
  reported: [],
}

/** State of a new transfer; its first effect is a check. */
export function begun(order: Order): State {
  return { ...nothing, order, local: { at: 'checking' }, key: null }
}

/** State of a transfer that began elsewhere. */
export function found(key: string): State {
  return { ...nothing, order: null, local: { at: 'following' }, key }
}
