// The light client with certificates of a real chain, and with policies whose finalizers have different weights.
import t from 'tap'
import { type MadePolicy, makePolicy, makeProof } from '../../bench/proofs/made-proof.ts'
import { BLOCK_EXTENSION, readSignedBlock } from '../../core/antelope/block.ts'
import { type FinalizerPolicy, packFinalizerPolicy } from '../../core/finality/finalizer-policy.ts'
import { readQuorumCertificate } from '../../core/finality/quorum-certificate.ts'
import type { PendingSince } from '../../core/finality/track.ts'
import { fromHex } from '../../core/hex.ts'
import { type CertifiedBlock, submitRootArguments } from '../../proofs/build.ts'
import { rootProblem } from '../../proofs/check.ts'
import { fromEip2537, toEip2537 } from '../../proofs/eip2537.ts'
import { loadVectors } from '../fixtures/proofs/load.ts'
import { rootArguments } from '../proofs/destination.ts'
import { Anvil } from './anvil.ts'

interface Policy {
  generation: number
  threshold: string
  digest: string
  finalizers: { description: string; weight: string; public_key_le: string }[]
}
interface Block {
  block_num: number
  block_id: string
  signed_block: string
  expect?: {
    active_policy: Policy
    pending_policy?: Policy | null
    base_digest: string
    reversible_blocks_mroot: string
    latest_qc_claim_block_num: number
    latest_qc_claim_finality_digest: string
    latest_qc_claim_timestamp: number
    last_pending_start_timestamp: number
    finality_mroot: string
    finality_digest: string
  }
}
interface EvmCase {
  qc_block: number
  signature: string
  policyKeys: string
  pending: { signature: string; policyKeys: string } | null
}

const blocks = loadVectors<{ blocks: Block[] }>('savanna-consensus-chain').blocks
const encoded = loadVectors<{ cases: EvmCase[] }>('savanna-evm-qc').cases

const policyOf = ({ generation, threshold, finalizers }: Policy): FinalizerPolicy => ({
  generation,
  threshold: BigInt(threshold),
  finalizers: finalizers.map(({ description, weight, public_key_le }) => ({
    description,
    weight: BigInt(weight),
    publicKey: fromHex(public_key_le),
  })),
})
const since = (policy: Policy, start: number): PendingSince => ({
  policy: policyOf(policy),
  digest: fromHex(policy.digest),
  blockNum: 0,
  start,
})

/** Blocks with the certificates on them, which later blocks carry. */
function certifiedBlocks(): CertifiedBlock[] {
  return blocks.flatMap(({ signed_block }) => {
    const extension = readSignedBlock(fromHex(signed_block)).extensions.find(
      ({ id }) => id === BLOCK_EXTENSION.quorumCertificate,
    )
    if (!extension) return []
    const certificate = readQuorumCertificate(extension.data)
    const target = blocks.find(({ block_num }) => block_num === certificate.blockNum)!
    const expect = target.expect!
    const { header } = readSignedBlock(fromHex(target.signed_block))
    const start = expect.last_pending_start_timestamp
    const active = since(expect.active_policy, start)
    const pending = expect.pending_policy ? since(expect.pending_policy, start) : null
    const block = {
      blockNum: target.block_num,
      blockId: target.block_id,
      timestamp: header.timestamp,
      parentTimestamp: 0,
      finalityMroot: fromHex(expect.finality_mroot),
      lastPendingPolicyDigest: (pending ?? active).digest,
      lastPendingPolicyStart: start,
      data: {
        major: 1,
        minor: 0,
        activeGeneration: active.policy.generation,
        lastPendingGeneration: (pending ?? active).policy.generation,
        actionMroot: new Uint8Array(32),
        reversibleBlocksMroot: fromHex(expect.reversible_blocks_mroot),
        claimBlockNum: expect.latest_qc_claim_block_num,
        claimFinalityDigest: fromHex(expect.latest_qc_claim_finality_digest),
        claimTimestamp: expect.latest_qc_claim_timestamp,
        baseDigest: fromHex(expect.base_digest),
      },
      finalityDigest: fromHex(expect.finality_digest),
      leaf: new Uint8Array(32),
    }
    return [{ block, certificate, active, pending }]
  })
}

const anvil = await Anvil.start({ chainId: 1, time: 1_767_225_600 })
t.teardown(() => anvil.stop())

t.test('certificates of a real chain, single and joint, are accepted unchanged', async (t) => {
  const certified = certifiedBlocks()
  const client = await anvil.deploy('SvcLightClient', packFinalizerPolicy(certified[0]!.active.policy))
  let joint = 0
  for (const one of certified) {
    const submit = submitRootArguments(one)
    const { blockNum, data, finalityMroot } = one.block
    const known = encoded.find(({ qc_block }) => qc_block === blockNum)!
    t.equal(submit.signature, known.signature)
    t.equal(`0x${submit.policyKeys.map((word) => word.slice(2)).join('')}`, known.policyKeys)
    if (one.pending) t.equal(submit.pending.signature, known.pending?.signature)
    const refusal = await anvil.refusal(client, 'submitRoot', ...rootArguments(submit))
    if (finalityMroot.every((byte) => byte === 0)) {
      t.equal(refusal, 'EmptyRoot', 'the tree of the genesis block alone proves nothing')
      continue
    }
    t.equal(rootProblem(submit, one.active.policy), null)
    await anvil.send(client, 'submitRoot', ...rootArguments(submit))
    t.equal(Number(await client.getFunction('roots')(finalityMroot)), data.claimBlockNum, `block ${blockNum}`)
    if (one.pending) joint++
  }
  t.equal(joint, 2)
})

t.test('points are converted to the EVM’s format and back', async (t) => {
  const point = Uint8Array.from({ length: 192 }, (_, i) => i)
  t.same(fromEip2537(toEip2537(point)), point)
  const padded = toEip2537(point)
  padded[64] = 1
  t.throws(() => fromEip2537(padded), { code: 'INVALID_BLS_POINT' })
})

const withdrawal = {
  id: 1n,
  domain: 1n,
  vault: new Uint8Array(20),
  token: new Uint8Array(20),
  recipient: new Uint8Array(20),
  amount: 1n,
  deadline: 1n,
  fee: 0n,
  memo: new Uint8Array(),
}
const make = (active: MadePolicy, pending: MadePolicy | null, voters: readonly number[]) =>
  makeProof({ withdrawal, actionDepth: 1, treeDepth: 3, active, pending, votes: (i) => voters.includes(i) }).submitRoot

t.test('votes count by weight', async (t) => {
  const active = makePolicy(7, [5n, 1n, 1n, 1n, 1n, 1n, 1n, 1n, 1n])
  t.equal(active.since.policy.threshold, 9n)
  const client = await anvil.deploy('SvcLightClient', packFinalizerPolicy(active.since.policy))
  t.equal(
    await client.getFunction('weights')(7),
    `0x${[5, 1, 1, 1, 1, 1, 1, 1, 1].map((w) => `${w}`.padStart(16, '0')).join('')}`,
  )
  const submit = (voters: number[]) => make(active, null, voters)
  const refusal = (voters: number[]) => anvil.refusal(client, 'submitRoot', ...rootArguments(submit(voters)))
  t.equal(await refusal([0, 1, 2, 3, 8]), null, '5 + 4')
  t.equal(await refusal([0, 1, 2, 3]), 'NoQuorum', '5 + 3')
  t.equal(await refusal([1, 2, 3, 4, 5, 6, 7, 8]), 'NoQuorum', 'all but the heavy one')
  t.equal(rootProblem(submit([1, 2, 3, 4, 5, 6, 7, 8]), active.since.policy), 'no quorum')
  t.equal(rootProblem(submit([0, 1, 2, 3, 8]), active.since.policy), null)
})

t.test('a pending policy with weights of its own has to reach its own threshold', async (t) => {
  const active = makePolicy(1, [1n, 1n, 1n, 1n])
  const pending = makePolicy(2, [1n, 1n, 1n, 6n])
  const client = await anvil.deploy('SvcLightClient', packFinalizerPolicy(active.since.policy))
  const refusal = (voters: number[]) =>
    anvil.refusal(client, 'submitRoot', ...rootArguments(make(active, pending, voters)))
  t.equal(await refusal([0, 1, 3]), null)
  t.equal(await refusal([0, 1, 2]), 'NoQuorum', 'a quorum of the active policy only')
})

t.test('a malformed first policy cannot be deployed', async (t) => {
  const { policy } = makePolicy(1, [1n, 1n, 1n]).since
  const packed = packFinalizerPolicy(policy)
  const bad = [
    packed.subarray(0, -1),
    Buffer.concat([packed, Buffer.of(0)]),
    packFinalizerPolicy({ ...policy, threshold: 1n }),
  ]
  bad.push(packFinalizerPolicy({ ...policy, threshold: 4n }), packFinalizerPolicy({ ...policy, finalizers: [] }))
  for (const bytes of bad) await t.rejects(anvil.deploy('SvcLightClient', bytes))
  await anvil.deploy('SvcLightClient', packed)
})
