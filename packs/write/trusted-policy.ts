// The finalizer policy by which a reader can verify a pack: the one that signs the first certificate that he verifies.
import { readBlockFrame } from '../../core/antelope/block.ts'
import { finalityExtensionOf } from '../../core/finality/finality-extension.ts'
import { FinalityFollower } from '../../core/finality/follower.ts'
import type { FinalityStart } from '../../core/finality/start.ts'
import { toHex } from '../../core/hex.ts'
import type { ObjectStore } from '../../net/objects/store.ts'
import type { Manifest } from '../format/manifest.ts'
import { readBlocks } from '../read/files.ts'

/** Limit of the blocks until the first certificate. */
const MAX_BLOCKS = 20_000

export interface TrustedPolicy {
  /** SHA-256 of the packed policy, hex. */
  digest: string
  generation: number
  /** The policy of the start that another one replaces before it signs a certificate of the pack; null as a rule. */
  replaces: { digest: string; generation: number } | null
}

export interface TrustedPolicyOptions {
  chain: string
  store: ObjectStore
  manifest: Manifest
  start: FinalityStart | null
  /** Savanna genesis block, where the pack has it. */
  genesis: number | null
  signal: AbortSignal
}

/**
 * @returns null when no certificate of the pack follows the start or the genesis block
 * @throws as `readBlocks` and `FinalityFollower`
 */
export async function trustedPolicy(options: TrustedPolicyOptions): Promise<TrustedPolicy | null> {
  const { chain, start } = options
  const first = start ? start.lineage.blockNum + 1 : options.genesis
  if (first === null) return null
  const follower = new FinalityFollower({ chain, bridge: '', start })
  for await (const { block, finality } of blocksFrom(options, first)) {
    const { blockNum: num, id, header } = readBlockFrame(block)
    if (num < first) continue
    if (num >= first + MAX_BLOCKS) return null
    const at = { num, id }
    const traces = new Uint8Array([0])
    const source = { kind: 'packed', ...at, prevId: header.previous, head: at, lib: at } as const
    follower.follow({ ...source, block, traces, finality }, false)
    const { root } = follower
    if (!root) continue
    const { generation } = root.policy
    const imported = start?.policies[0]
    const replaces =
      imported && imported.policy.generation !== generation
        ? { digest: toHex(imported.digest), generation: imported.policy.generation }
        : null
    return { digest: toHex(root.digest), generation, replaces }
  }
  return null
}

/** Whether the first block of a pack is before Savanna, where no certificate confirms a block. */
export async function beginsBeforeSavanna(
  store: ObjectStore,
  { ranges }: Manifest,
  signal: AbortSignal,
): Promise<boolean> {
  const first = ranges[0]?.blocks
  if (!first) return false
  for await (const { header } of readBlocks(store, first, signal, 'none')) return finalityExtensionOf(header) === null
  return false
}

async function* blocksFrom({ store, manifest, signal }: TrustedPolicyOptions, first: number) {
  for (const { to, blocks } of manifest.ranges)
    if (blocks && to >= first) yield* readBlocks(store, blocks, signal, 'none')
  const proof = manifest.states.at(-1)?.proof
  if (proof) yield* readBlocks(store, proof, signal, 'none')
}
