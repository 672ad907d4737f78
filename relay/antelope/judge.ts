// What an error before or at a push means: a contract's refusal, a lack of the sender, a call that is not allowed, or
// trouble that passes. Texts of what the sender lacks say what to do.
import { antelopeRefusal, NotAllowed, type RefusalKind, Refused } from '../choice/refusal.ts'

/** Account and permission that sign. */
export interface Sender {
  account: string
  permission: string
}

/** Refusals of this action before, in a row. */
export interface Before {
  before: number
  reasonBefore?: string
}

const CPU = /cpu|deadline_exception|tx_net_usage|block_net_usage|greylist/
const RAM = /ram_usage|insufficient_ram/
const AUTHORITY = /missing_auth|unsatisfied_authorization|irrelevant_auth|invalid_permission/
/** Beginning of each text about the sender. */
const LACKS = 'the sender: '

/**
 * What the sender lacks, and what to do about it.
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

/** @param error  of making, trying or pushing a transaction */
export function judge(
  action: string,
  error: unknown,
  { before, reasonBefore }: Before,
  sender: Sender,
): { reason: string; kind: RefusalKind } {
  const reason = error instanceof Error ? error.message : String(error)
  if (error instanceof NotAllowed) return { reason, kind: 'proof' }
  if (!(error instanceof Refused)) return { reason, kind: 'later' }
  const lack = lackOf(error.nodeKind, reason, sender)
  if (lack !== null) return { reason: lack, kind: 'later' }
  const inARow = reasonBefore?.startsWith(LACKS) === true ? 0 : before
  return { reason, kind: antelopeRefusal(action, reason, inARow, error.isAssertion) }
}
