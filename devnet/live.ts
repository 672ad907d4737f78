// Goes on with chains as time passes: a block every half second, each with a certificate on its parent.
// A process that was held up leaves slots out, as producers that miss their turn do.

import { SLOT_MS } from '../core/antelope/time.ts'
import type { Line } from './history.ts'
import type { Bystander } from './scenario.ts'

/** @returns a function that stops it */
export function goLive(lines: readonly Line[], bystander: Bystander | null): () => void {
  const produce = () => {
    const slotTime = Math.floor(Date.now() / SLOT_MS) * SLOT_MS
    bystander?.advance(slotTime)
    for (const { chain, player } of lines) {
      if (slotTime <= chain.headTime) continue
      const block = chain.begin(slotTime)
      player.fill(block)
      block.finish('strong')
    }
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
