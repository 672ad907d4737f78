// Classifies an error before or at a push: a refusal by the contract, missing resources or rights of the sender, a call
// that is not allowed, or a temporary failure. Messages about the sender say what to do.
import {
  antelopeRefusal,
  comesWithFinality,
  NotAllowed,
  NotMade,
  type RefusalKind,
  Refused,
} from '../choice/refusal.ts'

/** Account and permission that sign. */
export interface Sender {
  account: string
  permission: string
}

/** Consecutive earlier refusals of this action. */
export interface Before {
  before: number
  reasonBefore?: string
}

const CPU = /cpu|deadline_exception|tx_net_usage|block_net_usage|greylist/
const RAM = /ram_usage|insufficient_ram/
const AUTHORITY = /missing_auth|unsatisfied_authorization|irrelevant_auth|invalid_permission/
/** Prefix of each message about the sender. */
const LACKS = 'the sender: '

/**
 * Message about resources or rights that the sender lacks, with the remedy.
 *
 * @param nodeKind  class of the node's error
 * @returns null for any other refusal
 */
function lackOf(nodeKind: string, message: string, { account, permission }: Sender): string | null {
  if (RAM.test(nodeKind)) return `${LACKS}an account lacks RAM, buy some for it: ${message}`
  if (CPU.test(nodeKind)) return `${LACKS}${account} lacks CPU or NET, rent or stake some for it: ${message}`
  if (!AUTHORITY.test(nodeKind)) return null
  return `${LACKS}permission ${permission} of ${account} may not send this, link it to the action and check its key: ${message}`
}

/**
 * @param error  of making, trying or pushing a transaction
 * @returns `before`: earlier refusals in a row that this one continues
 */
export function judge(
  action: string,
  error: unknown,
  { before, reasonBefore }: Before,
  sender: Sender,
): { reason: string; kind: RefusalKind; before: number } {
  const reason = error instanceof Error ? error.message : String(error)
  if (error instanceof NotMade) return { reason, kind: error.kind, before }
  if (error instanceof NotAllowed) return { reason, kind: 'proof', before }
  if (!(error instanceof Refused)) return { reason, kind: 'later', before }
  const lack = lackOf(error.nodeKind, reason, sender)
  if (lack !== null) return { reason: lack, kind: 'later', before }
  // Only refusals of the contract count towards a wrong proof.
  const inARow = error.isAssertion && !isOfContract(reasonBefore) ? 0 : before
  return { reason, kind: antelopeRefusal(action, reason, inARow, error.isAssertion), before: inARow }
}

/** Whether a refusal is a contract's, not about the sender or of the bridge API. */
function isOfContract(reason: string | undefined): boolean {
  return reason !== undefined && !reason.startsWith(LACKS) && !comesWithFinality(reason)
}
