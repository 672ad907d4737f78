// How much of a pair can be traded at levels of price impact. Searching takes many quotes, so an answer is kept for ten
// seconds, together with the block that it is of.
import { ratioToNumber } from '../../core/amm/price.ts'
import { type Depth, depthOf } from '../../core/route/depth.ts'
import type { Router } from '../../core/route/router.ts'
import { decimalText } from '../exchange/numbers.ts'
import type { BlockMark, MarketState, TokenRef } from '../market/model.ts'
import type { MarketPrices } from '../market/pricing.ts'
import { significant, significantNumber } from './digits.ts'
import { tokenObject } from './token.ts'
import { midRatio } from './values.ts'

const KEEP_MS = 10_000
/** Most answers kept of a chain: keys come from requests. */
const MOST = 500

export interface KeptDepth {
  at: BlockMark
  /** JSON. */
  text: string
  /** When it was made, milliseconds of the process. */
  made: number
}

/** Of the market since it was last loaded. */
const kept = new WeakMap<MarketPrices, Map<string, KeptDepth>>()

/** The depth of a pair: the one at hand, or a new one. */
export function keptDepth(
  state: MarketState,
  router: Router,
  input: TokenRef,
  output: TokenRef,
  impacts: readonly number[],
): KeptDepth {
  let answers = kept.get(state.prices)
  if (answers === undefined) kept.set(state.prices, (answers = new Map()))
  const key = `${input.id} ${output.id} ${impacts.join()}`
  const now = performance.now()
  const known = answers.get(key)
  if (known !== undefined && now - known.made < KEEP_MS && isBefore(known.at, state.at)) return known
  const text = JSON.stringify(depthAnswer(state, router, input, output, impacts))
  const made = { at: state.at, text, made: now }
  // The newest stand last; the first are given up.
  answers.delete(key)
  answers.set(key, made)
  if (answers.size > MOST) answers.delete(answers.keys().next().value as string)
  return made
}

/** Whether a block is the other one or an earlier one: a fork takes blocks away. */
function isBefore(x: BlockMark, y: BlockMark): boolean {
  return x.block < y.block || x.id === y.id
}

function depthAnswer(
  { at, prices }: MarketState,
  router: Router,
  input: TokenRef,
  output: TokenRef,
  impacts: readonly number[],
) {
  const mid = midRatio(prices, input.id, output.id)
  const scale = 10 ** (input.decimals - output.decimals)
  const depth = depthOf(router, {
    input: input.id,
    output: output.id,
    impacts,
    mid: mid === null ? null : ratioToNumber(mid) / scale,
  })
  const { reference, referenceKind } = depth
  const isMid = mid !== null && referenceKind === 'mid'
  return {
    block: at.block,
    input: tokenObject(input),
    output: tokenObject(output),
    reference: reference === null ? null : isMid ? significant(mid) : significantNumber(reference * scale),
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
