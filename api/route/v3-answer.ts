// The v3 endpoint's answer: the route's parts, its transfers, and the transfers as actions to sign.
import { required } from '../../core/required.ts'
import type { Route, RouteHop, RouteTransfer } from '../../core/route/model.ts'
import { amountText, impactText, percentText } from '../kit/texts.ts'
import type { MarketState, TokenRef } from '../live-market/model.ts'
import { assetText, orderMemo, swapMemo } from './memo.ts'
import type { V3Request } from './v3-request.ts'

const NO_ACCOUNT = '<account>'

/** Receiving accounts of transfers. Routes use only venues whose contract is configured. */
export interface Contracts {
  amm?: string
  spot?: string
}

export function v3Answer({ tokens }: MarketState, contracts: Contracts, route: Route, request: V3Request) {
  const { tradeType, account, permission } = request
  const { input, output } = request.trade
  const transfers = route.parts
    .flatMap((part) => part.transfers)
    .map((transfer) => transferAnswer(tokens, contracts, route.exact, transfer, account ?? NO_ACCOUNT))
  return {
    tradeType,
    input: { ...tokenAnswer(input), amount: amountText(route.input, input) },
    output: { ...tokenAnswer(output), amount: amountText(route.output, output) },
    ...(route.exact === 'in'
      ? { minReceived: amountText(route.minReceived, output) }
      : { maxSent: amountText(route.maxSent, input) }),
    priceImpact: impactText(route.priceImpact),
    routes: route.parts.map((part) => ({
      percent: part.percent,
      input: amountText(part.input, input),
      output: amountText(part.output, output),
      hops: part.hops.map(hopAnswer),
    })),
    transfers,
    ...(account === null ? {} : { actions: transfers.map((transfer) => actionOf(transfer, account, permission)) }),
  }
}

function tokenAnswer({ id, symbol, contract, decimals }: TokenRef) {
  return { id, symbol, contract, decimals }
}

function hopAnswer({ pool, book, input, output }: RouteHop) {
  if (pool !== null) return { venue: 'amm' as const, pool: pool.id, input, output, fee: percentText(pool.fee, 4) }
  const { id, fee } = required(book, 'market in a hop')
  return { venue: 'orderbook' as const, market: id, input, output, fee: percentText(fee, 2) }
}

interface TransferAnswer {
  tokenContract: string
  to: string
  quantity: string
  memo: string
}

function transferAnswer(
  tokens: MarketState['tokens'],
  { amm, spot }: Contracts,
  exact: Route['exact'],
  { venue, hops, input: inputId, output: outputId, quantity, minimum }: RouteTransfer,
  receiver: string,
): TransferAnswer {
  const tokenOf = (id: string) => required(tokens.get(id), `token ${id}`)
  const [input, output] = [tokenOf(inputId), tokenOf(outputId)]
  const pools = () => hops.map(({ pool }) => required(pool, 'pool in a hop').id)
  const memo = venue === 'amm' ? swapMemo(exact, pools(), receiver, minimum, output) : orderMemo(minimum, output)
  const to = required(venue === 'amm' ? amm : spot, `account of the ${venue}`)
  return { tokenContract: input.contract, to, quantity: assetText(quantity, input), memo }
}

function actionOf({ tokenContract, to, quantity, memo }: TransferAnswer, account: string, permission: string) {
  return {
    account: tokenContract,
    name: 'transfer',
    authorization: [{ actor: account, permission }],
    data: { from: account, to, quantity, memo },
  }
}
