// Values that the host page has given but the bridge cannot serve: refused, never replaced. Pure.
import { recipientFault } from '../core/routes.ts'
import type { BridgeClient, Draft, Problem } from '../core/types.ts'
import type { Parameters } from './parameters.ts'

type Ways = Pick<BridgeClient, 'sources' | 'destinations'>
type Fixed = 'from' | 'to' | 'token' | 'amount' | 'recipient'

/**
 * @param search      query of the address, as requested
 * @param parameters  its well-formed parameters
 * @param draft       the widget's initial draft
 * @returns null when the draft has every value that the address gives
 */
export function fixedProblem(
  bridge: Ways,
  search: string,
  parameters: Pick<Parameters, Fixed>,
  draft: Draft,
): Problem | null {
  const asked = new URLSearchParams(search)
  const isReplaced = (name: 'from' | 'to' | 'token') =>
    asked.get(name) !== null && (parameters[name] === null || parameters[name] !== draft[name])
  const shown = (name: Fixed) => `“${(asked.get(name) ?? '').slice(0, MAX_SHOWN)}”`
  if (isReplaced('to'))
    return problem('to', 'TO_UNKNOWN', `a transfer to ${shown('to')}, which the bridge does not reach.`)
  if (isReplaced('from'))
    return problem(
      'from',
      'FROM_UNKNOWN',
      `a transfer from ${shown('from')}, from where no route leads to the destination.`,
    )
  if (isReplaced('token'))
    return problem('token', 'TOKEN_UNKNOWN', `the token ${shown('token')}, which this route does not take.`)
  if (asked.get('amount') !== null && parameters.amount === null)
    return problem('amount', 'AMOUNT_MALFORMED', `the amount ${shown('amount')}, which is no amount.`)
  if (parameters.amount !== null && draft.amount === '')
    return problem(
      'amount',
      'AMOUNT_TOO_PRECISE',
      `the amount ${shown('amount')}, which has more decimals than ${draft.token} has here.`,
    )
  return recipientProblem(bridge, asked.get('recipient'), draft)
}

function recipientProblem(bridge: Ways, recipient: string | null, draft: Draft): Problem | null {
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

const problem = (field: Fixed, code: string, what: string): Problem => ({
  ...{ field, code },
  text: `This page asks for ${what}`,
})

/** Maximum characters of a wrong value that are shown. */
const MAX_SHOWN = 80
