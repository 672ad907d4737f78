// The initial draft: parameters of the address that match a route, defaults for the rest.
// Pure.
import { parseDecimal, unambiguous } from '../core/amounts.ts'
import type { BridgeClient, Draft } from '../core/types.ts'
import { isRecipient, type Parameters } from './parameters.ts'

const MAIN_EVM = 'mainnet'
const LEDGER = 'telos'
/** Default destination. */
const HOME = 'wax'

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

/** The requested chains if a route connects them; the destination takes precedence over the source. */
function firstWay(bridge: Ways, from: string | null, to: string | null): { from: string; to: string } | null {
  const sources = bridge.sources().map(({ id }) => id)
  const goalsOf = (start: string) => (sources.includes(start) ? bridge.destinations(start).map(({ id }) => id) : [])
  const usual = to === MAIN_EVM ? LEDGER : MAIN_EVM
  if (to !== null)
    for (const start of [from, usual, LEDGER, ...sources])
      if (start !== null && start !== to && goalsOf(start).includes(to)) return { from: start, to }
  for (const start of [from, MAIN_EVM, ...sources]) {
    if (start === null) continue
    const goals = goalsOf(start)
    const goal = [HOME, LEDGER, MAIN_EVM, ...goals].find((one) => one !== start && goals.includes(one))
    if (goal !== undefined) return { from: start, to: goal }
  }
  return null
}
