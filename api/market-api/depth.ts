// How much of a pair can be traded at levels of price impact. Searching takes many quotes, so depths are made one after the
// other, in turns with all other work, on a router that stays at one block meanwhile; an answer names that block, and is
// kept for ten seconds.

import type { Ratio } from '../../core/amm/price.ts'
import { LRUCache, perObject } from '../../core/cache.ts'
import { type Depth, depthSteps } from '../../core/route/depth.ts'
import type { Router } from '../../core/route/router.ts'
import type { ChainContext } from '../chain-context.ts'
import { decimalText } from '../exchange/numbers.ts'
import { HttpError } from '../http/failures.ts'
import { inTurns } from '../http/in-turns.ts'
import type { BlockMark, MarketState, TokenRef } from '../market/model.ts'
import { DEFAULT_SLIPPAGE, parseSlippage } from '../route/parameters.ts'
import { significantNumber } from './digits.ts'
import { tokenObject } from './token.ts'
import { midText, nearMid } from './values.ts'

const KEEP_MS = 10_000
/** Most answers kept of a chain: keys come from requests. */
const MAX_ENTRIES = 500
/** Most that wait to be made. */
const MAX_WAITING = 100

/** What a trade loses between two venues counts as in a swap. */
export const SLIPPAGE = parseSlippage(DEFAULT_SLIPPAGE) as Ratio

export interface CachedDepth {
  at: BlockMark
  /** JSON. */
  text: string
  /** When it was made, milliseconds of the process. */
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
 * The depth of a pair: the one at hand, or a new one.
 *
 * @throws HttpError 503 when too many others are waited for
 */
export function cachedDepth(context: ChainContext, question: DepthQuestion): Promise<CachedDepth> {
  return depthsOf(context).of(question)
}

/** Depths of one chain. */
class Depths {
  private readonly context: Pick<ChainContext, 'market' | 'router'>
  private readonly kept = new LRUCache<string, CachedDepth>({ max: MAX_ENTRIES })
  /** Those that are being made or wait for that: who asks for the same waits for the same. */
  private readonly pending = new Map<string, Promise<CachedDepth>>()
  private last: Promise<unknown> = Promise.resolve()
  /** The block of the one that is being made; null when it is there no more. */
  private making: BlockMark | null = null

  constructor(context: Pick<ChainContext, 'market' | 'router'>) {
    this.context = context
    // What is of a block that a fork has taken back goes with it, and everything when the market is loaded anew.
    context.market.listen((_, changes) => {
      if (changes === null) this.forget(Number.NEGATIVE_INFINITY)
      else if (changes.forkedAfter !== null) this.forget(changes.forkedAfter)
    })
  }

  async of(question: DepthQuestion): Promise<CachedDepth> {
    const { input, output, impacts } = question
    const key = `${input.id} ${output.id} ${impacts.join()}`
    const known = this.kept.get(key)
    if (known !== undefined && performance.now() - known.made < KEEP_MS) return known
    let making = this.pending.get(key)
    if (making === undefined) {
      if (this.pending.size >= MAX_WAITING) throw new HttpError(503, 'Too many depths are asked for. Try again soon.')
      making = this.last.then(() => this.make(question)).then((made) => this.keep(key, made))
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
      const answer = await inTurns(depthAnswer(state, router.standStill(), question), () => this.making !== at)
      if (answer !== undefined) return { at, text: JSON.stringify(answer), made: performance.now() }
    }
  }

  private keep(key: string, made: CachedDepth): CachedDepth {
    this.kept.set(key, made)
    return made
  }

  private forget(behind: number): void {
    for (const [key, { at }] of this.kept) if (at.block > behind) this.kept.delete(key)
    if (this.making !== null && this.making.block > behind) this.making = null
  }
}

function* depthAnswer({ at, prices }: MarketState, router: Router, { input, output, impacts }: DepthQuestion) {
  // The market goes on during the search: what is read of it is read now.
  const mid = nearMid(prices, input.id, output.id)
  const midAsText = midText(prices, input.id, output.id)
  const scale = 10 ** (input.decimals - output.decimals)
  // The first quote would do all of this at once.
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
