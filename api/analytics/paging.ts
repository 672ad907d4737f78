// Common parameters of the analytics' lists, and paging. Pure.
import { Type } from 'typebox'
import { Flag } from '../kit/parameters.ts'
import { Meta, Window } from './meta.ts'
import type { Direction, Ranked } from './ranking.ts'

const PAGE_LIMIT = 50
const MAX_PAGE_LIMIT = 500

const Lenient = (description: string) => Type.Optional(Type.String({ description }))

/** Query of every list. Values out of range are clamped; values that are not numbers are ignored. */
export const ListQuery = {
  window: Window,
  page: Lenient('Page, from 1.'),
  limit: Lenient(`Maximum number of items. Default ${PAGE_LIMIT}, maximum ${MAX_PAGE_LIMIT}.`),
  order: Lenient('desc (the default) or asc.'),
  hide_scam: Flag('Leave out what has a token on the scam lists.'),
}

export interface PageQuery {
  page?: string
  limit?: string
}

export interface PageOf<T> {
  items: T[]
  page: number
  limit: number
  total: number
}

/** Schema of a page. */
export const PageAnswer = <S extends import('typebox').TSchema>(item: S) =>
  Type.Object({
    meta: Meta,
    items: Type.Array(item),
    page: Type.Number({ description: 'Page.' }),
    limit: Type.Number({ description: 'Maximum number of items of a page.' }),
    total: Type.Number({ description: 'Items of all pages.' }),
  })

/**
 * One page of a list.
 *
 * @param all    all candidates, sorted
 * @param among  restricts the list to these; null for all
 * @param keep   filter; null keeps all
 * @param make   makes the answer of an item; called only for items of the page
 */
export function pageOf<Item, Answer>(
  all: Ranked<Item>,
  query: PageQuery,
  among: ReadonlySet<Item> | null,
  keep: ((item: Item) => boolean) | null,
  make: (item: Item) => Answer,
): PageOf<Answer> {
  const page = Math.max(1, wholeNumber(query.page) ?? 1)
  const asked = wholeNumber(query.limit) ?? PAGE_LIMIT
  const limit = asked < 1 ? PAGE_LIMIT : Math.min(asked, MAX_PAGE_LIMIT)
  const [from, before] = [(page - 1) * limit, page * limit]
  if (among === null && keep === null)
    return { items: all.slice(from, before).map(make), page, limit, total: all.length }
  const some = among === null ? all.slice(0, all.length) : all.some(among)
  const found = keep === null ? some : some.filter(keep)
  return { items: found.slice(from, before).map(make), page, limit, total: found.length }
}

/** Descending by default. */
export function directionOf(order: string | undefined): Direction {
  return order?.toLowerCase() === 'asc' ? 'asc' : 'desc'
}

/** The default for an unknown sort. */
export function sortOf<Name extends string>(names: readonly Name[], sort: string | undefined, usual: Name): Name {
  return names.find((name) => name === sort) ?? usual
}

/** Null if the text is no whole number. Numbers above the largest safe integer become that. */
function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^-?\d+$/.test(text.trim()) ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : null
}
