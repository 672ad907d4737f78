// What a refusal means: try later, done by another sender, never again, or a proof that a contract calls wrong. `left` is
// the relayer's own decision by its settings: it earns too little, or its proof names a party that is left.

export type RefusalKind = 'later' | 'done' | 'never' | 'proof' | 'left'

/** Class of the error of an Antelope node for `check` of a contract. */
const ASSERTION = 'eosio_assert_message_exception'

/** A call that a contract or a node refuses; the message is the reason: the name of a custom error, or a text. */
export class Refused extends Error {
  /** Class of an Antelope node's error; empty for any other refusal. */
  readonly nodeKind: string

  constructor(message: string, nodeKind = '') {
    super(message)
    this.nodeKind = nodeKind
  }

  /** Whether an Antelope contract says no. Other refusals are of the node or about the sender. */
  get isAssertion(): boolean {
    return this.nodeKind === ASSERTION
  }
}

/** An action that cannot be made yet (`later`), or not by this relayer (`left`). */
export class NotMade extends Error {
  readonly kind: 'later' | 'left'

  constructor(message: string, kind: 'later' | 'left') {
    super(message)
    this.kind = kind
  }
}

/** Reasons that pass by themselves when a block becomes final. */
export const NO_PROOF = 'the bridge API has no proof yet'
export const NOT_FINAL = 'its outcome is in no final block yet'

/** Reason of the relayer's own refusal of a transaction whose recipient is in `relay.deny` now. */
export const DENIED = 'its recipient is in relay.deny'

/** Reason of the relayer's own refusal of a call; it delays the next try as a contract's refusal does. */
export const lossOf = (action: string): string =>
  action === 'learn' ? 'its gas costs more than relay.handoffUsdDay leaves' : 'its gas costs more than its fee pays for'

/** Code at the beginning of the reason, with which refusals are logged and stored. */
export const NOT_ALLOWED = 'RELAY_NOT_ALLOWED'

/** The same of a signer whose signature is not of the key. */
export const SIGNER_WRONG = 'RELAY_SIGNER_WRONG'

/** The bridge API asks for a call that the relayer never signs. An alarm, like a wrong proof. */
export class NotAllowed extends Refused {
  constructor(what: string) {
    super(`${NOT_ALLOWED}: ${what}`)
  }
}

/** Errors of the published contracts by what they mean. Those of the light client and the proof: docs/bridge/proofs.md. */
const MEANINGS: Readonly<Record<string, RefusalKind>> = {
  AlreadySettled: 'done',
  // Another sender has taught the policy or stored the root.
  PolicyIsOld: 'done',
  PastDeadline: 'later',
  BeforeDeadline: 'later',
  OutflowLimited: 'later',
  WithdrawalsPaused: 'later',
  NativeSendFailed: 'later',
  TransferFailed: 'later',
  AssetDisabled: 'later',
  // The bridge's administrator has not set it yet, or has revoked it.
  AssetNotConfigured: 'later',
  NotReleaser: 'later',
  // A reorganisation removed the root, or the policy is learned in a transaction that waits.
  UntrustedRoot: 'later',
  UnknownPolicy: 'later',
  ActionNotInBlock: 'proof',
  BlockNotInRoot: 'proof',
  BlockNotUnderRoot: 'proof',
  BranchTooLong: 'proof',
  EmptyRoot: 'proof',
  FeeExceedsAmount: 'proof',
  InvalidBits: 'proof',
  InvalidPolicy: 'proof',
  InvalidSignature: 'proof',
  NoQuorum: 'proof',
  RootNotStored: 'proof',
  UnsupportedVersion: 'proof',
  WrongDomain: 'proof',
  WrongKeys: 'proof',
  WrongPendingPolicy: 'proof',
  AmountOverflow: 'never',
  AmountTooLarge: 'never',
}

/** Texts of Antelope contracts that say that the action has been done. */
const DONE = /\balready\b|no open withdrawal|no such deposit|\bduplicate\b/i
/** Credits refused this often in a row while the API still lists them: the proof is said to be wrong. */
const CREDIT_REFUSALS = 3

/** @param reason  name of a custom error of the EVM contracts, or text of the node */
export function evmRefusal(reason: string): RefusalKind {
  if (reason === DENIED) return 'left'
  return reason.startsWith(NOT_ALLOWED) ? 'proof' : (MEANINGS[reason] ?? 'later')
}

/**
 * @param count        refusals in a row before this one
 * @param isAssertion  whether a contract says no: nothing else can mean that a proof is wrong
 */
export function antelopeRefusal(action: string, reason: string, count: number, isAssertion: boolean): RefusalKind {
  if (DONE.test(reason)) return 'done'
  return isAssertion && action === 'credit' && count + 1 >= CREDIT_REFUSALS ? 'proof' : 'later'
}

/** Seconds until a refused action is tried again, by number of refusals in a row. */
const DELAYS = [5, 10, 30, 60, 300, 900, 1800] as const
/** What only the bridge's administrator can change, seconds. */
const ADMINISTRATION_S = 1800
const ADMINISTRATION: readonly string[] = ['AssetNotConfigured', 'NotReleaser']
/** The allowance grows each second. */
const SOON = 5
/** Proofs and outcomes come with final blocks. Entries without one must not take the time of others: at most this, seconds. */
const FINAL_S = 60
/** An entry that is done leaves the list when its block is indexed. A fork may put it back. */
const DONE_S = 120

/** Whether a reason passes by itself when a block becomes final. */
export const comesWithFinality = (reason: string): boolean => reason === NO_PROOF || reason === NOT_FINAL

/**
 * Seconds until the next attempt.
 *
 * @param count  refusals in a row, this one included
 * @returns null: never
 */
export function retryAfter(kind: RefusalKind, reason: string, count: number): number | null {
  if (kind === 'never') return null
  if (kind === 'done') return DONE_S
  if (reason === 'OutflowLimited') return SOON
  if (ADMINISTRATION.includes(reason)) return ADMINISTRATION_S
  const delay = DELAYS[Math.min(count, DELAYS.length) - 1] ?? SOON
  return comesWithFinality(reason) ? Math.min(delay, FINAL_S) : delay
}
