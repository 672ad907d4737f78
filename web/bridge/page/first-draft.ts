// The initial draft: parameters of the address that match a route, defaults for the rest.
// Pure.
import { parseDecimal, unambiguous } from '../../shared/amounts.ts'
import type { BridgeClient, Draft } from '../core/types.ts'
import { isRecipient, type Parameters } from './parameters.ts'

const MAIN_EVM = 'mainnet'
const LEDGER = 'telos'
/** Default destination. */
const HOME = 'wax'

interface Ends {
  from: string
  to: string
}

type Ways = Pick<BridgeClient, 'sources' | 'destinations' | 'tokens'>

export function firstDraft(bridge: Ways, { from, to, recipient, token, amount }: Parameters): Draft {
  const way = firstWay(bridge, from, to)
  const tokens = way === null ? [] : bridge.tokens(way.from, way.to)
  const chosen = tokens.find(({ symbol }) => symbol === token) ?? tokens.find(({ open }) => open) ?? tokens[0]
  const kind = way === null ? undefined : bridge.destinations(way.from).find(({ id }) => id === way.to)?.kind
  const isFine = amount !== null && (parseDecimal(amount)?.decimals ?? Infinity) <= (chosen?.precision ?? 0)
  return {
    from: way?.from ?? '',
    to: way?.to ?? '',
    token: chosen?.symbol ?? '',
    amount: isFine ? unambiguous(amount) : '',
    recipient: recipient !== null && kind !== undefined && isRecipient(recipient, kind) ? recipient : '',
  }
}

/**
 * The requested chains if a route connects them; the destination takes precedence over the source. Of the other routes,
 * open ones come first, so that the page does not begin with a route that takes nothing.
 */
function firstWay(bridge: Ways, from: string | null, to: string | null): Ends | null {
  const sources = bridge.sources().map(({ id }) => id)
  const goalsOf = (start: string) => (sources.includes(start) ? bridge.destinations(start).map(({ id }) => id) : [])
  const isOpen = (way: Ends) => bridge.tokens(way.from, way.to).some(({ open }) => open)
  const usual = to === MAIN_EVM ? LEDGER : MAIN_EVM
  if (to !== null) {
    const ways = [from, usual, LEDGER, ...sources].flatMap((start) =>
      start !== null && start !== to && goalsOf(start).includes(to) ? [{ from: start, to }] : [],
    )
    const chosen = ways.find((way) => way.from === from) ?? ways.find(isOpen) ?? ways[0]
    if (chosen !== undefined) return chosen
  }
  const ways = [from, MAIN_EVM, ...sources].flatMap((start) => {
    if (start === null) return []
    const goals = goalsOf(start)
    const ordered = [HOME, LEDGER, MAIN_EVM, ...goals].filter((one) => one !== start && goals.includes(one))
    return ordered.map((goal) => ({ from: start, to: goal }))
  })
  const asked = ways.filter((way) => way.from === from)
  return asked.find(isOpen) ?? asked[0] ?? ways.find(isOpen) ?? ways[0] ?? null
}
