// The receipt part of proofs for logs of a real Ethereum block, compared with proofs by another implementation.
import t from 'tap'
import { fromPrefixedHex, toPrefixedHex } from '../../../core/evm/bytes.ts'
import { provenDeposit } from '../../../core/evm/deposit-proof.ts'
import { encodeHeader, type JsonHeader } from '../../../core/evm/header.ts'
import { decodeReceipt, type JsonReceipt, receiptFromJson, receiptTrie } from '../../../core/evm/receipt.ts'
import { indexKey, verifyTrieProof } from '../../../core/evm/trie.ts'
import { receiptProof } from '../../../proofs/deposit/evm/receipt.ts'
import { loadVectors } from '../../fixtures/proofs/load.ts'

interface Block {
  header: JsonHeader
  receipts: (Omit<JsonReceipt, 'logs'> & { logs: (JsonReceipt['logs'][number] & { logIndex: string })[] })[]
  proofs: Record<string, { proof: string[] }>
}

const block = loadVectors<Block>('eth-mainnet-21925176')
const receipts = block.receipts.map(receiptFromJson)
const all = { receipts, trie: receiptTrie(receipts) }
const place = { chain: 'mainnet', blockNum: 21_925_176, blockHash: fromPrefixedHex(block.header.hash) }

t.test('every log is found by its index in the block', async (t) => {
  const root = fromPrefixedHex(block.header.receiptsRoot)
  let checked = 0
  for (const [index, { logs }] of block.receipts.entries()) {
    for (const [at, { address, topics, data, logIndex }] of logs.entries()) {
      const contract = fromPrefixedHex(address)
      const proof = receiptProof(all, { ...place, contract, logIndex: Number(logIndex) })
      if (proof.receipt_index !== index || proof.log_index !== at) t.fail(`log ${logIndex}`)
      checked++
      if (at > 0) continue
      const receipt = decodeReceipt(verifyTrieProof(root, indexKey(index), proof.receipt_nodes)!)
      t.same(receipt.logs[at], {
        address: contract,
        topics: topics.map((topic) => fromPrefixedHex(topic)),
        data: fromPrefixedHex(data),
      })
      const known = block.proofs[index]
      if (known) t.same(proof.receipt_nodes.map(toPrefixedHex), known.proof)
    }
  }
  t.ok(checked > 300, `${checked} logs`)
})

t.test('a log that is not a deposit credits nothing', async (t) => {
  const index = block.receipts.findIndex(({ logs }) => logs.length > 0)
  const { address, logIndex } = block.receipts[index]!.logs[0]!
  const contract = fromPrefixedHex(address)
  const receipt = receiptProof(all, { ...place, contract, logIndex: Number(logIndex) })
  const proof = { headers: [encodeHeader(block.header)], ...receipt }
  t.throws(() => provenDeposit(proof, contract, () => true), { code: 'DEPOSIT_EVENT' })
  t.throws(() => provenDeposit(proof, contract, () => false), { code: 'DEPOSIT_PROOF', message: /not trusted/ })
  t.throws(() => provenDeposit(proof, new Uint8Array(20), () => true), { message: /another contract/ })
  t.throws(() => provenDeposit({ ...proof, log_index: 1000 }, contract, () => true), { message: /no log/ })
  t.throws(() => provenDeposit({ ...proof, headers: [] }, contract, () => true), { message: /no header/ })
  const twice = [...proof.headers, ...proof.headers]
  t.throws(() => provenDeposit({ ...proof, headers: twice }, contract, () => true), { message: /no child/ })
})
