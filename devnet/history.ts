// Makes the past of a chain: sparse blocks, certificates now and then, in slices that leave the process responsive.

import { setImmediate } from 'node:timers/promises'
import type { Chain } from './chain/chain.ts'
import type { Scenario } from './scenario.ts'

export interface HistoryOptions {
  /** Unix milliseconds of the last block at the latest. */
  end: number
  /** Milliseconds from block to block. */
  interval: number
  /** The same for the last hour. */
  lastHourInterval: number
  /** Every so many blocks, two blocks in a row carry a certificate, so that all before them becomes final. */
  certificateEvery: number
  /** Every so many blocks the finalizer policy changes. */
  policyEvery: number
}

const SLICE_MS = 20
const HOUR_MS = 3_600_000
const FINALIZERS_KNOWN = 7
const FINALIZERS_ACTIVE = 4

/** Indexes of the finalizers of the policy number `round`: one leaves and one comes each time. */
export function finalizersOf(round: number): number[] {
  return Array.from({ length: FINALIZERS_ACTIVE }, (_, i) => (round + i) % FINALIZERS_KNOWN)
}

/** Which certificate a block of the past carries, and whether it changes the policy. */
function consensusOf(num: number, { certificateEvery, policyEvery }: HistoryOptions) {
  const certificate = num % certificateEvery < 2 ? ('strong' as const) : ('none' as const)
  const finalizers = num % policyEvery === 0 ? finalizersOf(num / policyEvery) : undefined
  return { certificate, finalizers }
}

/**
 * Makes blocks from the chain's head to `end`. Depends only on the chain, the scenario and the options.
 *
 * @param signal  ends it early, between two blocks
 */
export async function makeHistory(
  chain: Chain,
  scenario: Scenario,
  options: HistoryOptions,
  signal?: AbortSignal,
): Promise<void> {
  let sliceEnd = performance.now() + SLICE_MS
  for (let time = nextTime(chain, options); time <= options.end && !signal?.aborted; time = nextTime(chain, options)) {
    const block = chain.begin(time)
    scenario.fill(block, chain)
    const { certificate, finalizers } = consensusOf(block.num, options)
    block.finish(certificate, chain.policy(finalizers))
    if (performance.now() < sliceEnd) continue
    await setImmediate()
    sliceEnd = performance.now() + SLICE_MS
  }
}

function nextTime(chain: Chain, { end, interval, lastHourInterval }: HistoryOptions): number {
  return chain.headTime + (chain.headTime >= end - HOUR_MS ? lastHourInterval : interval)
}
