// Resolves the ids in requests of the market API and the stream. Throws a client error if there is no match.
import type { LiveBook, LivePool, MarketState, TokenRef } from '../live-market/model.ts'

/** A request that cannot be answered: HTTP status, text of `error`, and a hint what to change. */
export class MarketMistake extends Error {
  readonly statusCode: 400 | 404
  readonly error: string

  constructor(statusCode: 400 | 404, error: string, message: string) {
    super(message)
    this.statusCode = statusCode
    this.error = error
  }
}

/** @throws MarketMistake 404 `Unknown token` */
export function findToken({ tokens }: MarketState, id: string): TokenRef {
  const token = tokens.get(id.toLowerCase())
  if (token === undefined)
    throw new MarketMistake(
      404,
      'Unknown token',
      `No pool and no market trades ${shown(id)}: see /api/v3/market/tokens.`,
    )
  return token
}

/** @throws MarketMistake 400 `Invalid pool id`, 404 `Unknown pool` */
export function findPool({ pools }: MarketState, id: string | number): LivePool {
  const pool = pools.get(idOf('pool', id))
  if (pool === undefined)
    throw new MarketMistake(404, 'Unknown pool', `There is no pool ${id}: see /api/v3/market/pools.`)
  return pool
}

/** @throws MarketMistake 400 `Invalid market id`, 404 `Unknown market` */
export function findBook({ books }: MarketState, id: string | number): LiveBook {
  const book = books.get(idOf('market', id))
  if (book === undefined)
    throw new MarketMistake(404, 'Unknown market', `There is no market ${id}: see /api/v3/market/orderbooks.`)
  return book
}

/**
 * Parses an id, a whole number. A number that no double holds is not the id of anything, and neither is its rounded
 * double.
 */
function idOf(what: string, id: string | number): number {
  if (!/^\d+$/.test(String(id)))
    throw new MarketMistake(
      400,
      `Invalid ${what} id`,
      `The id of a ${what} is a whole number, not ${shown(String(id))}.`,
    )
  return Number(id)
}

function shown(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}
