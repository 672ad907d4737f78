// Checks state-history results of a Savanna devnet without using devnet code: ids, linkage, roots, digests, finality
// tree, claims, certificates. wharfkit decodes the messages. The digest functions are tested against real chains.

import type { Test } from 'tap'
import { BLOCK_EXTENSION, readSignedBlock, transactionReceiptDigest } from '../../core/antelope/block.ts'
import { actDigest, actionDigest, legacyActionDigest, type PackedAction } from '../../core/antelope/digest.ts'
import { EMPTY_ROOT, IncrementalMerkle, legacyMerkleRoot, merkleRoot } from '../../core/antelope/merkle.ts'
import { finalityDigest, finalityLeaf, level2Digest, level3Digest } from '../../core/finality/digests.ts'
import { readFinalityData } from '../../core/finality/finality-data.ts'
import { finalityExtensionOf } from '../../core/finality/finality-extension.ts'
import {
  applyFinalizerPolicyDiff,
  type FinalizerPolicy,
  finalizerPolicyDigest,
} from '../../core/finality/finalizer-policy.ts'
import { isStrong, readQuorumCertificate, verifyQuorumCertificate } from '../../core/finality/quorum-certificate.ts'
import { fromHex, toHex } from '../../core/hex.ts'
import { sha256 } from '../../core/sha256.ts'
import type { Plain } from './wharf.ts'

interface Audited {
  id: string
  timestamp: number
  digest: Uint8Array
  tree: IncrementalMerkle
  claim: { blockNum: number; strong: boolean }
  policies: Map<number, FinalizerPolicy>
  active: number
  lastPending: { generation: number; digest: Uint8Array; start: number }
}

interface Executed {
  sequence: bigint
  savanna: Uint8Array
  legacy: Uint8Array
}

function executedActions(t: Test, traces: Plain): Executed[] {
  const all: Executed[] = []
  for (const [, { action_traces }] of traces) {
    for (const [i, [, trace]] of action_traces.entries()) {
      t.equal(trace.action_ordinal, i + 1, 'ordinals count from one')
      const { act, receipt } = trace
      const action: PackedAction = { ...act, data: fromHex(act.data) }
      const [, fields] = receipt
      const digest = actDigest(action, fromHex(trace.return_value))
      t.equal(fields.act_digest, toHex(digest))
      const facts = {
        receiver: fields.receiver,
        actDigest: digest,
        globalSequence: BigInt(fields.global_sequence),
        recvSequence: BigInt(fields.recv_sequence),
        authSequence: fields.auth_sequence.map((auth: Plain) => [auth.account, BigInt(auth.sequence)] as const),
        codeSequence: fields.code_sequence,
        abiSequence: fields.abi_sequence,
      }
      all.push({
        sequence: facts.globalSequence,
        savanna: actionDigest(facts, action),
        legacy: legacyActionDigest(facts),
      })
    }
  }
  return all.sort((a, b) => (a.sequence < b.sequence ? -1 : 1))
}

export class Auditor {
  /** Certificates found so far, with the block that each one is for. */
  readonly certificates: { blockNum: number; strong: boolean; joint: boolean }[] = []
  private readonly t: Test
  private readonly blocks = new Map<number, Audited>()
  private readonly genesis: number
  private readonly verifyEvery: number

  /** @param verifyEvery  the signatures of every n-th certificate are verified; 1 verifies all */
  constructor(t: Test, genesis: number, verifyEvery = 1) {
    this.t = t
    this.genesis = genesis
    this.verifyEvery = verifyEvery
  }

  /** Checks the next result. It may replace blocks that were checked before. */
  check(result: Plain): void {
    const { t } = this
    const num = result.this_block.block_num
    const block = readSignedBlock(fromHex(result.raw.block))
    const parent = this.blocks.get(num - 1)
    t.equal(block.id, result.this_block.block_id, `id of block ${num}`)
    t.equal(block.blockNum, num)
    if (parent) {
      t.equal(result.prev_block.block_id, parent.id)
      t.equal(block.header.previous, parent.id)
      t.ok(block.header.timestamp > parent.timestamp)
    }

    const actions = executedActions(t, result.traces)
    const { header } = block
    const proper = header.scheduleVersion === 0x80000000
    const root = proper ? merkleRoot : legacyMerkleRoot
    t.equal(toHex(root(block.transactions.map(transactionReceiptDigest))), toHex(header.transactionMroot))
    const ids = block.transactions.map(({ trx }) =>
      toHex(sha256(typeof trx === 'string' ? fromHex(trx) : trx.packedTrx)),
    )
    t.same(
      result.traces.slice(1).map(([, trace]: Plain) => trace.id),
      ids,
      'one trace for each transaction',
    )

    const data = readFinalityData(fromHex(result.raw.finality_data))
    t.equal(toHex(data.actionMroot), toHex(merkleRoot(actions.map((action) => action.savanna))))
    const { claim, finalizerPolicy } = finalityExtensionOf(header)!
    t.same(claim.blockNum, data.claimBlockNum)
    const claimed = this.blocks.get(claim.blockNum)
    t.equal(toHex(data.claimFinalityDigest), toHex(claimed?.digest ?? EMPTY_ROOT))
    t.equal(data.claimTimestamp, claimed?.timestamp ?? 0)
    const finalityMroot = proper ? header.actionMroot : EMPTY_ROOT
    if (proper) {
      const expected = claim.blockNum === this.genesis ? EMPTY_ROOT : claimed!.tree.root()
      t.equal(toHex(finalityMroot), toHex(expected), `finality root of ${num}`)
    } else {
      t.equal(toHex(header.actionMroot), toHex(legacyMerkleRoot(actions.map((action) => action.legacy))))
    }

    const policies = new Map(parent?.policies)
    if (finalizerPolicy) {
      const base = [...policies.values()].at(-1) ?? null
      policies.set(finalizerPolicy.generation, applyFinalizerPolicyDiff(base, finalizerPolicy))
    }
    const pending = data.pendingPolicy
    if (pending) t.same(pending, policies.get(pending.generation), 'the policy that was proposed')
    const lastPending = pending
      ? { generation: pending.generation, digest: finalizerPolicyDigest(pending), start: header.timestamp }
      : parent!.lastPending
    t.equal(data.lastPendingGeneration, lastPending.generation)
    const digest = finalityDigest({
      ...data,
      finalityMroot,
      level2Digest: level2Digest({
        lastPendingPolicyDigest: lastPending.digest,
        lastPendingPolicyStart: lastPending.start,
        level3Digest: level3Digest({ ...data, timestamp: header.timestamp }),
      }),
    })
    const { timestamp } = header
    const parentTimestamp = parent?.timestamp ?? 0
    const leaf = finalityLeaf({ ...data, blockNum: num, timestamp, parentTimestamp, finalityDigest: digest })
    this.certificate(block.extensions, claim, parent)
    this.blocks.set(num, {
      id: block.id,
      timestamp,
      digest,
      tree: (parent?.tree ?? IncrementalMerkle.empty).append(leaf),
      claim,
      policies,
      active: data.activeGeneration,
      lastPending,
    })
  }

  private certificate(
    extensions: readonly { id: number; data: Uint8Array }[],
    claim: Audited['claim'],
    parent: Audited | undefined,
  ): void {
    const { t } = this
    const packed = extensions.find(({ id }) => id === BLOCK_EXTENSION.quorumCertificate)
    t.equal(packed !== undefined, parent !== undefined && claim.blockNum !== parent.claim.blockNum, 'new claims only')
    if (!packed) return
    const certificate = readQuorumCertificate(packed.data)
    t.equal(certificate.blockNum, claim.blockNum)
    t.equal(isStrong(certificate), claim.strong)
    const { blockNum, pending } = certificate
    this.certificates.push({ blockNum, strong: claim.strong, joint: pending !== null })
    if (this.certificates.length % this.verifyEvery !== 0) return
    const target = this.blocks.get(blockNum)!
    const { generation } = target.lastPending
    const policies = {
      active: target.policies.get(target.active)!,
      pending: generation === target.active ? null : target.policies.get(generation)!,
    }
    t.ok(verifyQuorumCertificate(certificate, policies, target.digest), `certificate on ${blockNum}`)
  }
}
