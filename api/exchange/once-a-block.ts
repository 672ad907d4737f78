// Answers that follow from the market alone are made once a block.
import type { ChainContext } from '../chain-context.ts'
import type { MarketState } from '../market/model.ts'

interface Kept {
  block: string
  values: Map<string, unknown>
}

const kept = new WeakMap<ChainContext, Kept>()

/** Most answers of a block that are kept: keys come from requests. */
const MOST = 64

/** The value of a key at a block; `make` must not wait for anything. */
export function onceABlock<T>(context: ChainContext, state: MarketState, key: string, make: () => T): T {
  let block = kept.get(context)
  if (block === undefined || block.block !== state.at.id) {
    block = { block: state.at.id, values: new Map() }
    kept.set(context, block)
  }
  const { values } = block
  if (!values.has(key)) {
    if (values.size >= MOST) values.clear()
    values.set(key, make())
  }
  return values.get(key) as T
}
