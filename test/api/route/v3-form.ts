// Checks of every answer of the v3 route, whatever the request.
import type { Test } from 'tap'
import { AMM, DEX } from '../../../devnet/contracts/exchange.ts'
import type { TokenSpec } from '../../../devnet/contracts/profile.ts'
import { id, PAUPER, PROFILE, type Transfer } from './exchange.ts'
import { decimal, least, most, raw, rawAsset, type Wanted } from './expected.ts'

/** Thousandths of a percent. */
const DEFAULT_SLIPPAGE = 300

export interface Hop {
  venue: 'amm' | 'orderbook'
  pool?: number
  market?: number
  input: string
  output: string
  fee: string
}

export interface Part {
  percent: number
  input: string
  output: string
  hops: Hop[]
}

export interface Body {
  tradeType: string
  input: Record<string, unknown> & { amount: string }
  output: Record<string, unknown> & { amount: string }
  minReceived?: string
  maxSent?: string
  priceImpact: string
  routes: Part[]
  transfers: Transfer[]
  actions?: { account: string; name: string; authorization: object[]; data: Record<string, string> }[]
}

const specOf = (token: string): TokenSpec => PROFILE.tokens.find((spec) => id(spec) === token) as TokenSpec
export const sum = (amounts: bigint[]): bigint => amounts.reduce((total, one) => total + one, 0n)

/** How many transfers hops need: consecutive pools are one, each market is one. */
export function transfersFor(hops: Hop[]): Hop[][] {
  const groups: Hop[][] = []
  for (const [i, hop] of hops.entries()) {
    if (hop.venue === 'amm' && hops[i - 1]?.venue === 'amm') groups.at(-1)?.push(hop)
    else groups.push([hop])
  }
  return groups
}

/** Checks that hold for every answer; memos name no receiver or PAUPER. */
export function checkForm(t: Test, body: Body, { input, output }: Wanted, slippage = DEFAULT_SLIPPAGE) {
  const exact = body.tradeType === 'exactIn' ? 'in' : 'out'
  const side = ({ code, contract, precision }: TokenSpec) => ({ symbol: code, contract, decimals: precision })
  t.match(body.input, { id: id(input), ...side(input) })
  t.match(body.output, { id: id(output), ...side(output) })
  const [sent, got] = [raw(body.input.amount, input), raw(body.output.amount, output)]
  const bounds = { minReceived: body.minReceived, maxSent: body.maxSent }
  t.same(bounds, {
    minReceived: exact === 'in' ? decimal(least(got, slippage), output) : undefined,
    maxSent: exact === 'out' ? decimal(most(sent, slippage), input) : undefined,
  })
  t.ok(Number(body.priceImpact) >= 0 && /^\d+(\.\d+)?$/.test(body.priceImpact))
  t.ok(body.routes.length >= 1 && body.routes.length <= 5)
  t.equal(
    body.routes.reduce((total, { percent }) => total + percent, 0),
    100,
    'shares add up',
  )
  t.equal(sum(body.routes.map((part) => raw(part.input, input))), sent)
  t.equal(sum(body.routes.map((part) => raw(part.output, output))), got)
  let next = 0
  for (const part of body.routes) {
    checkHops(t, part.hops, input, output)
    let covered = exact === 'in' ? raw(part.input, input) : most(raw(part.input, input), slippage)
    for (const [i, hops] of transfersFor(part.hops).entries()) {
      const transfer = body.transfers[next++] as Transfer
      const [from, to] = [specOf(hops[0]!.input), specOf(hops.at(-1)!.output)]
      const quantity = rawAsset(transfer.quantity, from)
      t.equal(transfer.tokenContract, from.contract)
      if (i === 0) t.equal(quantity, covered, 'the first transfer of a part sends all of it')
      else t.ok(quantity <= covered && quantity > 0n, 'a later one sends what is sure to be there')
      covered = minimumOf(t, transfer, hops, to, exact)
    }
    const promised = raw(part.output, output)
    t.equal(covered, exact === 'in' ? least(promised, slippage) : promised)
  }
  t.equal(next, body.transfers.length)
}

function checkHops(t: Test, hops: Hop[], input: TokenSpec, output: TokenSpec) {
  t.equal(hops[0]?.input, id(input))
  t.equal(hops.at(-1)?.output, id(output))
  for (const [i, hop] of hops.entries()) {
    t.equal(hop.output, hops[i + 1]?.input ?? id(output))
    const members = new Set(['venue', hop.venue === 'amm' ? 'pool' : 'market', 'input', 'output', 'fee'])
    t.same(new Set(Object.keys(hop)), members)
    t.equal(typeof (hop.venue === 'amm' ? hop.pool : hop.market), 'number')
    t.ok(hop.venue === 'amm' ? ['0.05', '0.3', '1'].includes(hop.fee) : hop.fee === '0.2', hop.fee)
  }
}

/** The minimum output in a memo. */
function minimumOf(t: Test, { to, memo }: Transfer, hops: Hop[], output: TokenSpec, exact: 'in' | 'out'): bigint {
  const ending = ` ${output.code}@${output.contract}`
  if (hops[0]?.venue === 'orderbook') {
    t.equal(to, DEX)
    t.ok(memo.endsWith(`${ending}|min`), memo)
    return raw(memo.slice(0, -`${ending}|min`.length), output)
  }
  t.equal(to, AMM)
  const [service, pools, account = '', amount = '', deadline, ...more] = memo.split('#')
  t.same([service, pools, deadline, more], [`swapexact${exact}`, hops.map(({ pool }) => pool).join(','), '0', []])
  t.ok(account === '<account>' || account === PAUPER, account)
  t.ok(amount.endsWith(ending), memo)
  return raw(amount.slice(0, -ending.length), output)
}
