// A router over the tables of the devnet's contracts.
import type { TickState } from '../../../core/amm/tick-state.ts'
import type { PoolRow } from '../../../core/contract-rows.ts'
import { tokenId } from '../../../core/price/token-id.ts'
import type { RouteToken } from '../../../core/route/model.ts'
import { Router } from '../../../core/route/router.ts'
import { poolState } from '../../../devnet/contracts/amm/rows.ts'
import { poolScope } from '../../../devnet/contracts/amm/store.ts'
import { type MarketRow, restingOrders, type TokenRef } from '../../../devnet/contracts/dex.ts'
import { AMM, DEX } from '../../../devnet/contracts/exchange.ts'
import type { Tables } from '../../../devnet/contracts/trader/view.ts'

const token = (contract: string, code: string, decimals: number): RouteToken => ({
  id: tokenId(code, contract),
  decimals,
})

function sideOf({ contract, sym }: TokenRef): RouteToken {
  return token(contract, sym.code, sym.precision)
}

export function routerOf(tables: Tables): Router {
  const router = new Router()
  for (const row of tables(AMM).rows<PoolRow>('pools', AMM)) {
    const [a, b] = [row.tokenA, row.tokenB].map(({ contract, quantity: { symbol, precision } }) =>
      token(contract, symbol, precision),
    ) as [RouteToken, RouteToken]
    const ticks = tables(AMM).rows<TickState>('ticks', poolScope(row.id))
    const pool = { ...poolState(row), id: Number(row.id), active: row.active, a, b }
    router.putPool({ ...pool, ticks: new Map(ticks.map((tick) => [tick.id, tick])) })
  }
  for (const row of tables(DEX).rows<MarketRow>('markets', DEX)) {
    router.putBook({
      id: Number(row.id),
      base: sideOf(row.quote_token),
      target: sideOf(row.base_token),
      minBuy: row.min_buy.amount,
      minBuyDecimals: row.min_buy.precision,
      minSell: row.min_sell.amount,
      minSellDecimals: row.min_sell.precision,
      frozen: row.frozen,
      fee: row.fee,
      bids: restingOrders(tables(DEX), row.id, 'buy'),
      asks: restingOrders(tables(DEX), row.id, 'sell'),
    })
  }
  return router
}
