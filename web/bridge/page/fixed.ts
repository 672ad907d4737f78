// What the page around a widget has fixed, and the bridge cannot do: refused, never replaced by something else. Pure.
import { recipientFault } from '../core/routes.ts'
import type { BridgeClient, Draft, Problem } from '../core/types.ts'
import type { Parameters } from './parameters.ts'

type Ways = Pick<BridgeClient, 'sources' | 'destinations'>

/**
 * @param search      of the address, as it was asked for
 * @param parameters  what is well-formed in it
 * @param draft       what the widget would begin with
 * @returns null when destination and recipient are those of the address, or it names none
 */
export function fixedProblem(
  bridge: Ways,
  search: string,
  parameters: Pick<Parameters, 'to' | 'recipient'>,
  draft: Pick<Draft, 'to' | 'recipient'>,
): Problem | null {
  const asked = new URLSearchParams(search)
  const [to, recipient] = [asked.get('to'), asked.get('recipient')]
  if (to !== null && (parameters.to === null || parameters.to !== draft.to))
    return {
      field: 'to',
      code: 'TO_UNKNOWN',
      text: `This page asks for a transfer to “${to.slice(0, SHOWN)}”, which the bridge does not reach.`,
    }
  if (recipient === null) return null
  const goal = bridge
    .sources()
    .flatMap(({ id }) => bridge.destinations(id))
    .find(({ id }) => id === draft.to)
  const fault = goal === undefined ? null : recipientFault(goal, recipient)
  if (fault === null && recipient === draft.recipient) return null
  const why = fault === null ? '' : ` ${fault.text}`
  return {
    field: 'recipient',
    code: fault?.code ?? 'RECIPIENT_MALFORMED',
    text: `This page names the recipient “${recipient.slice(0, SHOWN)}”, which cannot be right.${why}`,
  }
}

/** Characters of a wrong value that are shown. */
const SHOWN = 80
