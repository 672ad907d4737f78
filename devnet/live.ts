// Goes on with chains as time passes: a block every half second, most with a strong certificate on their parent.
// A process that was held up leaves slots out, as producers that miss their turn do.

import { SLOT_MS } from '../core/antelope/time.ts'
import type { CertificateKind } from './chain/block-builder.ts'
import { finalizersOf, type Line } from './history.ts'
import type { Bystander } from './scenario.ts'

/** Every so many blocks one carries no certificate, and one a weak one; the one after it is strong again. */
const MISSING_EVERY = 41
const WEAK_EVERY = 67
/** Every so many blocks the finalizer policy changes: ten minutes. */
const POLICY_EVERY = 1200

function certificateOf(num: number): CertificateKind {
  if (num % MISSING_EVERY === 0) return 'none'
  return num % WEAK_EVERY === 0 ? 'weak' : 'strong'
}

/** Makes a block of the time; what others have sent comes first. */
function produce({ chain, player, inbox }: Line, slotTime: number): void {
  if (slotTime <= chain.headTime) return
  const block = chain.begin(slotTime)
  inbox?.fill(block)
  player.fill(block)
  const finalizers = block.num % POLICY_EVERY === 0 ? finalizersOf(block.num / POLICY_EVERY) : undefined
  block.finish(certificateOf(block.num), chain.policy(finalizers))
}

/** @returns a function that stops it */
export function goLive(lines: readonly Line[], bystander: Bystander | null): () => void {
  let stopped = false
  const step = async () => {
    const slotTime = Math.floor(Date.now() / SLOT_MS) * SLOT_MS
    await bystander?.advance(slotTime)
    if (!stopped) for (const line of lines) produce(line, slotTime)
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
