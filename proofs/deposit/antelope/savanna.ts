// Actions that credit a deposit of a Savanna chain: first hand-offs to finalizer policies that the gateway may lack, then
// a root of the finality tree with its certificate, then the credit with the path from the log action to that root.

import { BugError, UserError } from '../../../core/errors.ts'
import type { BridgeLog } from '../../../core/finality/bridge-log.ts'
import type { SavannaProof } from '../../../core/finality/light-client.ts'
import type { ProofSource } from '../../../core/finality/proof-source.ts'
import type { PendingSince } from '../../../core/finality/track.ts'
import { toHex } from '../../../core/hex.ts'
import { required } from '../../../core/required.ts'
import type { CertifiedBlock } from '../../build.ts'
import { certifiedBlock, knownPolicy, type Verifier } from '../../certified-block.ts'
import { treePath } from '../../tree-path.ts'
import { creditAction, depositAction, type GatewayAccount } from '../abi.ts'
import type { DepositAction, DepositProof } from '../json.ts'
import { type PolicyTrust, savannaDepositProblem } from './check.ts'
import { certifiedRootOf, handoffOf, savannaProof } from './members.ts'

export interface SavannaDepositSource {
  chain: string
  source: Omit<ProofSource, 'burn'>
  verify: Verifier
  /** Account that locks deposits. */
  bridge: string
  /** The `deplog` of a nonce. */
  log(nonce: bigint): Promise<BridgeLog | null>
}

/** What the gateway trusts already, derived from the deposits that it has credited. */
export interface SavannaKnowledge {
  /** The newest block with a credited deposit; null before the first one. */
  since: number | null
  /** Trusted roots in order of arrival, each with the block of a deposit that was proved under it. */
  roots: readonly { root: string; blockNum: number }[]
}

/**
 * Builds the actions that credit a deposit, and checks them with the rules of the gateway.
 *
 * @returns null while the deposit is unknown or no strong certificate covers it
 * @throws DecodeError CERTIFICATE_INVALID when the node has sent a certificate that does not verify
 * @throws UserError HANDOFF_MISSING when the gateway lacks a policy from before the stored blocks
 * @throws BugError PROOF_DOES_NOT_HOLD when the self-check fails; such a proof is never returned
 */
export async function proveSavannaDeposit(
  from: SavannaDepositSource,
  nonce: bigint,
  gateway: GatewayAccount,
  knowledge: SavannaKnowledge,
): Promise<DepositProof | null> {
  const log = await from.log(nonce)
  if (!log) return null
  const trustedRoot = await findTrustedRoot(from, log, knowledge)
  const preparation: DepositAction[] = []
  const trust: PolicyTrust = { roots: [], policies: [] }
  let lastBlock = trustedRoot?.lastBlock
  if (trustedRoot) trust.roots.push(trustedRoot.root)
  else {
    const known = await generationAt(from, knowledge.since ?? log.blockNum)
    const certified = await certifiedBlock(from, log.blockNum, known)
    if (!certified) return null
    const policies = await from.source.policies()
    trust.policies.push(knownPolicy(policies, known).policy)
    preparation.push(...(await handoffs(from, gateway, policies, known, certified)))
    preparation.push(depositAction(gateway, 'submitroot', { root: certifiedRootOf(certified) }))
    lastBlock = certified.block.data.claimBlockNum
  }
  const credit = creditAction(gateway, nonce, 'deposit_proof', [
    'savanna_proof',
    await actionProof(from, log, required(lastBlock, 'last block')),
  ])
  const actions = [...preparation, credit]
  const expected = { gateway: gateway.account, bridge: from.bridge, nonce, data: log.data }
  const problem = savannaDepositProblem(actions, trust, expected)
  if (problem === null) return { actions, immutable: trustedRoot !== null }
  throw new BugError('PROOF_DOES_NOT_HOLD', `${from.chain}: proof of deposit ${nonce}: ${problem}`, {
    place: { chain: from.chain, block: log.blockNum },
  })
}

/** The first trusted root that covers the log; null if there is none. */
async function findTrustedRoot(
  { source }: SavannaDepositSource,
  log: BridgeLog,
  { roots }: SavannaKnowledge,
): Promise<{ root: string; lastBlock: number } | null> {
  for (const { root, blockNum } of roots) {
    const found = await source.certified(blockNum, 0)
    const lastBlock = found?.block.data.claimBlockNum ?? 0
    if (lastBlock >= log.blockNum && toHex(required(found, 'certified block').block.finalityMroot) === root)
      return { root, lastBlock }
  }
  return null
}

/**
 * Generation of the policy that was active in a block. The gateway knows this policy, because it needed the policy to
 * credit a deposit of the block. For a block before Savanna: the generation of the first policy.
 */
async function generationAt({ source, chain }: SavannaDepositSource, blockNum: number): Promise<number> {
  const block = await source.block(Math.max(blockNum, (await source.genesis()) ?? 0))
  if (block) return block.data.activeGeneration
  throw new UserError('HANDOFF_MISSING', `the policy of block ${blockNum} is from before the first stored block`, {
    hint: `index the chain ${chain} from an earlier block`,
    place: { chain, block: blockNum },
  })
}

/**
 * Actions by which the gateway learns the policies that it needs to check a certificate, in order.
 *
 * @param known  generation of the newest policy that the gateway knows
 */
async function handoffs(
  from: SavannaDepositSource,
  gateway: GatewayAccount,
  policies: readonly PendingSince[],
  known: number,
  { block }: CertifiedBlock,
): Promise<DepositAction[]> {
  const actions: DepositAction[] = []
  for (const since of policies) {
    const { generation } = since.policy
    if (generation <= known || generation > block.data.activeGeneration) continue
    const certified = await certifiedBlock(from, since.blockNum, known)
    const promotion = await from.source.block(since.blockNum)
    if (!certified || !promotion) {
      throw new UserError('HANDOFF_MISSING', `policy ${generation} became pending before the first stored block`, {
        hint: `index the chain ${from.chain} from an earlier block`,
        place: { chain: from.chain, block: since.blockNum },
      })
    }
    const path = await treePath(from.source, since.blockNum, certified.block.data.claimBlockNum)
    const root = certifiedRootOf(certified)
    actions.push(depositAction(gateway, 'learn', { root, handoff: handoffOf(since, promotion, path) }))
  }
  return actions
}

/** The path from a log action to the root that covers `lastBlock`, as the struct `savanna_proof`. */
async function actionProof(from: SavannaDepositSource, log: BridgeLog, lastBlock: number): Promise<SavannaProof> {
  const block = await from.source.block(log.blockNum)
  if (!block) throw new BugError('BLOCK_NOT_STORED', `block ${log.blockNum} of ${from.chain} is not known`)
  return savannaProof(log, block, await treePath(from.source, log.blockNum, lastBlock))
}
