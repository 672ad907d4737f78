// The JSON of every pool, made again only when something in it has changed: a list of thousands is put together from
// these. A list names the block since which all of it is what it is.
import type { ChainContext } from '../../chain-context.ts'
import { poolMark } from '../../market/marks.ts'
import type { BlockMark, LivePool, MarketState } from '../../market/model.ts'
import { poolAnswer } from './pool.ts'

interface Kept {
  mark: BlockMark
  text: string
}

const kept = new WeakMap<ChainContext, WeakMap<LivePool, Kept>>()

/** A pool's JSON, with the block since which it says so. */
export function poolText(context: ChainContext, state: MarketState, pool: LivePool): Kept {
  let texts = kept.get(context)
  if (texts === undefined) kept.set(context, (texts = new WeakMap()))
  const mark = poolMark(state, pool)
  let known = texts.get(pool)
  if (known === undefined || known.mark.id !== mark.id) {
    known = { mark, text: JSON.stringify(poolAnswer(context.chain, state, pool)) }
    texts.set(pool, known)
  }
  return known
}
