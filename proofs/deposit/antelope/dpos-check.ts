// Simulates a gateway for an Antelope chain before Savanna: takes a proof's actions in their published form, recomputes
// each hash and recovers the keys of all signatures. Shares no code with the builder.

import { packSignature } from '../../../core/antelope/abi/keys.ts'
import {
  type BlockHeader,
  blockId,
  blockNumOf,
  HEADER_EXTENSION,
  readBlockHeader,
} from '../../../core/antelope/block.ts'
import { actDigest, legacyActionDigest } from '../../../core/antelope/digest.ts'
import { HeadwaterError } from '../../../core/errors.ts'
import { BlockRootTree, climbSides } from '../../../core/finality/legacy/block-root.ts'
import {
  confirmationsOf,
  isSignedBy,
  type ProducerAuthority,
  type ProducerSchedule,
  readSchedule,
  scheduleHash,
  signingDigest,
} from '../../../core/finality/legacy/schedule.ts'
import { fromHex, toHex } from '../../../core/hex.ts'
import { required } from '../../../core/required.ts'
import { gatewayAbi } from '../abi.ts'
import type { DepositAction } from '../json.ts'
import type { ExpectedLog } from './check.ts'

/** What the gateway trusts before the first action. */
export interface ScheduleTrust {
  schedules: readonly ProducerSchedule[]
  /** Roots of block ids that it has proved, hex digits. */
  roots: readonly string[]
}

interface SignedHeader {
  header: Uint8Array
  previous_bmroot: string
  /** Signatures as text. */
  signatures: string[]
}

interface HeavyBlock {
  target: SignedHeader
  confirmations: (SignedHeader & { path: number[] })[]
  active_nodes: string[]
  node_count: bigint
  hashes: string[]
}

interface LegacyAction {
  data: Uint8Array
  receipt: {
    receiver: string
    act_digest: string
    global_sequence: bigint
    recv_sequence: bigint
    auth_sequence: { account: string; sequence: bigint }[]
    code_sequence: number
    abi_sequence: number
  }
  path: string[]
}

interface LightProof {
  header: Uint8Array
  root: string
  path: string[]
  action: LegacyAction
}

export interface HeavyProof {
  block: HeavyBlock
  action: LegacyAction
}

type Proof = ['heavy_proof', HeavyProof] | ['light_proof', LightProof]

/** The first problem of a list of actions; null when all are valid. */
export function dposDepositProblem(
  actions: readonly DepositAction[],
  trust: ScheduleTrust,
  expected: ExpectedLog,
): string | null {
  const schedules = new Map(trust.schedules.map((schedule) => [schedule.version, schedule]))
  let isCredited = false
  try {
    for (const { account, name, data } of actions) {
      if (account !== expected.gateway) return `an action of ${account}`
      if (isCredited) return 'an action after the credit'
      const members = gatewayAbi('antelope').decodeAction(name, fromHex(data))
      if (name === 'schedule') {
        const schedule = proposedSchedule(checkedHeavy(members.block as HeavyBlock, schedules))
        schedules.set(schedule.version, schedule)
        continue
      }
      if (name !== 'credit') return `an action ${name}`
      if (members.nonce !== expected.nonce) return 'another nonce'
      const [kind, proof] = gatewayAbi('antelope').decode('deposit_proof', members.proof as Uint8Array) as Proof
      const header =
        kind === 'heavy_proof' ? checkedHeavy(proof.block, schedules) : checkedLight(proof, new Set(trust.roots))
      checkAction(proof.action, header, expected)
      isCredited = true
    }
  } catch (error) {
    if (error instanceof Refused || error instanceof HeadwaterError) return error.message
    throw error
  }
  return isCredited ? null : 'nothing is credited'
}

class Refused extends Error {}

interface CheckedHeader {
  header: BlockHeader
  num: number
  id: Uint8Array
}

function headerOf(packed: Uint8Array): CheckedHeader {
  const { header, length } = readBlockHeader(packed)
  refuseIf(length !== packed.length, 'bytes after a header')
  const num = blockNumOf(header.previous) + 1
  return { header, num, id: fromHex(blockId(packed, num)) }
}

/** Checks that two rounds of producers confirm a block. @returns the block's header */
function checkedHeavy(block: HeavyBlock, known: ReadonlyMap<number, ProducerSchedule>): BlockHeader {
  const target = headerOf(block.target.header)
  // If the block proposes a schedule, producers of the current schedule sign the new one's hash from this block on.
  const proposed = scheduleIn(target.header)
  const schedules = proposed ? new Map([...known, [proposed.version, proposed]]) : known
  checkSigned(block.target, target.header, schedules)
  const { num } = target
  refuseIf(block.node_count !== BigInt(num - 2), 'a tree of another number of ids')
  const tree = BlockRootTree.fromActive(num - 2, block.active_nodes.map(fromHex))
  refuseIf(tree.active().map(toHex).join() !== block.active_nodes.join(), 'nodes that are not those of a tree')
  const before = tree.append(fromHex(target.header.previous))
  refuseIf(toHex(before.root()) !== block.target.previous_bmroot, 'the tree has another root')
  checkRounds(block, target, schedules, known)
  return target.header
}

function checkRounds(
  { confirmations, hashes }: HeavyBlock,
  target: CheckedHeader,
  schedules: ReadonlyMap<number, ProducerSchedule>,
  known: ReadonlyMap<number, ProducerSchedule>,
): void {
  let version = target.header.scheduleVersion
  let producers = new Set([target.header.producer])
  let [last, rounds] = [target.num, 0]
  for (const confirmation of confirmations) {
    refuseIf(rounds === 2, 'confirmations too many')
    const { header, num } = headerOf(confirmation.header)
    refuseIf(num <= last, 'confirmations out of order')
    last = num
    const schedule = checkSigned(confirmation, header, schedules)
    const path = confirmation.path.map((at) => fromHex(hashes[at] ?? ''))
    refuseIf(
      path.some(({ length }) => length !== 32),
      'a hash that is not there',
    )
    refuseIf(toHex(climbSides(target.id, path)) !== confirmation.previous_bmroot, 'no way to a confirmation')
    // Confirmations under a schedule that has not been proved do not count.
    refuseIf(!known.has(header.scheduleVersion), `schedule ${header.scheduleVersion} is not known`)
    if (header.scheduleVersion !== version) {
      refuseIf(rounds > 0 || header.scheduleVersion < version, 'rounds of two schedules')
      version = header.scheduleVersion
      producers = new Set()
    }
    refuseIf(producers.has(header.producer), 'a producer twice in a round')
    producers.add(header.producer)
    if (producers.size < confirmationsOf(schedule)) continue
    rounds++
    producers = new Set([header.producer])
  }
  refuseIf(rounds < 2, 'too few confirmations')
}

/**
 * Checks a header's signature and returns its schedule. While a new schedule is pending, producers already sign its
 * hash.
 */
function checkSigned(
  { header: packed, previous_bmroot, signatures }: SignedHeader,
  { producer, scheduleVersion }: BlockHeader,
  schedules: ReadonlyMap<number, ProducerSchedule>,
): ProducerSchedule {
  const schedule = schedules.get(scheduleVersion)
  refuseIf(!schedule, `schedule ${scheduleVersion} is not known`)
  const authority = required(schedule, 'schedule').producers.find((one) => one.producer === producer)
  refuseIf(!authority, `${producer} is no producer`)
  const given = signatures.map(packSignature)
  // Blocks sign the next schedule's hash from the block that proposes it.
  const next = [...schedules.keys()].filter((version) => version > scheduleVersion).sort((a, b) => a - b)[0]
  const isSigned = [
    required(schedule, 'schedule'),
    ...(next === undefined ? [] : [required(schedules.get(next), 'schedule')]),
  ].some((one) =>
    isSignedOnce(
      required(authority, 'authority'),
      signingDigest(packed, fromHex(previous_bmroot), scheduleHash(one)),
      given,
    ),
  )
  refuseIf(!isSigned, 'another signature')
  return required(schedule, 'schedule')
}

/** Cache of valid signatures: recovering a key takes a millisecond, and the same lists are requested repeatedly. */
const verified = new Set<string>()
const MAX_VERIFIED = 20_000

function isSignedOnce(authority: ProducerAuthority, digest: Uint8Array, given: readonly Uint8Array[]): boolean {
  const weights = authority.keys.map(({ key, weight }) => `${toHex(key)} ${weight}`)
  const name = [toHex(digest), authority.threshold, ...given.map(toHex), ...weights].join()
  if (verified.has(name)) return true
  if (!isSignedBy(authority, digest, given)) return false
  verified.add(name)
  if (verified.size > MAX_VERIFIED) verified.delete(required(verified.values().next().value, 'oldest entry'))
  return true
}

function checkedLight({ header, root, path }: LightProof, roots: ReadonlySet<string>): BlockHeader {
  const block = headerOf(header)
  refuseIf(toHex(climbSides(block.id, path.map(fromHex))) !== root, 'the block is not under the root')
  refuseIf(!roots.has(root), 'the root is not trusted')
  return block.header
}

function proposedSchedule(header: BlockHeader): ProducerSchedule {
  const schedule = scheduleIn(header)
  refuseIf(schedule === null, 'the block brings no schedule')
  return required(schedule, 'schedule')
}

function scheduleIn({ headerExtensions }: BlockHeader): ProducerSchedule | null {
  const extension = headerExtensions.find(({ id }) => id === HEADER_EXTENSION.producerSchedule)
  return extension ? readSchedule(extension.data) : null
}

function checkAction({ data, receipt, path }: LegacyAction, { actionMroot }: BlockHeader, expected: ExpectedLog): void {
  const { bridge: account } = expected
  refuseIf(toHex(data) !== toHex(expected.data), 'another deposit')
  refuseIf(receipt.receiver !== account, 'another receiver')
  const action = { account, name: 'deplog', authorization: [{ actor: account, permission: 'active' }], data }
  // With the protocol feature ACTION_RETURN_VALUE, and without it.
  const digests = [actDigest(action, new Uint8Array()), actDigest(action, null)].map(toHex)
  refuseIf(!digests.includes(receipt.act_digest), 'another action')
  const leaf = legacyActionDigest({
    receiver: receipt.receiver,
    actDigest: fromHex(receipt.act_digest),
    globalSequence: receipt.global_sequence,
    recvSequence: receipt.recv_sequence,
    authSequence: receipt.auth_sequence.map((one) => [one.account, one.sequence] as const),
    codeSequence: receipt.code_sequence,
    abiSequence: receipt.abi_sequence,
  })
  const root = climbSides(leaf, path.map(fromHex))
  refuseIf(toHex(root) !== toHex(actionMroot), 'the action is not in the block')
}

function refuseIf(is: boolean, what: string): void {
  if (is) throw new Refused(what)
}
