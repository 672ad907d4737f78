// The draft that the page begins with: what the address says as far as the bridge has a way for it, defaults for the rest.
// Pure.
import type { BridgeClient, Draft } from '../core/types.ts'
import { isRecipient, type Parameters } from './parameters.ts'

const MAIN_EVM = 'mainnet'
const LEDGER = 'telos'
/** Where the page itself leads. */
const HOME = 'wax'

type Ways = Pick<BridgeClient, 'sources' | 'destinations' | 'tokens'>

export function firstDraft(bridge: Ways, { from, to, recipient, token, amount }: Parameters): Draft {
  const way = firstWay(bridge, from, to)
  const tokens = way === null ? [] : bridge.tokens(way.from, way.to)
  const chosen = tokens.find(({ symbol }) => symbol === token) ?? tokens.find(({ open }) => open) ?? tokens[0]
  const kind = way === null ? undefined : bridge.destinations(way.from).find(({ id }) => id === way.to)?.kind
  const isFine = amount !== null && decimals(amount) <= (chosen?.precision ?? 0)
  return {
    from: way?.from ?? '',
    to: way?.to ?? '',
    token: chosen?.symbol ?? '',
    amount: isFine ? amount : '',
    recipient: recipient !== null && kind !== undefined && isRecipient(recipient, kind) ? recipient : '',
  }
}

/** The destination decides; the source is the one asked for, the usual one, or any that leads there. */
function firstWay(bridge: Ways, from: string | null, to: string | null): { from: string; to: string } | null {
  const sources = bridge.sources().map(({ id }) => id)
  const leads = (one: string, other: string) => bridge.destinations(one).some(({ id }) => id === other)
  for (const goal of [to, from === HOME ? LEDGER : HOME, LEDGER, MAIN_EVM]) {
    if (goal === null) continue
    const usual = goal === MAIN_EVM ? LEDGER : MAIN_EVM
    for (const start of [from, usual, LEDGER, ...sources])
      if (start !== null && start !== goal && sources.includes(start) && leads(start, goal))
        return { from: start, to: goal }
  }
  for (const start of sources) {
    const goal = bridge.destinations(start)[0]
    if (goal !== undefined) return { from: start, to: goal.id }
  }
  return null
}

function decimals(amount: string): number {
  return (amount.split('.')[1] ?? '').length
}
