// A start from a real node's snapshot continues with the blocks of its chain.
import t from 'tap'
import { readSignedBlock } from '../../../core/antelope/block.ts'
import { readSnapshotBlock } from '../../../core/finality/snapshot.ts'
import type { FinalityStart } from '../../../core/finality/start.ts'
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
const VERSION = 8

t.test('peaks, policy and block of a real snapshot', async (t) => {
  const { lineage, policies, blockId } = readSnapshotBlock(section, VERSION).start as FinalityStart
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
  const refused = (bytes: Uint8Array, what: string, version = VERSION) =>
    t.throws(() => readSnapshotBlock(bytes, version), { code: 'INVALID_SNAPSHOT' }, what)
  refused(changed(0), 'before Savanna')
  refused(changed(70), 'the header')
  refused(changed(section.length - 1), 'the root')
  refused(changed(section.length - 150), 'a peak')
  refused(section.subarray(0, -1), 'cut')
  refused(Buffer.concat([section, Buffer.of(0)]), 'a byte more')
  refused(Uint8Array.of(0, 0), 'nothing in it')
  for (const version of [2, 6, 7, 9]) refused(section, `version ${version}`, version)
})
