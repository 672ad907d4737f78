// Resolves the ids in requests of the market API and the stream. Throws a client error if there is no match.
import type { LiveBook, LivePool, MarketState, TokenRef } from '../live-market/model.ts'

/** A request with a wrong id: HTTP status, text of `error`, and a message that says what to change. */
export class MarketRequestError extends Error {
  readonly statusCode: 400 | 404
  readonly error: string

  constructor(statusCode: 400 | 404, error: string, message: string) {
    super(message)
    this.statusCode = statusCode
    this.error = error
  }
}

/** @throws MarketRequestError 404 `Unknown token` */
export function findToken({ tokens }: MarketState, id: string): TokenRef {
  const token = tokens.get(id.toLowerCase())
  if (token === undefined)
    throw new MarketRequestError(
      404,
      'Unknown token',
      `No pool and no market trades ${shown(id)}: see /api/v3/market/tokens.`,
    )
  return token
}

/** @throws MarketRequestError 400 `Invalid pool id`, 404 `Unknown pool` */
export function findPool({ pools }: MarketState, id: string | number): LivePool {
  const pool = pools.get(idOf('pool', id))
  if (pool === undefined)
    throw new MarketRequestError(404, 'Unknown pool', `There is no pool ${id}: see /api/v3/market/pools.`)
  return pool
}

/** @throws MarketRequestError 400 `Invalid market id`, 404 `Unknown market` */
export function findBook({ books }: MarketState, id: string | number): LiveBook {
  const book = books.get(idOf('market', id))
  if (book === undefined)
    throw new MarketRequestError(404, 'Unknown market', `There is no market ${id}: see /api/v3/market/orderbooks.`)
  return book
}

/**
 * Parses an id, a whole number. Ids in use are exact doubles. A larger number is rounded, which is harmless: no pool
 * and no market has such an id.
 */
function idOf(what: string, id: string | number): number {
  if (!/^\d+$/.test(String(id)))
    throw new MarketRequestError(
      400,
      `Invalid ${what} id`,
      `The id of a ${what} is a whole number, not ${shown(String(id))}.`,
    )
  return Number(id)
}

/** A text for a message: quoted, at most 80 characters. */
function shown(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}
