// The ledger as the relayer's own node has it. A payment on another Antelope chain is authorised by the relayer alone, so
// each is compared with its withdrawal there first.
import { isEvmDomain } from '../../core/chains.ts'
import { NotAllowed, Refused } from '../choice/refusal.ts'
import type { TokenRoute } from '../choice/tokens.ts'
import { otherChain } from '../context.ts'
import type { PendingWithdrawal } from '../pending.ts'
import type { AntelopeChain } from './node.ts'

/** Row of the table `wdraws` as a node's JSON: numbers may be text, bytes are hex digits. */
export interface WithdrawalJson {
  id: string | number
  domain: string | number
  /** `1.0000 WAX`. */
  quantity: string
  recipient: string
  /** Unix seconds. */
  deadline: string | number
  /** 0: open. */
  status: string | number
}

/** Row of the table `routes`. */
export interface RouteJson {
  domain: string | number
  /** Hex digits. */
  token: string
  wrapped: { sym: string; contract: string }
}

/** More routes than that are not read: a payment without its route is refused. */
const MAX_ROUTES = 1000

/**
 * Compares the entry of a payment with the ledger.
 *
 * @param row     the withdrawal; undefined when the ledger has none of this id
 * @param wrap    token contract of the bridge on the ledger's chain
 * @throws NotAllowed when they differ; Refused when the withdrawal is not there or has ended
 */
export function requireSameWithdrawal(
  entry: Pick<
    PendingWithdrawal,
    'id' | 'domain' | 'symbol' | 'precision' | 'amount' | 'recipient' | 'token' | 'deadline'
  >,
  row: WithdrawalJson | undefined,
  routes: readonly RouteJson[],
  wrap: string,
): void {
  const { id, domain, symbol, precision, amount, recipient, token, deadline } = entry
  if (row === undefined || String(row.id) !== id) throw new Refused(`the node of the ledger has no withdrawal ${id}`)
  if (Number(row.status) !== 0) throw new Refused(`withdrawal ${id} has ended already on the ledger`)
  const differs = (member: string, listed: unknown, stored: unknown) => {
    if (String(listed) === String(stored)) return
    throw new NotAllowed(`${member} of withdrawal ${id} is ${listed} in the bridge API, ${stored} on the ledger`)
  }
  differs('domain', domain, row.domain)
  differs('recipient', recipient, textOf(row.recipient))
  differs('deadline', deadline, row.deadline)
  differs('quantity', quantityText(amount, precision ?? 0, symbol ?? ''), row.quantity)
  const wanted = { sym: `${precision},${symbol}`, contract: wrap }
  const route = routes.find(({ domain: at, token: bytes, wrapped }) => {
    const isSame = wrapped.sym === wanted.sym && wrapped.contract === wanted.contract
    return String(at) === domain && isSame && textOf(bytes) === token
  })
  if (route === undefined) throw new NotAllowed(`no route of the ledger pays ${symbol} with tokens of ${token}`)
}

/** @returns `1.0000 WAX` */
function quantityText(units: string, precision: number, symbol: string): string {
  const digits = units.padStart(precision + 1, '0')
  const whole = digits.slice(0, digits.length - precision)
  return precision === 0 ? `${whole} ${symbol}` : `${whole}.${digits.slice(-precision)} ${symbol}`
}

/** Accounts of Antelope chains are bytes of text on the ledger. */
const textOf = (hex: string): string => Buffer.from(hex, 'hex').toString('utf8')

export class Ledger {
  readonly #chain: AntelopeChain
  readonly #place: { chainId: string; bridge: string; wrap: string }
  #isChecked = false

  constructor(chain: AntelopeChain, place: { chainId: string; bridge: string; wrap: string }) {
    this.#chain = chain
    this.#place = place
  }

  /** @throws NotAllowed, Refused; UserError RELAY_OTHER_CHAIN when the node is of another chain */
  async requireWithdrawal(entry: PendingWithdrawal): Promise<void> {
    const { bridge, wrap } = this.#place
    await this.#requireChain()
    const [rows, routes] = await Promise.all([
      this.#chain.rows<WithdrawalJson>(bridge, 'wdraws', { lower_bound: entry.id, upper_bound: entry.id, limit: 1 }),
      this.#chain.rows<RouteJson>(bridge, 'routes', { limit: MAX_ROUTES }),
    ])
    requireSameWithdrawal(entry, rows[0], routes, wrap)
  }

  /** Tokens of the bridge's routes. @throws Refused, RetryableError RELAY_NODE, UserError RELAY_OTHER_CHAIN */
  async routes(): Promise<TokenRoute[]> {
    const { bridge, wrap } = this.#place
    await this.#requireChain()
    return tokenRoutes(await this.#chain.rows<RouteJson>(bridge, 'routes', { limit: MAX_ROUTES }), wrap)
  }

  async #requireChain(): Promise<void> {
    if (this.#isChecked) return
    const { chainId: got } = await this.#chain.info()
    if (got !== this.#place.chainId) throw otherChain(this.#chain.name, got, this.#place.chainId)
    this.#isChecked = true
  }
}

/** @param wrap  token contract of the bridge: prices are of its tokens alone */
export function tokenRoutes(routes: readonly RouteJson[], wrap: string): TokenRoute[] {
  return routes.flatMap(({ domain, token, wrapped: { sym, contract } }) => {
    const [decimals = '', symbol = ''] = sym.split(',')
    if (contract !== wrap) return []
    const text = isEvmDomain(BigInt(domain)) ? `0x${token}` : textOf(token)
    return [{ domain: String(domain), token: text, symbol, decimals: Number(decimals) }]
  })
}
