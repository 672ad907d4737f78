// The bridge's routes as choices, and validation of a draft. Pure: works on one response of the API.
import {
  formatUnits,
  parseDecimal,
  readTyped,
  sourcePrecision,
  type Taken,
  take,
  typedAmount,
} from '../../shared/amounts.ts'
import type { ChainsAnswer, RouteAnswer, SourceAnswer } from './answers.ts'
import { addressFault, isAccountName, sameAddress, ZERO_ADDRESS } from './parties.ts'
import type { BridgeConfig, ChainAccess, ChainChoice, Draft, Problem, TokenChoice } from './types.ts'

/** A route with its two chains. */
export interface Way {
  route: RouteAnswer
  from: ChainAccess
  to: ChainAccess
  /** Display name of the ledger's chain. */
  home: string
  homeId: string
  /** Domain of the source chain. */
  domain: string
  toDomain: string
  /** Raw units of the source per ledger unit. */
  scale: bigint
}

export class Routes {
  private readonly routes: readonly RouteAnswer[]
  private readonly chains: ChainsAnswer
  private readonly access: readonly ChainAccess[]

  constructor(routes: readonly RouteAnswer[], chains: ChainsAnswer, { chains: access }: Pick<BridgeConfig, 'chains'>) {
    this.routes = routes
    this.chains = chains
    this.access = access
  }

  sources(): ChainChoice[] {
    return this.choices(this.routes.map(({ from }) => from))
  }

  destinations(from: string): ChainChoice[] {
    return this.choices(this.routes.filter((route) => route.from === from).map(({ to }) => to))
  }

  tokens(from: string, to: string): TokenChoice[] {
    const found = this.routes.filter((route) => route.from === from && route.to === to)
    return found.map(({ symbol, precision, open }) => ({ symbol, precision, open }))
  }

  /** Null when there is no such route, or the page cannot reach one of its chains. */
  way(from: string, to: string, token: string): Way | null {
    const route = this.routes.find((one) => one.from === from && one.to === to && one.symbol === token)
    const [one, other] = [this.reach(from), this.reach(to)]
    if (route === undefined || one === null || other === null) return null
    const { ledger } = this.chains
    const [source, destination] = [this.source(from), this.source(to)]
    const scale = source?.routes.find(({ symbol }) => symbol === token)?.limits?.scale ?? '1'
    return {
      route,
      from: one,
      to: other,
      home: ledger.name,
      homeId: ledger.id,
      domain: source?.domain ?? ledger.domain ?? '',
      toDomain: destination?.domain ?? ledger.domain ?? '',
      scale: one.kind === 'evm' ? BigInt(scale) : 1n,
    }
  }

  /** A chain that the page can reach directly or through a wallet. */
  reach(id: string): ChainAccess | null {
    return this.access.find((chain) => chain.id === id) ?? null
  }

  nameOf(id: string): string {
    const known = id === this.chains.ledger.id ? this.chains.ledger.name : this.source(id)?.name
    return known ?? this.reach(id)?.name ?? id
  }

  /** Symbol of an EVM chain's own coin; null when the bridge does not carry it. */
  coinOf(id: string): string | null {
    return this.source(id)?.routes.find(({ token }) => token === ZERO_ADDRESS)?.symbol ?? null
  }

  get ledger(): ChainsAnswer['ledger'] {
    return this.chains.ledger
  }

  /** Contracts that must not be recipients. */
  contracts(id: string): readonly string[] {
    const source = this.source(id)
    const own = id === this.chains.ledger.id ? Object.values(this.chains.ledger.contracts) : []
    return [...own, ...Object.values(source?.contracts ?? {}), ...(source?.routes.map(({ token }) => token) ?? [])]
  }

  private source(id: string): SourceAnswer | undefined {
    return this.chains.sources.find((source) => source.id === id)
  }

  private choices(ids: readonly string[]): ChainChoice[] {
    const known = [...new Set(ids)].flatMap((id) => {
      const chain = this.reach(id)
      return chain === null ? [] : [{ id, name: this.nameOf(id), kind: chain.kind }]
    })
    return known.sort((one, other) => (one.name < other.name ? -1 : 1))
  }
}

/** Maximum number of decimals of a typed amount. */
export function typedPrecision({ route, scale }: Way): number {
  return sourcePrecision(route.precision, scale) ?? route.precision
}

/** A typed amount in units of the source; null when it is malformed, ambiguous or has too many decimals. */
export function amountOf(way: Way, text: string): Taken | null {
  const typed = typedOn(way, text)
  return typed === null || 'problem' in typed ? null : take(typed.units, way.scale)
}

function typedOn(way: Way, text: string) {
  return typedAmount(text, { symbol: way.route.symbol, decimals: typedPrecision(way) })
}

const problem = (field: Problem['field'], code: string, text: string): Problem => ({ field, code, text })

/** All problems of a draft that can be found without a request. */
export function problemsOf(routes: Routes, draft: Draft): Problem[] {
  const { from, to, token } = draft
  if (!routes.sources().some(({ id }) => id === from))
    return [problem('from', 'FROM_UNKNOWN', 'Choose the chain to send from.')]
  if (!routes.destinations(from).some(({ id }) => id === to))
    return [problem('to', 'TO_UNKNOWN', `Choose a chain that can be reached from ${routes.nameOf(from)}.`)]
  const way = routes.way(from, to, token)
  if (way === null) return [problem('token', 'TOKEN_UNKNOWN', 'Choose a token that this route takes.')]
  return [...amountProblems(way, draft.amount), ...recipientProblems(routes, way, draft.recipient.trim())]
}

function amountProblems(way: Way, text: string): Problem[] {
  const { route } = way
  const amount = (units: string) => `${formatUnits(BigInt(units), route.precision)} ${route.symbol}`
  if (!route.open)
    return [
      problem(
        'token',
        'ROUTE_CLOSED',
        `${route.symbol} does not go from ${way.from.name} to ${way.to.name} at the moment: the bridge waits for the vault or for the chain. This page looks again every minute.`,
      ),
    ]
  const typed = typedOn(way, text)
  if (typed === null) return [problem('amount', 'AMOUNT_MISSING', 'Enter an amount.')]
  if ('problem' in typed) return [problem('amount', `AMOUNT_${typed.code}`, typed.problem)]
  const taken = take(typed.units, way.scale)
  if (taken.units < BigInt(route.min))
    return [problem('amount', 'AMOUNT_BELOW_MINIMUM', `The least amount of this route is ${amount(route.min)}.`)]
  const now = route.withdrawableNow
  if (way.to.kind === 'evm' && now !== null && taken.units > BigInt(now))
    return [
      problem(
        'amount',
        'AMOUNT_ABOVE_WITHDRAWABLE',
        `The vault on ${way.to.name} can pay out ${amount(now)} now. Choose less, or wait: it grows with time.`,
      ),
    ]
  if (taken.units > BigInt(route.max))
    return [problem('amount', 'AMOUNT_ABOVE_MAXIMUM', `The greatest amount of this route is ${amount(route.max)} now.`)]
  return []
}

/** Whether an amount is a decimal number with one reading. */
export function isReadable(text: string): boolean {
  const typed = readTyped(text)
  return typed !== null && 'amount' in typed && parseDecimal(text) !== null
}

/** Checks the form of a recipient. Only its chain knows whether it exists. */
function recipientProblems(routes: Routes, { to }: Way, recipient: string): Problem[] {
  if (recipient === '') return [problem('recipient', 'RECIPIENT_MISSING', `Enter the recipient on ${to.name}.`)]
  const fault = recipientFault(to, recipient)
  if (fault !== null) return [fault]
  if (routes.contracts(to.id).some((one) => sameAddress(one, recipient)))
    return [
      problem('recipient', 'RECIPIENT_IS_BRIDGE', 'This is a contract of the bridge or a token: it would be lost.'),
    ]
  return []
}

export function recipientFault(to: Pick<ChainAccess, 'kind' | 'name'>, recipient: string): Problem | null {
  if (to.kind === 'antelope')
    return isAccountName(recipient)
      ? null
      : problem(
          'recipient',
          'RECIPIENT_MALFORMED',
          `An account on ${to.name} has up to 12 characters of a–z, 1–5 and dots, and no dot at its end.`,
        )
  switch (addressFault(recipient)) {
    case null:
      return null
    case 'zero':
      return problem('recipient', 'RECIPIENT_ZERO', `Nobody owns ${ZERO_ADDRESS}.`)
    case 'checksum':
      return problem(
        'recipient',
        'RECIPIENT_CHECKSUM',
        'The address is mistyped: its capitals do not fit. Copy it again.',
      )
    default:
      return problem('recipient', 'RECIPIENT_MALFORMED', `An address on ${to.name} is 0x and 40 digits of 0–9 and a–f.`)
  }
}
