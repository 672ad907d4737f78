// Lists of the analytics: parameters that all of them take, sorting and paging. Pure.
import { Type } from 'typebox'
import { Flag } from '../exchange/parameters.ts'
import { Meta, Window } from './meta.ts'

export const PAGE_LIMIT = 50
export const PAGE_LIMIT_MOST = 500

const Lenient = (description: string) => Type.Optional(Type.String({ description }))

/** Query that every list takes; what is out of range is brought into it, what is no number counts as not given. */
export const ListQuery = {
  window: Window,
  page: Lenient('Page, from 1.'),
  limit: Lenient(`Items of a page: ${PAGE_LIMIT} unless given, at most ${PAGE_LIMIT_MOST}.`),
  order: Lenient('desc (the default) or asc.'),
  hide_scam: Flag('Leave out what has a token on the scam lists.'),
}

export interface ListQueryValues {
  window?: string
  page?: string
  limit?: string
  order?: string
  hide_scam?: boolean
}

export interface PageOf<T> {
  items: T[]
  page: number
  limit: number
  total: number
}

/** The schema of a list's answer. */
export const PageAnswer = <S extends import('typebox').TSchema>(item: S) =>
  Type.Object({
    meta: Meta,
    items: Type.Array(item),
    page: Type.Number({ description: 'Page.' }),
    limit: Type.Number({ description: 'Most items of a page.' }),
    total: Type.Number({ description: 'Items of all pages.' }),
  })

/**
 * One page of a list.
 *
 * @param all   everything that is in the list
 * @param key   what it is sorted by, finite
 * @param tie   tells items of one key apart, ascending whatever the order
 * @param make  an item's answer: made for those of the page alone
 */
export function pageOf<Item, Answer>(
  all: readonly Item[],
  query: ListQueryValues,
  key: (item: Item) => number,
  tie: (item: Item) => number | string,
  make: (item: Item) => Answer,
): PageOf<Answer> {
  const page = Math.max(1, wholeNumber(query.page) ?? 1)
  const asked = wholeNumber(query.limit) ?? PAGE_LIMIT
  const limit = asked < 1 ? PAGE_LIMIT : Math.min(asked, PAGE_LIMIT_MOST)
  const sign = query.order?.toLowerCase() === 'asc' ? 1 : -1
  const sorted = all
    .map((item) => ({ item, key: key(item), tie: tie(item) }))
    .sort((x, y) => sign * (x.key - y.key) || (x.tie < y.tie ? -1 : x.tie > y.tie ? 1 : 0))
  const items = sorted.slice((page - 1) * limit, page * limit).map(({ item }) => make(item))
  return { items, page, limit, total: all.length }
}

/** Null for what is no whole number, or more than a double can tell. */
function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^-?\d{1,15}$/.test(text.trim()) ? Number(text) : null
}
