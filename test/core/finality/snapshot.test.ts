// The start that a real node's snapshot gives goes on into the blocks of its chain.
import t from 'tap'
import { readSignedBlock } from '../../../core/antelope/block.ts'
import { readSnapshotStart } from '../../../core/finality/snapshot.ts'
import { fromHex, toHex } from '../../../core/hex.ts'
import { loadVectors } from '../../fixtures/proofs/load.ts'

const vector = loadVectors<{ section_hex: string; validation_tree: { trees: string[] } }>(
  'savanna-snapshot-block-state',
)
const { blocks } = loadVectors<{
  blocks: {
    block_num: number
    block_id: string
    signed_block: string
    expect?: { active_policy: { digest: string } }
  }[]
}>('savanna-consensus-chain')
const section = fromHex(vector.section_hex)

t.test('peaks, policy and block of a real snapshot', async (t) => {
  const { lineage, policies, blockId } = readSnapshotStart(section)
  const block = blocks.find(({ block_num }) => block_num === lineage.blockNum)!
  t.equal(blockId, block.block_id)
  t.equal(lineage.genesis, 4, 'the Savanna genesis block of that chain')
  t.same(lineage.tree.peaks.map(toHex), vector.validation_tree.trees)
  t.same(
    policies.map(({ digest }) => toHex(digest)),
    [block.expect!.active_policy.digest],
  )
  t.equal(toHex(lineage.lastPending.digest), block.expect!.active_policy.digest)
  const next = blocks.find(({ block_num }) => block_num === lineage.blockNum + 1)!
  const { header } = readSignedBlock(fromHex(next.signed_block))
  t.same(header.actionMroot, lineage.tree.root(), 'the next block claims it')
})

t.test('a changed or cut section is refused', async (t) => {
  const changed = (at: number) => {
    const bytes = section.slice()
    bytes[at]! ^= 1
    return bytes
  }
  t.throws(() => readSnapshotStart(changed(0)), { code: 'INVALID_SNAPSHOT' }, 'before Savanna')
  t.throws(() => readSnapshotStart(changed(70)), { code: 'INVALID_SNAPSHOT' }, 'the header')
  t.throws(() => readSnapshotStart(changed(section.length - 1)), { code: 'INVALID_SNAPSHOT' }, 'the root')
  t.throws(() => readSnapshotStart(changed(section.length - 150)), { code: 'INVALID_SNAPSHOT' }, 'a peak')
  t.throws(() => readSnapshotStart(section.subarray(0, -1)), { code: 'TRUNCATED' })
  t.throws(() => readSnapshotStart(Buffer.concat([section, Buffer.of(0)])), { code: 'INVALID_SNAPSHOT' })
})
