// Values that the host page has fixed but the bridge cannot serve: refused, never replaced. Pure.
import { recipientFault } from '../core/routes.ts'
import type { BridgeClient, Draft, Problem } from '../core/types.ts'
import type { Parameters } from './parameters.ts'

type Ways = Pick<BridgeClient, 'sources' | 'destinations'>

/**
 * @param search      query of the address, as requested
 * @param parameters  its well-formed parameters
 * @param draft       the widget's initial draft
 * @returns null when destination and recipient are those of the address, or it has none
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
      text: `This page asks for a transfer to “${to.slice(0, MAX_SHOWN)}”, which the bridge does not reach.`,
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
    text: `This page names the recipient “${recipient.slice(0, MAX_SHOWN)}”, which cannot be right.${why}`,
  }
}

/** Maximum characters of a wrong value that are shown. */
const MAX_SHOWN = 80
