// Builds a withdrawal's proof for one destination. The hard proof is always there, with the policies that the light
// client must learn first; the light proof only when a root stored at the destination covers the burn. Each proof is
// checked before it is returned.

import { BugError, UserError } from '../core/errors.ts'
import type { Burn } from '../core/finality/burn.ts'
import type { ProofSource } from '../core/finality/proof-source.ts'
import type { PendingSince } from '../core/finality/track.ts'
import { toHex } from '../core/hex.ts'
import { type CertifiedBlock, learnArguments, releaseArguments, submitRootArguments } from './build.ts'
import { certifiedBlock, type Verifier } from './certified-block.ts'
import { type Expected, learnProblem, releaseProblem } from './check.ts'
import type { HandoffArguments, ReleaseArguments, WithdrawalProof } from './json.ts'
import { type TreePath, treePath } from './tree-path.ts'

/** A root stored by a light client (its event `RootStored`). */
export interface StoredRoot {
  /** 64 hex digits. */
  root: string
  /** The last block that the root covers. */
  lastBlock: number
}

/** A destination's contracts and the knowledge of its light client. EVM addresses have 0x, account names do not. */
export interface Destination {
  /** Null when no contract is called, or none is known. */
  releaseTo: string | null
  vault: string
  lightClient: string | null
  roots: readonly StoredRoot[]
  /** The oldest generation whose signatures the light client accepts. */
  generation: number
  /** The newest generation that the light client has learned. */
  newest: number
}

export interface Proving {
  source: ProofSource
  verify: Verifier
  /** Names on the ledger's chain: account, log action, permission. */
  ledger: Expected['ledger']
}

export interface Proof {
  proof: WithdrawalProof
  /** Whether the proof can never change. */
  immutable: boolean
}

/**
 * Proves a withdrawal.
 *
 * @param destination  the one with the burn's domain and vault
 * @returns null while the burn is unknown or no strong certificate covers it
 * @throws DecodeError CERTIFICATE_INVALID when the node has sent a certificate that does not verify
 * @throws UserError HANDOFF_MISSING when the light client lacks a policy from before the stored blocks
 * @throws BugError PROOF_DOES_NOT_HOLD when the self-check fails; such a proof is never returned
 */
export async function proveWithdrawal(proving: Proving, id: bigint, destination: Destination): Promise<Proof | null> {
  const { source } = proving
  const burn = await source.burn(id)
  if (!burn) return null
  const paths = new PathsOf(source, burn.blockNum)
  const stored = await usableRoot(source, burn, destination, paths)
  const certified = await hardBlock(proving, burn, destination, stored)
  if (!certified) return null
  const targets = { releaseTo: destination.releaseTo, vault: destination.vault }
  const handoffs = stored && certified.same ? [] : await handoffsFor(proving, certified.block, destination)
  const hard = {
    ...targets,
    release: await releaseUnder(proving, burn, certified.block.block.data.claimBlockNum, paths),
    submitRoot: submitRootArguments(certified.block),
    lightClient: destination.lightClient,
    handoffs,
  }
  const light = stored && { ...targets, release: await releaseUnder(proving, burn, stored.lastBlock, paths) }
  return { proof: { track: light ? 'light' : 'hard', light, hard }, immutable: light !== null && certified.same }
}

/** Memoizes the paths of one block's leaf to roots. */
class PathsOf {
  private readonly source: ProofSource
  private readonly blockNum: number
  private readonly known = new Map<number, Promise<TreePath>>()

  constructor(source: ProofSource, blockNum: number) {
    this.source = source
    this.blockNum = blockNum
  }

  /** The path to the root of the tree up to `lastBlock`. */
  to(lastBlock: number): Promise<TreePath> {
    const path = this.known.get(lastBlock) ?? treePath(this.source, this.blockNum, lastBlock)
    this.known.set(lastBlock, path)
    return path
  }
}

/**
 * The oldest stored root that covers a burn and is on this branch. The oldest, so that the proof does not change when
 * more roots are stored.
 */
async function usableRoot(
  source: ProofSource,
  burn: Burn,
  { roots }: Destination,
  paths: PathsOf,
): Promise<StoredRoot | null> {
  const covering = roots.filter(({ lastBlock }) => lastBlock >= burn.blockNum)
  for (const candidate of covering.sort((a, b) => a.lastBlock - b.lastBlock)) {
    if (!(await source.block(candidate.lastBlock))) continue
    const { root } = await paths.to(candidate.lastBlock)
    if (toHex(root) === candidate.root) return candidate
  }
  return null
}

/**
 * The block whose certificate the hard proof uses. If a root is stored, the block of that root: the light client
 * accepts it whatever it has learned since. `same` is true in this case.
 */
async function hardBlock(
  proving: Proving,
  burn: Burn,
  { generation }: Destination,
  stored: StoredRoot | null,
): Promise<{ block: CertifiedBlock; same: boolean } | null> {
  const own = stored && (await certifiedBlock(proving, stored.lastBlock, 0))
  if (own && toHex(own.block.finalityMroot) === stored.root) return { block: own, same: true }
  const block = await certifiedBlock(proving, burn.blockNum, generation)
  return block && { block, same: false }
}

/** Policies that a light client must learn before it can check a certificate, in order. */
async function handoffsFor(
  proving: Proving,
  { block }: CertifiedBlock,
  { newest, generation }: Destination,
): Promise<HandoffArguments[]> {
  const { source } = proving
  const handoffs: HandoffArguments[] = []
  for (const since of await source.policies()) {
    const { generation: number } = since.policy
    if (number <= newest || number > block.data.activeGeneration) continue
    const handoff = await handoffOf(proving, since, generation)
    if (handoff === null) throw handoffMissing(number)
    handoffs.push(handoff)
  }
  return handoffs
}

/** Hand-offs in one answer: each may need the verification of a certificate. The light client learns them one by one anyway. */
const MAX_AHEAD = 16

/**
 * Policies that a light client can learn now, in order, whether or not a withdrawal needs them. The newest is among them
 * as soon as the block in which it became pending is final, which is before it has signed any root.
 *
 * @param most  the first ones only
 * @throws the errors of `proveWithdrawal`
 */
export async function handoffsAhead(
  proving: Proving,
  { newest, generation }: Pick<Destination, 'newest' | 'generation'>,
  most = MAX_AHEAD,
): Promise<HandoffArguments[]> {
  const handoffs: HandoffArguments[] = []
  for (const since of await proving.source.policies()) {
    if (since.policy.generation <= newest) continue
    if (handoffs.length === most) break
    const handoff = await handoffOf(proving, since, generation)
    if (handoff === null) break
    handoffs.push(handoff)
  }
  return handoffs
}

/**
 * @param generation  the oldest one whose signatures the light client accepts
 * @returns null while no strong certificate covers the block in which the policy became pending
 */
async function handoffOf(proving: Proving, since: PendingSince, generation: number): Promise<HandoffArguments | null> {
  const { source } = proving
  // The first strong certificate that covers the promotion is still signed by the previous policy.
  const certified = await certifiedBlock(proving, since.blockNum, generation)
  if (!certified) return null
  const promotion = await source.block(since.blockNum)
  if (!promotion) throw handoffMissing(since.policy.generation)
  const path = await treePath(source, since.blockNum, certified.block.data.claimBlockNum)
  const learn = learnArguments(since, promotion, path)
  refuseOn(learnProblem(learn), `handing over policy ${since.policy.generation}`, since.blockNum)
  return { submitRoot: submitRootArguments(certified), learn }
}

function handoffMissing(generation: number): UserError {
  return new UserError('HANDOFF_MISSING', `policy ${generation} became pending before the first stored block`, {
    hint: 'index the chain from an earlier block, or deploy a light client that knows a newer policy',
  })
}

async function releaseUnder(
  { source, ledger }: Proving,
  burn: Burn,
  lastBlock: number,
  paths: PathsOf,
): Promise<ReleaseArguments> {
  const block = await source.block(burn.blockNum)
  if (!block) throw new BugError('BLOCK_NOT_STORED', `block ${burn.blockNum} is not known`)
  const path = await paths.to(lastBlock)
  const release = releaseArguments(burn, block, path)
  const problem = releaseProblem(release, { ledger, vault: burn.vault, root: path.root })
  refuseOn(problem, `proof of withdrawal ${burn.id}`, burn.blockNum)
  return release
}

function refuseOn(problem: string | null, what: string, block: number): void {
  if (problem !== null) throw new BugError('PROOF_DOES_NOT_HOLD', `${what}: ${problem}`, { place: { block } })
}
