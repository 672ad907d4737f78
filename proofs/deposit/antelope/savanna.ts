// The actions that credit a deposit of an Antelope chain under Savanna: policies that the gateway may lack, a root of the
// finality tree with its certificate, and the credit with the way from the log action to that root.
import { level3Digest } from '../../../core/antelope/finality.ts'
import { packFinalizerPolicy } from '../../../core/antelope/finalizer-policy.ts'
import { merkleProof, type Sibling } from '../../../core/antelope/merkle.ts'
import { isStrong, type QuorumSignature } from '../../../core/antelope/quorum-certificate.ts'
import { BugError, DecodeError, UserError } from '../../../core/errors.ts'
import type { BridgeLog } from '../../../core/finality/bridge-log.ts'
import { pathOf, pathPositions, rootOf, rootPositions } from '../../../core/finality/positions.ts'
import type { PendingSince, TrackedBlock } from '../../../core/finality/track.ts'
import { toHex } from '../../../core/hex.ts'
import type { CertifiedBlock, TreePath } from '../../build.ts'
import type { Verifier } from '../../prove.ts'
import type { ProofSource } from '../../source.ts'
import { creditAction, depositAction, type GatewayAccount } from '../abi.ts'
import type { DepositAction, DepositProof } from '../json.ts'
import { type PolicyTrust, savannaDepositProblem } from './check.ts'

export interface SavannaDepositSource {
  chain: string
  source: Omit<ProofSource, 'burn'>
  verify: Verifier
  /** Account that locks deposits. */
  bridge: string
  /** The `deplog` of a nonce. */
  log(nonce: bigint): Promise<BridgeLog | null>
}

/** What the gateway trusts, as far as the deposits that it has credited tell. */
export interface SavannaKnowledge {
  /** The newest block of which it has credited a deposit; null before the first. */
  since: number | null
  /** Roots that it trusts, in the order in which it learned them, each with a block whose deposit it has proved. */
  roots: readonly { root: string; blockNum: number }[]
}

/**
 * @returns null while the deposit is not known or no strong certificate covers it
 * @throws DecodeError CERTIFICATE_INVALID when the node has sent a certificate that does not verify
 * @throws UserError HANDOFF_MISSING when the gateway lacks a policy older than the blocks that are known
 * @throws BugError PROOF_DOES_NOT_HOLD when the self-check fails; nothing of the kind is ever handed out
 */
export async function proveSavannaDeposit(
  from: SavannaDepositSource,
  nonce: bigint,
  gateway: GatewayAccount,
  knowledge: SavannaKnowledge,
): Promise<DepositProof | null> {
  const log = await from.log(nonce)
  if (!log) return null
  const known = await knownRoot(from, log, knowledge)
  const before: DepositAction[] = []
  const trust: PolicyTrust = { roots: [], policies: [] }
  let lastBlock = known?.lastBlock
  if (known) trust.roots.push(known.root)
  else {
    const first = await generationAt(from, knowledge.since ?? log.blockNum)
    const certified = await certifiedBlock(from, log.blockNum, first)
    if (!certified) return null
    const policies = await from.source.policies()
    trust.policies.push(policyOf(policies, first).policy)
    before.push(...(await handoffs(from, gateway, policies, first, certified)))
    before.push(depositAction(gateway, 'submitroot', { root: certifiedRoot(certified) }))
    lastBlock = certified.block.data.claimBlockNum
  }
  const credit = creditAction(gateway, nonce, 'deposit_proof', [
    'savanna_proof',
    await actionProof(from, log, lastBlock!),
  ])
  const actions = [...before, credit]
  const expected = { gateway: gateway.account, bridge: from.bridge, nonce, data: log.data }
  const problem = savannaDepositProblem(actions, trust, expected)
  if (problem === null) return { actions, immutable: known !== null }
  throw new BugError('PROOF_DOES_NOT_HOLD', `${from.chain}: proof of deposit ${nonce}: ${problem}`, {
    place: { chain: from.chain, block: log.blockNum },
  })
}

/** The first root of which the gateway is known to trust it and that covers the log. */
async function knownRoot(
  { source }: SavannaDepositSource,
  log: BridgeLog,
  { roots }: SavannaKnowledge,
): Promise<{ root: string; lastBlock: number } | null> {
  for (const { root, blockNum } of roots) {
    const found = await source.certified(blockNum, 0)
    const lastBlock = found?.block.data.claimBlockNum ?? 0
    if (lastBlock >= log.blockNum && toHex(found!.block.finalityMroot) === root) return { root, lastBlock }
  }
  return null
}

/**
 * The policy that is active in a block: the gateway has needed it for a deposit there. One that has only credited deposits
 * from before Savanna is set up with the first policy.
 */
async function generationAt({ source, chain }: SavannaDepositSource, blockNum: number): Promise<number> {
  const block = await source.block(Math.max(blockNum, (await source.genesis()) ?? 0))
  if (block) return block.data.activeGeneration
  throw new UserError('HANDOFF_MISSING', `the policy of block ${blockNum} came before the blocks that are known`, {
    hint: `start the chain ${chain} earlier`,
    place: { chain, block: blockNum },
  })
}

async function certifiedBlock(
  { source, verify, chain }: SavannaDepositSource,
  claim: number,
  generation: number,
): Promise<CertifiedBlock | null> {
  const found = await source.certified(claim, generation)
  if (!found) return null
  const policies = await source.policies()
  const { activeGeneration, lastPendingGeneration } = found.block.data
  const active = policyOf(policies, activeGeneration)
  const pending = lastPendingGeneration === activeGeneration ? null : policyOf(policies, lastPendingGeneration)
  const certified = { ...found, active, pending }
  if (isStrong(certified.certificate) && (await verify(certified))) return certified
  const { blockNum: block } = found.block
  throw new DecodeError('CERTIFICATE_INVALID', `the certificate on block ${block} does not verify`, {
    hint: 'the node has sent wrong data: take another one',
    place: { chain, block },
  })
}

function policyOf(policies: readonly PendingSince[], generation: number): PendingSince {
  const found = policies.find(({ policy }) => policy.generation === generation)
  if (found) return found
  throw new BugError('POLICY_NOT_STORED', `finalizer policy ${generation} is not known`, {
    hint: 'a start in the middle of a chain needs the policies that are active and pending there',
  })
}

/** What the gateway has to learn before it can check a certificate, one policy after the other. */
async function handoffs(
  from: SavannaDepositSource,
  gateway: GatewayAccount,
  policies: readonly PendingSince[],
  first: number,
  { block }: CertifiedBlock,
): Promise<DepositAction[]> {
  const actions: DepositAction[] = []
  for (const since of policies) {
    const { generation } = since.policy
    if (generation <= first || generation > block.data.activeGeneration) continue
    const certified = await certifiedBlock(from, since.blockNum, first)
    const promotion = await from.source.block(since.blockNum)
    if (!certified || !promotion) {
      throw new UserError('HANDOFF_MISSING', `policy ${generation} became pending before the blocks that are known`, {
        hint: `start the chain ${from.chain} earlier`,
        place: { chain: from.chain, block: since.blockNum },
      })
    }
    const path = await treePath(from, since.blockNum, certified.block.data.claimBlockNum)
    const root = certifiedRoot(certified)
    actions.push(depositAction(gateway, 'learn', { root, handoff: handoffMembers(since, promotion, path) }))
  }
  return actions
}

/** Way of a block's leaf to the root of the tree up to `lastBlock`. */
async function treePath({ source }: SavannaDepositSource, blockNum: number, lastBlock: number): Promise<TreePath> {
  const genesis = (await source.genesis())!
  const [index, count] = [blockNum - genesis, lastBlock - genesis + 1]
  const positions = [...pathPositions(index, count), ...rootPositions(count)]
  const hashes = await source.nodes(positions)
  const nodes = new Map(positions.map(({ level, at }, i) => [`${level}/${at}`, hashes[i]!]))
  const read = ({ level, at }: (typeof positions)[number]) => nodes.get(`${level}/${at}`)!
  return { siblings: pathOf(index, count, read), root: rootOf(count, read) }
}

/** The struct `savanna_proof`. */
async function actionProof(from: SavannaDepositSource, log: BridgeLog, lastBlock: number): Promise<object> {
  const block = await from.source.block(log.blockNum)
  if (!block) throw new BugError('BLOCK_NOT_STORED', `block ${log.blockNum} of ${from.chain} is not known`)
  const path = await treePath(from, log.blockNum, lastBlock)
  const actions = merkleProof(log.leaves, log.index)
  return {
    data: log.data,
    recvSequence: log.recvSequence,
    witness: toHex(log.witness),
    actionSiblings: hashes(actions),
    actionPath: sides(actions),
    ...leafMembers(block),
    finalityDigest: toHex(block.finalityDigest),
    treeSiblings: hashes(path.siblings),
    treePath: sides(path.siblings),
    finalityMroot: toHex(path.root),
  }
}

/** The struct `handoff`. @param block  in which the policy became pending */
function handoffMembers(since: PendingSince, block: TrackedBlock, path: TreePath): object {
  const { data } = block
  return {
    ...leafMembers(block),
    activeGeneration: data.activeGeneration,
    lastPendingGeneration: data.lastPendingGeneration,
    blockFinalityMroot: toHex(block.finalityMroot),
    lastPendingPolicyStart: block.lastPendingPolicyStart,
    level3Digest: toHex(level3Digest({ ...data, timestamp: block.timestamp })),
    treeSiblings: hashes(path.siblings),
    treePath: sides(path.siblings),
    finalityMroot: toHex(path.root),
    policy: packFinalizerPolicy(since.policy),
  }
}

function leafMembers({ data, blockNum, timestamp, parentTimestamp }: TrackedBlock): object {
  const actionMroot = toHex(data.actionMroot)
  return { majorVersion: data.major, minorVersion: data.minor, blockNum, timestamp, parentTimestamp, actionMroot }
}

/** The struct `certified_root`. */
function certifiedRoot({ block, certificate, pending }: CertifiedBlock): object {
  const { data } = block
  return {
    finality: {
      majorVersion: data.major,
      minorVersion: data.minor,
      activeGeneration: data.activeGeneration,
      lastPendingGeneration: data.lastPendingGeneration,
      finalityMroot: toHex(block.finalityMroot),
      lastPendingPolicyDigest: toHex(block.lastPendingPolicyDigest),
      lastPendingPolicyStart: block.lastPendingPolicyStart,
      reversibleBlocksMroot: toHex(data.reversibleBlocksMroot),
      qcClaimBlockNum: data.claimBlockNum,
      qcClaimFinalityDigest: toHex(data.claimFinalityDigest),
      qcClaimTimestamp: data.claimTimestamp,
      timestamp: block.timestamp,
      baseDigest: toHex(data.baseDigest),
    },
    active: votes(certificate.active),
    pending:
      pending && certificate.pending
        ? { policy: packFinalizerPolicy(pending.policy), ...votes(certificate.pending) }
        : null,
  }
}

/** Finalizer i is bit i & 7 of byte i >> 3. */
function votes({ strong, signature }: QuorumSignature): { bits: Uint8Array; signature: Uint8Array } {
  const bits = new Uint8Array(Math.ceil((strong?.length ?? 0) / 8))
  for (const [i, voted] of (strong ?? []).entries()) if (voted) bits[i >> 3]! |= 1 << (i & 7)
  return { bits, signature }
}

const hashes = (siblings: readonly Sibling[]): string[] => siblings.map(({ hash }) => toHex(hash))

/** Bit k is set when sibling k stands on the left. */
const sides = (siblings: readonly Sibling[]): bigint =>
  siblings.reduce((bits, { left }, k) => (left ? bits | (1n << BigInt(k)) : bits), 0n)
