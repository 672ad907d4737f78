// How much of a pair can be traded at levels of price impact. Searching takes many quotes, so an answer is kept for ten
// seconds, together with the block that it is of.
import { type Depth, depthSteps } from '../../core/route/depth.ts'
import type { Router } from '../../core/route/router.ts'
import type { ChainContext } from '../chain-context.ts'
import { decimalText } from '../exchange/numbers.ts'
import { inTurns } from '../http/in-turns.ts'
import type { BlockMark, MarketState, TokenRef } from '../market/model.ts'
import { significantNumber } from './digits.ts'
import { tokenObject } from './token.ts'
import { midText, nearMid } from './values.ts'

const KEEP_MS = 10_000
/** Most answers kept of a chain: keys come from requests. */
const MOST = 500
/** A block that comes in between makes a depth begin anew; after so many, others have to wait for it. */
const ATTEMPTS = 5

export interface KeptDepth {
  at: BlockMark
  /** JSON. */
  text: string
  /** When it was made, milliseconds of the process. */
  made: number
}

/** Depths of one chain. */
interface Depths {
  kept: Map<string, KeptDepth>
  /** Those that are being made: who asks for the same waits for the same. */
  pending: Map<string, Promise<KeptDepth>>
}

const depths = new WeakMap<ChainContext, Depths>()

/** The depth of a pair: the one at hand, or a new one, which is made in turns with all other work. */
export async function keptDepth(
  context: ChainContext,
  input: TokenRef,
  output: TokenRef,
  impacts: readonly number[],
): Promise<KeptDepth> {
  let own = depths.get(context)
  if (own === undefined) {
    own = { kept: new Map(), pending: new Map() }
    forgetWithBlocks(context, own.kept)
    depths.set(context, own)
  }
  const { kept, pending } = own
  const key = `${input.id} ${output.id} ${impacts.join()}`
  const known = kept.get(key)
  if (known !== undefined && performance.now() - known.made < KEEP_MS) return known
  let making = pending.get(key)
  if (making === undefined) {
    making = makeDepth(context, input, output, impacts).then((made) => {
      // The newest stand last; the first are given up.
      kept.delete(key)
      kept.set(key, made)
      if (kept.size > MOST) kept.delete(kept.keys().next().value as string)
      return made
    })
    pending.set(key, making)
    void making.catch(() => {}).finally(() => pending.delete(key))
  }
  return making
}

/** An answer of a block that a fork has taken back goes with the block, and all go when the market is loaded anew. */
function forgetWithBlocks({ market }: ChainContext, kept: Map<string, KeptDepth>): void {
  market.listen((_, changes) => {
    if (changes === null) kept.clear()
    else if (changes.forkedAfter !== null)
      for (const [key, { at }] of kept) if (at.block > changes.forkedAfter) kept.delete(key)
  })
}

async function makeDepth(
  { market, router }: ChainContext,
  input: TokenRef,
  output: TokenRef,
  impacts: readonly number[],
): Promise<KeptDepth> {
  for (let attempt = 1; ; attempt++) {
    const state = market.state as MarketState
    const { at } = state
    const steps = depthAnswer(state, router.current, input, output, impacts)
    const isLast = attempt === ATTEMPTS
    const answer = isLast ? atOnce(steps) : await inTurns(steps, () => market.state?.at !== at)
    if (answer !== undefined) return { at, text: JSON.stringify(answer), made: performance.now() }
  }
}

function atOnce<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

function* depthAnswer(
  { at, prices }: MarketState,
  router: Router,
  input: TokenRef,
  output: TokenRef,
  impacts: readonly number[],
) {
  const mid = nearMid(prices, input.id, output.id)
  const scale = 10 ** (input.decimals - output.decimals)
  const depth: Depth = yield* depthSteps(router, {
    input: input.id,
    output: output.id,
    impacts,
    mid: mid === null ? null : mid / scale,
  })
  const { reference, referenceKind } = depth
  const isMid = mid !== null && referenceKind === 'mid'
  return {
    block: at.block,
    input: tokenObject(input),
    output: tokenObject(output),
    reference:
      reference === null ? null : isMid ? midText(prices, input.id, output.id) : significantNumber(reference * scale),
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
