// A transfer as the page knows it: what it has asked of the wallet, and what the bridge has answered last. Plain data;
// `machine.ts` moves it, `view.ts` says it to people.
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
  /** Whether the transfer has begun with it. */
  last: boolean
  body: { kind: 'evm'; call: EvmCall } | { kind: 'antelope'; actions: readonly AntelopeAction[] }
}

/** Where the beginning of a transfer stands, as far as the page does it. */
export type Local =
  | { at: 'checking' }
  | { at: 'signing'; call: Call }
  /** Signed; not found in a block yet. */
  | { at: 'mining'; call: Call | null; ref: string; tries: number; since: number }
  /** The bridge has a key for it. */
  | { at: 'following' }
  /** Nothing is under way. */
  | { at: 'failed' }

/** What a person can do in the middle of a transfer. */
export const ACTS = ['collect', 'release', 'expire', 'recover', 'forward', 'bounce'] as const
export type Act = (typeof ACTS)[number]

export interface Acting {
  name: Act
  /** `noticing`: done on its chain; the bridge has not told of it yet. */
  at: 'preparing' | 'signing' | 'mining' | 'noticing'
  /** What the wallet shows: `Release`, or a step before it. */
  label: string
  /** Looks at the bridge since it was done. */
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
  /** Acts that anyone may do now, besides what the answer names. */
  possible: readonly Act[]
  own: readonly OwnTransaction[]
  error: Trouble | null
  /** Looks without an answer, one after the other. */
  failures: number
  /** Looks at a key that the bridge does not know, one after the other. */
  unknown: number
  /** Looks at an end, one after the other. */
  ended: number
  /** A step that was reported has been taken back by a fork. */
  takenBack: boolean
  told: readonly JourneyEvent['type'][]
}

/** What happened. `at` is in Unix milliseconds. */
export type JourneyInput =
  /** Nothing is wrong; the wallet is to sign this next. */
  | { type: 'checked'; call: Call }
  /** A check, the wallet or the node says no; nothing was sent. */
  | { type: 'refused'; trouble: Trouble }
  | { type: 'signed'; ref: string; at: number }
  /** An approval is in a block. */
  | { type: 'mined' }
  /** The transaction is in a block, and was refused there. */
  | { type: 'reverted'; trouble: Trouble }
  /** Another transaction has done the same in its place. */
  | { type: 'replaced'; ref: string }
  | { type: 'located'; key: string }
  /** Looked for, and not found. */
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

/** What is to be done about it. Delays are milliseconds. */
export type Effect =
  /** Everything that has to hold, and which call comes next. `after`: label of the one that was mined just now. */
  | { do: 'check'; after: string | null }
  | { do: 'sign'; call: Call }
  /** Looks for a transaction of one's own. */
  | { do: 'watch'; ref: string; last: boolean; delay: number }
  /** Asks the bridge for the transfer. */
  | { do: 'poll'; key: string; delay: number }
  | { do: 'act'; name: Act }
  | { do: 'tell'; event: JourneyEvent }

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
  told: [],
}

/** Of a transfer that is to begin: its first effect is a check. */
export function begun(order: Order): State {
  return { ...nothing, order, local: { at: 'checking' }, key: null }
}

/** Of a transfer that began somewhere else. */
export function found(key: string): State {
  return { ...nothing, order: null, local: { at: 'following' }, key }
}
