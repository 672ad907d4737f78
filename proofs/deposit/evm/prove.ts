// Builds the proof of a deposit into a vault, and checks it before returning it.

import { BugError, UserError } from '../../../core/errors.ts'
import { BeaconChain } from '../../../core/evm/beacon/chain.ts'
import { ValidatorSets } from '../../../core/evm/vote-finality.ts'
import { toHex } from '../../../core/hex.ts'
import { itemAt } from '../../../core/required.ts'
import { RpcError } from '../../../net/rpc/errors.ts'
import { creditAction, depositAction, type GatewayAccount } from '../abi.ts'
import type { DepositAction, DepositProof } from '../json.ts'
import type { BeaconSource } from './beacon.ts'
import { type ExpectedDeposit, evmDepositProblem, type GatewayTrust } from './check.ts'
import type { EvmNode, EvmReader, RawHeader } from './node.ts'
import { type Anchor, HEADERS_AN_ACTION, headerPath, splitPath } from './path.ts'
import { type EventPlace, readEvent } from './receipt.ts'
import { planSync } from './sync.ts'
import { planVotes } from './votes.ts'

/**
 * How a chain's blocks are proved final: `sync` by sync committees of a beacon chain, `votes` by votes in headers,
 * `none` not at all: the gateway must already trust the deposit's block.
 */
export type EvmFinality =
  | { kind: 'sync'; beacon: BeaconSource | null }
  | { kind: 'votes'; epochBlocks: number }
  | { kind: 'none' }

export interface EvmDepositSource {
  node: Pick<EvmNode, 'use'>
  finality: EvmFinality
}

/** A deposit as stored in the ledger. */
export interface LockedDeposit extends Omit<ExpectedDeposit, 'gateway' | 'vault'> {
  place: EventPlace
  /** Unix seconds. */
  time: number
}

/** What the gateway trusts, as derived from the deposits that it has credited. */
export interface GatewayKnowledge {
  /** A trusted block, not after the deposit's. */
  since: { number: number; time: number }
  /** Other trusted blocks, in the order in which the gateway learned them. */
  anchors: readonly Anchor[]
}

/** Actions before the credit, the headers of the credit, and the trust that the self-check starts from. */
interface Plan {
  before: DepositAction[]
  headers: Uint8Array[]
  /** Hash of the last, final block, hex digits. */
  last: string
  trust: GatewayTrust
  immutable: boolean
  /**
   * Makes the error that blames the source of finality when it does not hold; null when the gateway already trusts the
   * block.
   */
  blame: ((problem: string) => Error) | null
}

/**
 * @returns null while the block is not proved final
 * @throws RpcError when no endpoint returns valid data; BEACON_UPDATE, EVM_VOTES when the proof of finality does not
 *   hold
 * @throws UserError NO_BEACON, DEPOSIT_PATH_TOO_LONG, GATEWAY_FAR_BEHIND
 * @throws BugError PROOF_DOES_NOT_HOLD when the self-check fails; such a proof is never returned
 */
export function proveEvmDeposit(
  { node, finality }: EvmDepositSource,
  deposit: LockedDeposit,
  gateway: GatewayAccount,
  knowledge: GatewayKnowledge,
): Promise<DepositProof | null> {
  return node.use(async (rpc) => {
    const { header, receipt } = await readEvent(rpc, deposit.place)
    const plan = await planFor(rpc, finality, header, gateway, knowledge, deposit.place.chain)
    if (plan === null) return null
    const { before, headers, trust, immutable, blame } = plan
    const credit = creditAction(gateway, deposit.nonce, 'receipt_proof', { headers, ...receipt })
    const actions = [...before, credit]
    const expected = { ...deposit, gateway: gateway.account, vault: deposit.place.contract }
    const problem = evmDepositProblem(actions, trust, expected)
    if (problem === null) return { actions, immutable }
    if (blame && isValidButForFinality(plan, actions, expected)) throw blame(problem)
    const { chain, blockNum: block } = deposit.place
    throw new BugError('PROOF_DOES_NOT_HOLD', `${chain}: proof of deposit ${deposit.nonce}: ${problem}`, {
      place: { chain, block },
    })
  })
}

async function planFor(
  rpc: EvmReader,
  finality: EvmFinality,
  header: RawHeader,
  gateway: GatewayAccount,
  { since, anchors }: GatewayKnowledge,
  chain: string,
): Promise<Plan | null> {
  const none: Omit<GatewayTrust, 'blocks'> = { beacon: null, validators: null }
  for (const known of anchors) {
    const path = await pathToKnown(rpc, header, known)
    if (path === null) continue
    const trust = { ...none, blocks: [toHex(known.hash)] }
    return { ...withPath(gateway, [], path), trust, immutable: true, blame: null }
  }
  if (finality.kind === 'none') {
    const trust = { ...none, blocks: [toHex(header.hash)] }
    return { ...withPath(gateway, [], [header]), trust, immutable: true, blame: null }
  }
  if (finality.kind === 'votes') {
    const plan = await planVotes(rpc, header, since.number, finality.epochBlocks)
    if (plan === null) return null
    const attest = plan.attestations.map((all) => ({ headers: all.map(({ rlp }) => rlp) }))
    const before = attest.map((members) => depositAction(gateway, 'attest', members))
    const trust = { ...none, blocks: [], validators: new ValidatorSets(plan.known) }
    const blame = (problem: string) => rpc.error('EVM_VOTES', `its headers have votes that do not hold: ${problem}`)
    return { ...withPath(gateway, before, plan.path), trust, immutable: false, blame }
  }
  const source = finality.beacon
  if (source === null) throw noBeacon(chain)
  const plan = await planSync(source, { number: header.number, time: header.timestamp }, since.time)
  if (plan === null) return null
  const before = plan.updates.map((update) => depositAction(gateway, 'update', { update }))
  const path = await headerPath(rpc, header, plan.anchor)
  const beacon = new BeaconChain(plan.network, [[plan.first.period, plan.first.committee]])
  const blame = (problem: string) => source.error('BEACON_UPDATE', problem)
  return { ...withPath(gateway, before, path), trust: { ...none, blocks: [], beacon }, immutable: false, blame }
}

/** Headers to a block that the gateway trusts; null when it is too far away or not on the node's branch. */
async function pathToKnown(rpc: EvmReader, header: RawHeader, known: Anchor): Promise<RawHeader[] | null> {
  const distance = known.number - header.number
  if (distance < 0 || distance >= HEADERS_AN_ACTION) return null
  try {
    return await headerPath(rpc, header, known)
  } catch (error) {
    if (error instanceof RpcError && error.code === 'EVM_CONTRADICTION') return null
    throw error
  }
}

/** Whether the proof is valid apart from the finality of its last block. */
function isValidButForFinality({ last }: Plan, actions: readonly DepositAction[], expected: ExpectedDeposit): boolean {
  const rest = actions.filter(({ name }) => name === 'extend' || name === 'credit')
  const trust = { blocks: [last], beacon: null, validators: null }
  return evmDepositProblem(rest, trust, expected) === null
}

function withPath(gateway: GatewayAccount, updates: DepositAction[], path: readonly RawHeader[]) {
  const { extensions, headers } = splitPath(gateway, path)
  return { before: [...updates, ...extensions], headers, last: toHex(itemAt(path, -1).hash) }
}

function noBeacon(chain: string): UserError {
  return new UserError('NO_BEACON', `${chain}: what the sync committees sign is read from a beacon node`, {
    hint: `set source.beacon of ${chain} to the address of its REST API`,
    place: { chain },
  })
}
