// Filters and pages of the lists of pending work. A cursor contains a list and the place of the page's last entry.
import { HttpError } from '../../http/failures.ts'
import type { Form } from '../../http/schema-problem.ts'
import { EXPECT_CURSOR } from '../../kit/forms.ts'
import { byPlace, type Place } from './fair-order.ts'

export const KINDS = ['withdrawal', 'deposit', 'settlement', 'hop'] as const
export type Kind = (typeof KINDS)[number]

/** Maximum number of entries of each list in a page. */
export const MAX_PAGE = 1000

export const CURSOR_FORM: Form = {
  pattern: `^(${KINDS.join('|')})\\.[01]\\.[0-9]{1,15}\\.[0-9]{1,20}$`,
  expect: EXPECT_CURSOR,
}

export interface PendingFilter {
  /** The requested list; null: all lists. */
  kind: Kind | null
  domain: bigint | null
  action: string | null
  key: string | null
  limit: number
  /** The page begins after this place. */
  after: Place | null
}

interface Query {
  kind?: Kind
  domain?: string
  action?: string
  key?: string
  limit?: number
  cursor?: string
}

/** @throws HttpError 400 when the cursor is of another list */
export function filterOf({ kind, domain, action, key, limit = 0, cursor }: Query): PendingFilter {
  const found = cursor === undefined ? null : (cursor.split('.') as [Kind, string, string, string])
  if (found !== null && kind !== undefined && kind !== found[0])
    throw new HttpError(400, `the cursor is one of kind ${found[0]}: ask for that kind, or for none`)
  return {
    kind: found?.[0] ?? kind ?? null,
    domain: domain === undefined ? null : BigInt(domain),
    action: action ?? null,
    key: key ?? null,
    limit: limit === 0 ? MAX_PAGE : limit,
    after: found && { blocked: found[1] === '1', round: Number(found[2]), domain: BigInt(found[3]) },
  }
}

export interface Page<T> {
  entries: T[]
  /** Cursor of the next page; null at the end. */
  next: string | null
}

export const NO_PAGE: Page<never> = { entries: [], next: null }

/**
 * A page of a list.
 *
 * @param places  places of all entries that match the filter, in any order
 * @param make    makes the entries of places; null for a place without an entry
 */
export async function pageOf<P extends Place, T>(
  kind: Kind,
  places: readonly P[],
  { after, limit }: PendingFilter,
  make: (some: readonly P[]) => Promise<(T | null)[]>,
): Promise<Page<T>> {
  const rest = places.filter((place) => after === null || byPlace(place, after) > 0).sort(byPlace)
  const entries: T[] = []
  let last = 0
  while (last < rest.length && entries.length < limit) {
    const some = rest.slice(last, last + limit - entries.length)
    entries.push(...(await make(some)).filter((entry) => entry !== null))
    last += some.length
  }
  const place = last < rest.length ? rest[last - 1] : undefined
  return { entries, next: place === undefined ? null : cursorOf(kind, place) }
}

function cursorOf(kind: Kind, { blocked, round, domain }: Place): string {
  return `${kind}.${Number(blocked)}.${round}.${domain}`
}
