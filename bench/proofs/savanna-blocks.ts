// Empty blocks of a Savanna chain with a finality tree of any size. Digests, claims and roots are valid. Only the first
// certificate, the one that the follower verifies, is signed; the others repeat its signature.
import {
  BLOCK_EXTENSION,
  type BlockHeader,
  blockId,
  HEADER_EXTENSION,
  packBlockHeader,
  packSignedBlock,
  SAVANNA_SCHEDULE_VERSION,
} from '../../core/antelope/block.ts'
import { EMPTY_ROOT, IncrementalMerkle } from '../../core/antelope/merkle.ts'
import { latestClaimOf } from '../../core/finality/finality-core.ts'
import { packFinalityData } from '../../core/finality/finality-data.ts'
import { packFinalityExtension } from '../../core/finality/finality-extension.ts'
import { packQuorumCertificate, readQuorumCertificate } from '../../core/finality/quorum-certificate.ts'
import type { FinalityStart } from '../../core/finality/start.ts'
import { sha256 } from '../../core/sha256.ts'
import { Finalizers } from '../../devnet/chain/finalizers.ts'
import { childDraft, claimOn, finishSavanna, genesisDraft, type SavannaState } from '../../devnet/chain/savanna.ts'
import type { PackedBlock } from '../../indexer/source/source.ts'

const FIRST = 100_000_000
const SLOT = 1_700_000_000
/** Blocks before the one from which finality is followed. */
const BEFORE = 4
const NO_SIGNATURE = new Uint8Array(66)
const CONSTANTS = { proposers: new Uint8Array(8), protocolFeatures: [] }
const made = (text: string): Uint8Array => sha256(Buffer.from(text))

export interface SavannaBlocks {
  start: FinalityStart
  blocks: PackedBlock[]
}

/**
 * @param count       number of blocks, all of them irreversible
 * @param leaves      size of the tree at the first block
 * @param finalizers  number of finalizers in the policy
 */
export function savannaBlocks(count: number, leaves: number, finalizers: number): SavannaBlocks {
  const signers = new Finalizers('bench')
  const policy = signers.policy(
    1,
    Array.from({ length: finalizers }, (_, i) => i),
  )
  let state: SavannaState | null = null
  let certificate: Uint8Array | null = null
  let previous = blockId(made('parent'), FIRST - 1)
  const next = (): PackedBlock => {
    const parent: SavannaState | null = state
    const num = parent ? parent.ref.blockNum + 1 : FIRST
    const timestamp = SLOT + num - FIRST
    const draft = parent
      ? childDraft(parent, timestamp, claimOn(parent, 'strong'), null)
      : genesisDraft(num, timestamp, policy)
    const claim = latestClaimOf(draft.core)
    const extension = packFinalityExtension({ claim, finalizerPolicy: null, proposerPolicy: null })
    const header: BlockHeader = {
      ...{ timestamp, producer: 'producer', confirmed: 0, previous, transactionMroot: EMPTY_ROOT },
      actionMroot: draft.proper ? draft.finalityMroot : EMPTY_ROOT,
      scheduleVersion: draft.proper ? SAVANNA_SCHEDULE_VERSION : 1,
      newProducers: null,
      headerExtensions: [{ id: HEADER_EXTENSION.finality, data: extension }],
    }
    const packed = packBlockHeader(header)
    const id = blockId(packed, num)
    const actionMroot = made(`actions ${num}`)
    const isCertified = parent !== null && claim.blockNum !== latestClaimOf(parent.core).blockNum
    const extensions = isCertified
      ? [{ id: BLOCK_EXTENSION.quorumCertificate, data: certify(parent, claim.blockNum) }]
      : []
    state = finishSavanna(draft, parent, { header, packed, id, blockNum: num, actionMroot }, CONSTANTS)
    const prevId = previous
    previous = id
    const block = packSignedBlock(packed, NO_SIGNATURE, [], extensions)
    const lib = { num: FIRST + BEFORE + count, id: '' }
    const rest = { head: { ...lib, num: 2 * lib.num }, lib, block, traces: Uint8Array.of(0), deltas: Uint8Array.of(0) }
    return { kind: 'packed', num, id, prevId, ...rest, finality: packFinalityData(state.data) }
  }
  /** Signs only up to the first certificate on a block under the large tree. */
  const certify = (parent: SavannaState, blockNum: number): Uint8Array => {
    if (certificate === null || blockNum <= FIRST + BEFORE + 1) {
      const { finalityDigest } = parent.ref
      certificate = signers.sign({ blockNum, finalityDigest, active: policy, pending: null, strong: true })
      return certificate
    }
    return packQuorumCertificate({ ...readQuorumCertificate(certificate), blockNum })
  }
  let last = next()
  for (let i = 1; i < BEFORE; i++) last = next()
  const begin = state as unknown as SavannaState
  const bits = leaves.toString(2).replaceAll('0', '').length
  const tree = new IncrementalMerkle(
    leaves,
    Array.from({ length: bits }, (_, i) => made(`peak ${i}`)),
  )
  state = { ...begin, ref: { ...begin.ref, tree } }
  const { digest, start } = begin.lastPending
  const lineage = {
    ...{ genesis: last.num - leaves + 1, tree, blockNum: last.num, timestamp: begin.ref.timestamp },
    lastPending: { digest, start },
  }
  const policies = [{ policy, digest, start, blockNum: 0 }]
  return { start: { lineage, policies, blockId: last.id }, blocks: Array.from({ length: count }, next) }
}
