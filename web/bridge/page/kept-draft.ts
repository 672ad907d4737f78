// What was typed into the form, in the state of a history entry. A reload and Back have it also where the address cannot
// name it, as half of an account or an amount with two readings. Pure.
import { parseDecimal, unambiguous } from '../../shared/amounts.ts'
import type { Draft } from '../core/types.ts'

/** State of an entry of the browser's history. */
export interface EntryState {
  /** The entry of a screen that follows the form. */
  isStep?: true
  draft?: Draft
}

const MAX_TEXT = 64
const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= MAX_TEXT

/**
 * The draft of an address, with what was typed into its empty fields.
 *
 * @param state  of the history entry: of this page, of another one, or null
 */
export function withTyped(draft: Draft, state: unknown): Draft {
  const { draft: typed } = (state ?? {}) as { draft?: Partial<Record<keyof Draft, unknown>> }
  if (typed === undefined || (['from', 'to', 'token'] as const).some((one) => typed[one] !== draft[one])) return draft
  const { amount, recipient } = typed
  return {
    ...draft,
    amount: draft.amount === '' && isText(amount) ? readable(amount) : draft.amount,
    recipient: draft.recipient === '' && isText(recipient) ? recipient : draft.recipient,
  }
}

/** A complete amount in a form with one reading; any other text as it was typed. */
function readable(text: string): string {
  return parseDecimal(text) === null ? text : unambiguous(text)
}
