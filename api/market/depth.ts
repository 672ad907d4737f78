// Depth of a pair: the amounts that can be traded at given levels of price impact. A search takes many quotes, so
// depths are computed one at a time, in small steps between other work, on a router that stays at one block. An answer
// names that block and is cached for ten seconds.

import type { Ratio } from '../../core/amm/price.ts'
import { LRUCache, perObject } from '../../core/cache.ts'
import { type Depth, depthSteps } from '../../core/route/depth.ts'
import type { Router } from '../../core/route/router.ts'
import { runSlices } from '../../core/scheduler.ts'
import type { ChainContext } from '../chain-context.ts'
import { HttpError } from '../http/failures.ts'
import { DEFAULT_SLIPPAGE, parseSlippage } from '../kit/decimal.ts'
import { significantNumber } from '../kit/digits.ts'
import { decimalText } from '../kit/numbers.ts'
import { tokenObject } from '../kit/token-object.ts'
import { midText, nearMid } from '../kit/values.ts'
import type { BlockMark, MarketState, TokenRef } from '../live-market/model.ts'

const KEEP_MS = 10_000
/** Limit of cached answers of a chain: keys come from requests. */
const MAX_ENTRIES = 500
/** Limit of pending depths of a chain. */
const MAX_WAITING = 100

/** Loss counted between two venues of a trade: the default slippage of a swap. */
export const SLIPPAGE = parseSlippage(DEFAULT_SLIPPAGE) as Ratio

export interface CachedDepth {
  at: BlockMark
  /** JSON. */
  text: string
  /** Time when the answer was made, `performance.now()`. */
  made: number
}

interface DepthQuestion {
  input: TokenRef
  output: TokenRef
  /** Percent. */
  impacts: readonly number[]
}

const depthsOf = perObject((context: ChainContext) => new Depths(context))

/**
 * The depth of a pair, cached or new.
 *
 * @throws HttpError 503 when too many depths are pending
 */
export function cachedDepth(context: ChainContext, question: DepthQuestion): Promise<CachedDepth> {
  return depthsOf(context).of(question)
}

/** Computes and caches the depths of one chain. */
class Depths {
  private readonly context: Pick<ChainContext, 'market' | 'router'>
  private readonly cache = new LRUCache<string, CachedDepth>({ max: MAX_ENTRIES })
  /** Depths that are queued or being computed. Equal requests share one. */
  private readonly pending = new Map<string, Promise<CachedDepth>>()
  private last: Promise<unknown> = Promise.resolve()
  /** Block of the depth being computed; null once a fork has removed that block. */
  private making: BlockMark | null = null

  constructor(context: Pick<ChainContext, 'market' | 'router'>) {
    this.context = context
    // A fork removes answers of orphaned blocks. A load of the market removes all.
    context.market.listen((_, changes) => {
      if (changes === null) this.evictAfter(Number.NEGATIVE_INFINITY)
      else if (changes.forkedAfter !== null) this.evictAfter(changes.forkedAfter)
    })
  }

  async of(question: DepthQuestion): Promise<CachedDepth> {
    const { input, output, impacts } = question
    const key = `${input.id} ${output.id} ${impacts.join()}`
    const known = this.cache.get(key)
    if (known !== undefined && performance.now() - known.made < KEEP_MS) return known
    let making = this.pending.get(key)
    if (making === undefined) {
      if (this.pending.size >= MAX_WAITING) throw new HttpError(503, 'Too many depths are asked for. Try again soon.')
      making = this.last.then(() => this.make(question)).then((made) => this.store(key, made))
      this.pending.set(key, making)
      this.last = making.catch(() => {}).finally(() => this.pending.delete(key))
    }
    return making
  }

  private async make(question: DepthQuestion): Promise<CachedDepth> {
    const { market, router } = this.context
    for (;;) {
      const state = market.state as MarketState
      const { at } = state
      this.making = at
      const answer = await runSlices(depthAnswer(state, router.standStill(), question), () => this.making !== at)
      if (answer !== undefined) return { at, text: JSON.stringify(answer), made: performance.now() }
    }
  }

  private store(key: string, made: CachedDepth): CachedDepth {
    this.cache.set(key, made)
    return made
  }

  private evictAfter(block: number): void {
    for (const [key, { at }] of this.cache) if (at.block > block) this.cache.delete(key)
    if (this.making !== null && this.making.block > block) this.making = null
  }
}

function* depthAnswer({ at, prices }: MarketState, router: Router, { input, output, impacts }: DepthQuestion) {
  // The market advances during the search, so its prices are read first.
  const mid = nearMid(prices, input.id, output.id)
  const midAsText = midText(prices, input.id, output.id)
  const scale = 10 ** (input.decimals - output.decimals)
  // Without this, the first quote would do all of this work at once.
  yield* router.warmSteps()
  const depth: Depth = yield* depthSteps(router, {
    input: input.id,
    output: output.id,
    impacts,
    mid: mid === null ? null : mid / scale,
    slippage: SLIPPAGE,
  })
  const { reference, referenceKind } = depth
  const referenceText = referenceKind === 'mid' ? midAsText : significantNumber((reference ?? 0) * scale)
  return {
    block: at.block,
    input: tokenObject(input),
    output: tokenObject(output),
    reference: reference === null ? null : referenceText,
    referenceKind,
    levels: depth.levels.map((level) => levelAnswer(level, input, output)),
  }
}

function levelAnswer({ impact, input, output }: Depth['levels'][number], from: TokenRef, to: TokenRef) {
  return {
    impact,
    input: input === null ? null : decimalText(input, from.decimals),
    output: output === null ? null : decimalText(output, to.decimals),
  }
}
