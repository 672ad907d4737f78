// Continues chains in real time: a block every half second, most with a strong certificate on their parent. A delayed
// process skips slots, like a producer that misses its turn. With a fork plan, occasionally a few blocks get no
// certificate and are replaced by those of another branch, whose first block carries one.

import { msToSlot, SLOT_MS } from '../core/antelope/time.ts'
import type { CertificateKind } from './chain/block-builder.ts'
import type { ForkPlan, LostBranch } from './fork-plan.ts'
import { finalizersOf, type Line } from './history.ts'
import type { ExternalEvents } from './scenario.ts'

/** Interval in blocks of a missing and of a weak certificate; the next certificate is strong again. */
const MISSING_EVERY = 41
const WEAK_EVERY = 67
/** Interval in blocks of a change of the finalizer policy: ten minutes. */
const POLICY_EVERY = 1200

function certificateOf(num: number): CertificateKind {
  if (num % MISSING_EVERY === 0) return 'none'
  return num % WEAK_EVERY === 0 ? 'weak' : 'strong'
}

/** A live chain; without a plan it never forks. */
export interface LiveLine extends Line {
  forks?: ForkPlan | null
}

/** Makes the block of a slot; sent transactions come first. */
function produce({ chain, player, inbox }: Line, slotTime: number, certificate?: CertificateKind): void {
  if (slotTime <= chain.headTime) return
  const block = chain.begin(slotTime)
  inbox?.fill(block)
  player.fill(block)
  const finalizers = block.num % POLICY_EVERY === 0 ? finalizersOf(block.num / POLICY_EVERY) : undefined
  block.finish(certificate ?? certificateOf(block.num), chain.policy(finalizers))
}

/**
 * Replaces the blocks of a lost branch with blocks of the same slots. The first one carries a certificate, which the
 * lost one did not. Sent transactions are retried first, in the same order.
 *
 * @returns number of replaced blocks
 */
function replaceBranch(line: Line, { first, end, leavesOut }: LostBranch): number {
  const { chain, inbox } = line
  const lost: number[] = []
  while (msToSlot(chain.headTime) >= first && msToSlot(chain.headTime) < end && chain.head.num > chain.lib.num) {
    lost.push(chain.headTime)
    chain.fork(1)
  }
  inbox?.takeBack()
  lost.reverse()
  const times = leavesOut && lost.length > 1 ? lost.slice(1) : lost
  for (const [i, time] of times.entries()) produce(line, time, i === 0 ? 'strong' : undefined)
  return lost.length
}

/** Runs everything that is due on a chain at a slot. */
export function advance(line: LiveLine, slotTime: number): void {
  const { forks } = line
  const slot = msToSlot(slotTime)
  const lost = forks?.endingAt(slot)
  if (lost) replaceBranch(line, lost)
  produce(line, slotTime, forks?.isLost(slot) ? 'none' : undefined)
}

/** @returns stops it */
export function goLive(lines: readonly LiveLine[], externalEvents: ExternalEvents | null): () => void {
  let stopped = false
  const step = async () => {
    const slotTime = Math.floor(Date.now() / SLOT_MS) * SLOT_MS
    await externalEvents?.advance(slotTime)
    if (!stopped) for (const line of lines) advance(line, slotTime)
  }
  let timer: NodeJS.Timeout
  const wait = () => {
    timer = setTimeout(
      async () => {
        await step()
        if (!stopped) wait()
      },
      SLOT_MS - (Date.now() % SLOT_MS),
    )
  }
  wait()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
