// The large answers of each chain that are at hand.
import type { ChainContext } from '../chain-context.ts'
import { BodyCache } from './body-cache.ts'

const caches = new WeakMap<ChainContext, BodyCache>()

export function bodiesOf(context: ChainContext): BodyCache {
  let cache = caches.get(context)
  if (cache === undefined) caches.set(context, (cache = new BodyCache()))
  return cache
}
