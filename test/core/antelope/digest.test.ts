import t from 'tap'
import {
  type ActionReceipt,
  actDigest,
  actionBase,
  actionDigest,
  legacyActionDigest,
  witnessHash,
} from '../../../core/antelope/digest.ts'
import { legacyMerkleRoot, merkleRoot } from '../../../core/antelope/merkle.ts'
import { fromHex, toHex } from '../../../core/hex.ts'
import { sha256 } from '../../../core/sha256.ts'
import { loadVectors } from '../../fixtures/proofs/load.ts'

interface Action {
  account: string
  name: string
  receiver: string
  authorization: { actor: string; permission: string }[]
  data: string
  return_value: string
  act_digest: string
  global_sequence: string
  recv_sequence: string
  auth_sequence: [string, string][]
  code_sequence: number
  abi_sequence: number
  expect: { witness_hash: string; digest_savanna: string; digest_legacy: string }
}
interface Chain {
  blocks: { block_num: number; actions: Action[]; expect: { action_mroot: string } }[]
}
const { blocks } = loadVectors<Chain>('savanna-deepmind-chain')

const receiptOf = (a: Action): ActionReceipt => ({
  receiver: a.receiver,
  actDigest: fromHex(a.act_digest),
  globalSequence: BigInt(a.global_sequence),
  recvSequence: BigInt(a.recv_sequence),
  authSequence: a.auth_sequence.map(([account, sequence]) => [account, BigInt(sequence)] as const),
  codeSequence: a.code_sequence,
  abiSequence: a.abi_sequence,
})

t.test('digests of every action of a real chain, and the roots of its blocks', async (t) => {
  for (const block of blocks) {
    const leaves = block.actions.map((action) => {
      const receipt = receiptOf(action)
      const packed = { ...action, data: fromHex(action.data) }
      t.equal(toHex(actDigest(packed, fromHex(action.return_value))), action.act_digest)
      t.equal(toHex(actDigest(packed, fromHex(action.return_value), actionBase(packed))), action.act_digest)
      t.equal(toHex(witnessHash(receipt)), action.expect.witness_hash)
      t.equal(toHex(actionDigest(receipt, action)), action.expect.digest_savanna)
      t.equal(toHex(legacyActionDigest(receipt)), action.expect.digest_legacy)
      return fromHex(action.expect.digest_savanna)
    })
    t.equal(toHex(merkleRoot(leaves)), block.expect.action_mroot, `block ${block.block_num}`)
  }
  t.not(toHex(legacyMerkleRoot([new Uint8Array(32), new Uint8Array(32)])), toHex(sha256(new Uint8Array(64))))
})

t.test('without return values the digest is one hash over the whole action', async (t) => {
  const action = { account: 'a', name: 'b', authorization: [], data: new Uint8Array([1, 2]) }
  const bytes = fromHex(`${'00'.repeat(7)}30${'00'.repeat(7)}3800020102`)
  t.equal(toHex(actDigest(action, null)), toHex(sha256(bytes)))
})
