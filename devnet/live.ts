// Goes on with a chain as time passes: a block every half second, each with a certificate on its parent.
// A process that was held up leaves slots out, as producers that miss their turn do.

import { SLOT_MS } from '../core/antelope/time.ts'
import type { Chain } from './chain/chain.ts'
import type { Scenario } from './scenario.ts'

/** @returns a function that stops it */
export function goLive(chain: Chain, scenario: Scenario): () => void {
  const produce = () => {
    const slotTime = Math.floor(Date.now() / SLOT_MS) * SLOT_MS
    if (slotTime <= chain.headTime) return
    const block = chain.begin(slotTime)
    scenario.fill(block, chain)
    block.finish('strong')
  }
  let timer: NodeJS.Timeout
  const wait = () => {
    timer = setTimeout(
      () => {
        produce()
        wait()
      },
      SLOT_MS - (Date.now() % SLOT_MS),
    )
  }
  wait()
  return () => clearTimeout(timer)
}
