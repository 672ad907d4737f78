// The JSON of every pool, made again only when something in it has changed: a list of thousands is put together from
// these. While lists are asked for, what a block changed is made anew in small steps before somebody asks again: a new
// USD price changes them all.
import type { ChainContext } from '../../chain-context.ts'
import { poolMark } from '../../market/marks.ts'
import type { BlockMark, LivePool, MarketState } from '../../market/model.ts'
import { poolAnswer } from './pool.ts'

interface Kept {
  mark: BlockMark
  text: string
}

/** Pools in one step: about three milliseconds. */
const STEP = 150
/** A chain whose pools nobody has asked for so long is left alone. */
const IDLE_MS = 60_000

const kept = new WeakMap<ChainContext, PoolTexts>()

/** A pool's JSON, with the block since which it says so. */
export function poolText(context: ChainContext, state: MarketState, pool: LivePool): Kept {
  let texts = kept.get(context)
  if (texts === undefined) kept.set(context, (texts = new PoolTexts(context)))
  texts.asked = performance.now()
  return texts.of(state, pool)
}

class PoolTexts {
  asked = 0
  private readonly context: ChainContext
  private readonly texts = new WeakMap<LivePool, Kept>()
  /** Of the newest block: an older round stops. */
  private round = 0

  constructor(context: ChainContext) {
    this.context = context
    context.market.listen((state) => {
      this.round++
      if (performance.now() - this.asked < IDLE_MS) this.warm(state, [...state.pools.values()], 0, this.round)
    })
  }

  of(state: MarketState, pool: LivePool): Kept {
    const mark = poolMark(state, pool)
    let known = this.texts.get(pool)
    if (known === undefined || known.mark.id !== mark.id) {
      known = { mark, text: JSON.stringify(poolAnswer(this.context.chain, state, pool)) }
      this.texts.set(pool, known)
    }
    return known
  }

  private warm(state: MarketState, pools: readonly LivePool[], from: number, round: number): void {
    if (from >= pools.length) return
    setImmediate(() => {
      if (round !== this.round) return
      for (const pool of pools.slice(from, from + STEP)) this.of(state, pool)
      this.warm(state, pools, from + STEP, round)
    })
  }
}
