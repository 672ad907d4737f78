import t from 'tap'
import { BLOCK_EXTENSION, readSignedBlock } from '../../../core/antelope/block.ts'
import { type FinalizerPolicy, finalizerPolicyDigest } from '../../../core/finality/finalizer-policy.ts'
import {
  isStrong,
  packQuorumCertificate,
  readQuorumCertificate,
  verifyQuorumCertificate,
} from '../../../core/finality/quorum-certificate.ts'
import { fromHex, toHex } from '../../../core/hex.ts'
import { loadVectors } from '../../fixtures/proofs/load.ts'

interface Finalizer {
  description: string
  weight: string | number
  public_key_le: string
}
interface Policy {
  generation: number
  threshold: string | number
  finalizers: Finalizer[]
}
interface Synthetic {
  finality_digest: string
  policy_digest: string
  policy: {
    generation: number
    threshold: number
    finalizers: { description: string; weight: number; pk_le: string }[]
  }
  cases: { packed: string; strong: number[]; weak: number[]; is_strong: boolean; expect: string }[]
}
interface ConsensusBlock {
  block_num: number
  signed_block: string
  expect?: { active_policy: Policy; pending_policy?: Policy | null; finality_digest: string }
}

const policyOf = (policy: Policy): FinalizerPolicy => ({
  generation: policy.generation,
  threshold: BigInt(policy.threshold),
  finalizers: policy.finalizers.map(({ description, weight, public_key_le }) => ({
    description,
    weight: BigInt(weight),
    publicKey: fromHex(public_key_le),
  })),
})

t.test('weak, strong and insufficient certificates', async (t) => {
  const { cases, finality_digest, policy, policy_digest } = loadVectors<Synthetic>('savanna-synthetic-weak-qc')
  const finalizers = policy.finalizers.map(({ pk_le, ...rest }) => ({ ...rest, public_key_le: pk_le }))
  const active = policyOf({ ...policy, finalizers })
  t.equal(toHex(finalizerPolicyDigest(active)), policy_digest)
  const digest = fromHex(finality_digest)
  const indexes = (votes: readonly boolean[] | null) => [...(votes ?? []).keys()].filter((i) => votes![i])
  for (const { packed, strong, weak, is_strong, expect } of cases) {
    const certificate = readQuorumCertificate(fromHex(packed))
    t.equal(toHex(packQuorumCertificate(certificate)), packed)
    t.same(indexes(certificate.active.strong), strong)
    t.same(indexes(certificate.active.weak), weak)
    t.equal(isStrong(certificate), is_strong)
    t.equal(
      verifyQuorumCertificate(certificate, { active, pending: null }, digest),
      !expect.startsWith('below threshold'),
      expect,
    )
  }
  const valid = readQuorumCertificate(fromHex(cases[0]!.packed))
  const policies = { active, pending: null }
  t.notOk(verifyQuorumCertificate(valid, policies, new Uint8Array(32)), 'another block')
  t.notOk(verifyQuorumCertificate(valid, { active, pending: active }, digest), 'the pending policy has not signed')
  const shorter = { ...active, finalizers: active.finalizers.slice(1) }
  t.notOk(verifyQuorumCertificate(valid, { active: shorter, pending: null }, digest), 'another number of finalizers')
  const double = { ...valid, active: { ...valid.active, weak: valid.active.strong } }
  t.notOk(verifyQuorumCertificate(double, policies, digest), 'strong and weak at once')
})

t.test('certificates of a real chain, single and joint', async (t) => {
  const { blocks } = loadVectors<{ blocks: ConsensusBlock[] }>('savanna-consensus-chain')
  const expectation = new Map(blocks.map((block) => [block.block_num, block.expect]))
  let joint = 0
  let single = 0
  for (const { signed_block } of blocks) {
    const { extensions } = readSignedBlock(fromHex(signed_block))
    const data = extensions.find(({ id }) => id === BLOCK_EXTENSION.quorumCertificate)?.data
    if (!data) continue
    const certificate = readQuorumCertificate(data)
    const target = expectation.get(certificate.blockNum)!
    const active = policyOf(target.active_policy)
    const pending = target.pending_policy ? policyOf(target.pending_policy) : null
    if (pending) joint++
    else if (single++ > 1) continue
    t.ok(
      verifyQuorumCertificate(certificate, { active, pending }, fromHex(target.finality_digest)),
      `certificate on ${certificate.blockNum}`,
    )
    if (!pending) continue
    const split = { ...certificate, pending: { ...certificate.pending!, strong: [true, true, true, false] } }
    t.notOk(
      verifyQuorumCertificate(split, { active, pending }, fromHex(target.finality_digest)),
      'a finalizer of both policies votes in one of them only',
    )
  }
  t.ok(joint >= 2 && single >= 2)
})
