// The cache of large answers of each chain.
import { perObject } from '../../core/cache.ts'
import type { ChainContext } from '../chain-context.ts'
import { BodyCache } from './body-cache.ts'

export const bodiesOf = perObject((_: ChainContext) => new BodyCache())
