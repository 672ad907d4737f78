import t from 'tap'
import {
  blockId,
  blockNumOf,
  packBlockHeader,
  packSignedBlock,
  readSignedBlock,
  SAVANNA_SCHEDULE_VERSION,
  transactionReceiptDigest,
} from '../../../core/antelope/block.ts'
import { EMPTY_ROOT, legacyMerkleRoot, merkleRoot } from '../../../core/antelope/merkle.ts'
import { finalityExtensionOf, packFinalityExtension } from '../../../core/finality/finality-extension.ts'
import { fromHex, toHex } from '../../../core/hex.ts'
import { loadVectors } from '../../fixtures/proofs/load.ts'

interface Block {
  block_num: number
  block_id: string
  signed_block: string
  qc_claim?: { block_num: number; is_strong: boolean }
}
const chains = ['savanna-deepmind-chain', 'savanna-consensus-chain'].map((name) =>
  loadVectors<{ blocks: Block[] }>(name),
)

t.test('blocks of real chains: number, id, transaction root, claims; packing gives the same bytes', async (t) => {
  let withTransactions = 0
  for (const { blocks } of chains) {
    for (const { block_num, block_id, signed_block, qc_claim } of blocks) {
      const block = readSignedBlock(fromHex(signed_block))
      t.equal(block.blockNum, block_num)
      t.equal(block.id, block_id)
      t.equal(blockNumOf(block.id), block_num)
      t.equal(toHex(packBlockHeader(block.header)), toHex(block.packedHeader))
      const again = packSignedBlock(block.packedHeader, block.signature, block.transactions, block.extensions)
      t.equal(toHex(again), signed_block)

      const root = block.header.scheduleVersion === SAVANNA_SCHEDULE_VERSION ? merkleRoot : legacyMerkleRoot
      t.equal(toHex(root(block.transactions.map(transactionReceiptDigest))), toHex(block.header.transactionMroot))
      if (block.transactions.length > 0) withTransactions++

      const extension = finalityExtensionOf(block.header)
      t.same(extension && { block_num: extension.claim.blockNum, is_strong: extension.claim.strong }, qc_claim ?? null)
      if (extension) {
        t.equal(toHex(packFinalityExtension(extension)), toHex(block.header.headerExtensions.at(-1)!.data))
      }
    }
  }
  t.ok(withTransactions > 3)
})

t.test('consecutive blocks name their parent', async (t) => {
  for (const { blocks } of chains) {
    for (const [i, block] of blocks.slice(1).entries()) {
      t.equal(readSignedBlock(fromHex(block.signed_block)).header.previous, blocks[i]!.block_id)
    }
  }
})

t.test('a header of an old schedule keeps the producers as they are packed', async (t) => {
  const newProducers = fromHex(`0500000001${'0000000000ea3055'}00${'02'.repeat(33)}`)
  const header = {
    timestamp: 1,
    producer: 'eosio',
    confirmed: 2,
    previous: `000000ff${'ab'.repeat(28)}`,
    transactionMroot: EMPTY_ROOT,
    actionMroot: EMPTY_ROOT,
    scheduleVersion: 4,
    newProducers,
    headerExtensions: [],
  }
  const packed = packBlockHeader(header)
  const signed = packSignedBlock(packed, new Uint8Array(66), [], [])
  const block = readSignedBlock(signed)
  t.equal(toHex(block.header.newProducers!), toHex(newProducers))
  t.equal(block.blockNum, 256)
  t.equal(block.id, blockId(packed, 256))
  t.throws(() => readSignedBlock(signed.subarray(0, signed.length - 1)), { code: 'TRUNCATED' })
})
