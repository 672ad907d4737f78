// A block of Ethereum's main network: its header, all its receipts, and proofs made by another implementation.
import { keccak256 } from 'ethers'
import t from 'tap'
import { bloomBits, bloomHolds, bloomOf } from '../../../core/evm/bloom.ts'
import { fromPrefixedHex, toPrefixedHex } from '../../../core/evm/bytes.ts'
import { encodeHeader, headerHash, type JsonHeader } from '../../../core/evm/header.ts'
import { keccak } from '../../../core/evm/keccak.ts'
import {
  decodeReceipt,
  encodeReceipt,
  type JsonReceipt,
  receiptFromJson,
  receiptTrie,
} from '../../../core/evm/receipt.ts'
import { decodeRlp, rlpBytes, rlpList } from '../../../core/evm/rlp.ts'
import { indexKey, verifyTrieProof } from '../../../core/evm/trie.ts'
import { loadVectors } from '../../fixtures/proofs/load.ts'

interface Block {
  header: JsonHeader
  header_rlp: string
  receipts: JsonReceipt[]
  proofs: Record<string, { key: string; value: string; proof: string[] }>
}
interface Parlia {
  headers: { number: number; header_rlp: string; hash: string }[]
}

const block = loadVectors<Block>('eth-mainnet-21925176')
const receipts = block.receipts.map(receiptFromJson)
const trie = receiptTrie(receipts)
const root = fromPrefixedHex(block.header.receiptsRoot, 32)

t.test('the header', async (t) => {
  t.equal(toPrefixedHex(encodeHeader(block.header)), block.header_rlp)
  t.equal(toPrefixedHex(headerHash(block.header)), block.header.hash)
  t.throws(() => encodeHeader({ ...block.header, blobGasUsed: undefined }), { code: 'HEADER_INVALID' }, 'a hole')
  const { stateRoot: _, ...partial } = block.header
  t.throws(() => encodeHeader(partial as JsonHeader), { code: 'HEADER_INVALID' }, 'a member that every header has')
})

t.test('headers of BSC with vote attestations', async (t) => {
  for (const { header_rlp, hash, number } of loadVectors<Parlia>('bsc-localnet-parlia').headers) {
    const json = headerJson(Buffer.from(header_rlp, 'hex'))
    t.equal(json.number, `0x${number.toString(16)}`)
    t.equal(toPrefixedHex(encodeHeader(json)), `0x${header_rlp}`)
    t.equal(toPrefixedHex(headerHash(json)), `0x${hash}`)
  }
})

t.test('the root of its receipts', async (t) => {
  t.equal(receipts.length, 202)
  t.equal(toPrefixedHex(trie.root), block.header.receiptsRoot)
  t.same(new Set(receipts.map(({ type }) => type)), new Set([0, 2]), 'legacy and typed receipts')
})

t.test('receipts come back from their bytes', async (t) => {
  for (const receipt of receipts) t.same(decodeReceipt(encodeReceipt(receipt)), receipt)
  const old = { ...receipts[0]!, type: 0, outcome: new Uint8Array(32).fill(7) }
  t.same(decodeReceipt(encodeReceipt(old)), old, 'with a state root in place of a status')
})

t.test('proofs equal those of another implementation', async (t) => {
  for (const [index, { key, value, proof }] of Object.entries(block.proofs)) {
    const at = indexKey(Number(index))
    t.equal(toPrefixedHex(at), key)
    t.equal(toPrefixedHex(encodeReceipt(receipts[Number(index)]!)), value)
    t.same(trie.prove(at).map(toPrefixedHex), proof)
  }
})

t.test('every receipt can be proved, and the absence of a further one', async (t) => {
  for (const [index, receipt] of receipts.entries())
    t.same(verifyTrieProof(root, indexKey(index), trie.prove(indexKey(index))), encodeReceipt(receipt))
  for (const index of [202, 255, 256, 5000])
    t.equal(verifyTrieProof(root, indexKey(index), trie.prove(indexKey(index))), null, `no receipt ${index}`)
})

t.test('a proof with any change is refused', async (t) => {
  const key = indexKey(128)
  const proof = trie.prove(key)
  for (const [i, node] of proof.entries()) {
    for (const at of [0, node.length >> 1, node.length - 1]) {
      const changed = node.slice()
      changed[at]! ^= 1
      const nodes = proof.with(i, changed)
      t.throws(() => verifyTrieProof(root, key, nodes), { code: 'TRIE_PROOF' }, `node ${i}, byte ${at}`)
    }
  }
  t.throws(() => verifyTrieProof(root, key, proof.slice(0, -1)), { code: 'TRIE_PROOF' }, 'a node is missing')
  t.throws(() => verifyTrieProof(root, key, [...proof, proof[0]!]), { code: 'TRIE_PROOF' }, 'a node too many')
  t.throws(() => verifyTrieProof(root, indexKey(127), proof), { code: 'TRIE_PROOF' }, 'the proof of another key')
  t.throws(() => verifyTrieProof(root, key, []), { code: 'TRIE_PROOF' }, 'no nodes')
})

t.test('the filter of its logs', async (t) => {
  const bloom = fromPrefixedHex(block.header.logsBloom, 256)
  t.same(bloomOf(receipts.flatMap(({ logs }) => logs)), bloom)
  for (const { logs, logsBloom } of receipts) {
    t.same(bloomOf(logs), logsBloom)
    for (const { address, topics } of logs)
      for (const value of [address, ...topics]) if (!bloomHolds(bloom, bloomBits(value))) t.fail('a logged value')
  }
  const absent = Array.from({ length: 100 }, (_, i) => new Uint8Array(20).fill(i))
  const held = absent.filter((address) => bloomHolds(bloom, bloomBits(address)))
  t.ok(held.length < 50, `most addresses that logged nothing: ${held.length} of 100 could have`)
  t.notOk(
    absent.some((address) => bloomHolds(new Uint8Array(256), bloomBits(address))),
    'an empty filter',
  )
})

t.test('keccak of another library', async (t) => {
  for (const length of [0, 1, 135, 136, 137, 1000])
    t.equal(toPrefixedHex(keccak(new Uint8Array(length).fill(length))), keccak256(new Uint8Array(length).fill(length)))
})

/** The members of a header of the London layout or an older one. */
function headerJson(rlp: Uint8Array): JsonHeader {
  const names = [
    ...[
      'parentHash',
      'sha3Uncles',
      'miner',
      'stateRoot',
      'transactionsRoot',
      'receiptsRoot',
      'logsBloom',
      'difficulty',
    ],
    ...['number', 'gasLimit', 'gasUsed', 'timestamp', 'extraData', 'mixHash', 'nonce', 'baseFeePerGas'],
    ...['withdrawalsRoot', 'blobGasUsed', 'excessBlobGas', 'parentBeaconBlockRoot', 'requestsHash'],
  ]
  const integers = /^(difficulty|number|gasLimit|gasUsed|timestamp|baseFeePerGas|blobGasUsed|excessBlobGas)$/
  const items = rlpList(decodeRlp(rlp)).map((item) => toPrefixedHex(rlpBytes(item)))
  const text = (name: string, hex: string) =>
    integers.test(name) ? `0x${BigInt(hex === '0x' ? 0 : hex).toString(16)}` : hex
  return Object.fromEntries(items.map((hex, index) => [names[index]!, text(names[index]!, hex)])) as JsonHeader
}
