// Actions that credit a deposit of an Antelope chain before Savanna. A heavy proof has the deposit's block and later
// blocks of two thirds of the producers, twice, each with a path from the deposit's block id to the block-id root that
// it signs. A light proof is a path to such a root that the gateway has already proved.

import { readSignature } from '../../../core/antelope/abi/keys.ts'
import { blockNumOf, readBlockHeader } from '../../../core/antelope/block.ts'
import type { ActionReceipt } from '../../../core/antelope/digest.ts'
import { Reader } from '../../../core/antelope/reader.ts'
import { BugError, UserError } from '../../../core/errors.ts'
import { BlockRootTree, pathInLeaves } from '../../../core/finality/legacy/block-root.ts'
import { idPathOf, idPathPositions, idRootOf } from '../../../core/finality/legacy/positions.ts'
import type { LegacyBlock } from '../../../core/finality/legacy/rows.ts'
import { confirmationsOf, type ProducerSchedule } from '../../../core/finality/legacy/schedule.ts'
import { type NodePosition, nodeReader, rootPositions } from '../../../core/finality/positions.ts'
import { fromHex, toHex } from '../../../core/hex.ts'
import { itemAt } from '../../../core/required.ts'
import { creditAction, depositAction, type GatewayAccount } from '../abi.ts'
import type { DepositAction, DepositProof } from '../json.ts'
import { dposDepositProblem } from './dpos-check.ts'

/** A log action with its position in its block. */
export interface LegacyLog {
  blockNum: number
  /** Packed members. */
  data: Uint8Array
  receipt: ActionReceipt
  /** Index among the block's actions, in execution order. */
  index: number
  /** Leaves of the block's action tree (`legacyActionDigest`). */
  leaves: readonly Uint8Array[]
}

export interface LegacyDepositSource {
  chain: string
  /** Account that locks deposits. */
  bridge: string
  /**
   * Blocks with stored headers, ascending, both ends included: the first of each producer's turn, and those with logs.
   */
  headers(from: number, to: number): Promise<LegacyBlock[]>
  /** Ids of blocks, ascending, both ends included. */
  ids(from: number, to: number): Promise<Uint8Array[]>
  /** Full nodes of the tree of block ids; leaf i is the id of block i + 1. */
  nodes(positions: readonly NodePosition[]): Promise<Uint8Array[]>
  /** Schedules, ascending, each with the block whose header proposes it; 0 when that block is unknown. */
  schedules(): Promise<{ blockNum: number; schedule: ProducerSchedule }[]>
  /** The `deplog` of a nonce. */
  log(nonce: bigint): Promise<LegacyLog | null>
}

/** What the gateway trusts, as derived from the deposits that it has credited. */
export interface LegacyKnowledge {
  /** Version of the newest schedule that the gateway has. It has all earlier ones too. */
  version: number
  /**
   * Blocks with a heavy proof at the gateway, in order of arrival. It stores the root of all block ids up to each of them.
   */
  proved: readonly number[]
}

/** Maximum schedules in one list: each needs its own heavy proof. */
const MAX_SCHEDULES = 32
/** Blocks after a block that are searched for its confirmations: two rounds take 28 turns of 12 blocks. */
const WINDOW = 3000

/**
 * @returns null while the deposit is unknown or too few producers have confirmed it
 * @throws UserError SCHEDULE_MISSING when the gateway lacks a schedule from before the stored blocks,
 *   GATEWAY_FAR_BEHIND when it lacks more than `MAX_SCHEDULES`
 * @throws BugError PROOF_DOES_NOT_HOLD when the self-check fails; such a proof is never returned
 */
export async function proveLegacyDeposit(
  source: LegacyDepositSource,
  nonce: bigint,
  gateway: GatewayAccount,
  knowledge: LegacyKnowledge,
): Promise<DepositProof | null> {
  const log = await source.log(nonce)
  if (!log) return null
  const { version } = knowledge
  const action = actionMembers(log)
  const all = await source.schedules()
  const known = all.map(({ schedule }) => schedule).filter((one) => one.version <= version)
  const trust = { schedules: known, roots: [] as string[] }
  const actions: DepositAction[] = []
  const proved = knowledge.proved.find((num) => num >= log.blockNum)
  if (proved !== undefined) {
    const light = await lightProof(source, log.blockNum, proved)
    trust.roots.push(light.root)
    actions.push(creditAction(gateway, nonce, 'deposit_proof', ['light_proof', { ...light, action }]))
  } else {
    const own = versionOf(await storedBlock(source, log.blockNum))
    if (known.length === 0 || !all.some(({ schedule }) => schedule.version === own)) throw missing(source.chain, own)
    const heavy = await heavyBlock(source, log.blockNum, all)
    if (!heavy) return null
    const lacked = all.filter(({ blockNum, schedule }) => schedule.version > version && blockNum <= heavy.last)
    if (lacked.length > MAX_SCHEDULES) throw tooFarBehind(source.chain, itemAt(lacked, 0).blockNum)
    for (const { blockNum, schedule } of lacked) {
      if (blockNum === 0) throw missing(source.chain, schedule.version)
      const block = await heavyBlock(source, blockNum, all)
      if (!block) return null
      actions.push(depositAction(gateway, 'schedule', { block: block.members }))
    }
    actions.push(creditAction(gateway, nonce, 'deposit_proof', ['heavy_proof', { block: heavy.members, action }]))
  }
  const expected = { gateway: gateway.account, bridge: source.bridge, nonce, data: log.data }
  const problem = dposDepositProblem(actions, trust, expected)
  if (problem === null) return { actions, immutable: proved !== undefined }
  throw new BugError('PROOF_DOES_NOT_HOLD', `${source.chain}: proof of deposit ${nonce}: ${problem}`, {
    place: { chain: source.chain, block: log.blockNum },
  })
}

/** The struct `heavy_block`, and the last block that confirms it; null until it is confirmed. */
async function heavyBlock(
  source: LegacyDepositSource,
  num: number,
  schedules: readonly { schedule: ProducerSchedule }[],
): Promise<{ members: object; last: number } | null> {
  const target = await storedBlock(source, num)
  const found = await confirmations(source, target, schedules)
  if (!found) return null
  const count = num - 2 // ids before the parent's
  const before = BlockRootTree.fromPeaks(count, await source.nodes(rootPositions(count)))
  const ids = await source.ids(num, itemAt(found, -1).num - 1)
  const tree = before.append(fromHex(headerOf(target).previous))
  const hashes = new Hashes()
  const active_nodes = before.active().map(toHex)
  const trees = treeByCount(tree, ids)
  const confirmed = found.map((block) => {
    const count = block.num - num
    const path = tree.pathOfNext(ids.slice(0, count)).map((node) => hashes.place(node))
    return { ...signedHeader(block, trees(count).root()), path }
  })
  const members = {
    target: signedHeader(target, tree.root()),
    confirmations: confirmed,
    active_nodes,
    node_count: BigInt(before.count),
    hashes: hashes.list,
  }
  return { members, last: itemAt(found, -1).num }
}

/** A function that returns the tree after `count` of the ids. Counts must not fall from call to call. */
function treeByCount(first: BlockRootTree, ids: readonly Uint8Array[]): (count: number) => BlockRootTree {
  let [tree, at] = [first, 0]
  return (count) => {
    for (; at < count; at++) tree = tree.append(itemAt(ids, at))
    return tree
  }
}

/**
 * Two rounds of blocks after a block, each of distinct producers and more than two thirds of a schedule. In the first
 * round the block itself counts for its producer; in the second, the last block of the first round does. A new schedule
 * restarts the rounds.
 */
async function confirmations(
  source: LegacyDepositSource,
  target: LegacyBlock,
  schedules: readonly { schedule: ProducerSchedule }[],
): Promise<LegacyBlock[] | null> {
  let version = versionOf(target)
  let rounds = new Rounds(target, schedules)
  for (const block of await source.headers(target.num + 1, target.num + WINDOW)) {
    if (versionOf(block) !== version) {
      version = versionOf(block)
      rounds = new Rounds(null, schedules)
    }
    if (rounds.take(block)) return rounds.blocks
  }
  return null
}

class Rounds {
  readonly blocks: LegacyBlock[] = []
  readonly #schedules: readonly { schedule: ProducerSchedule }[]
  #producers: Set<string>
  #round = 1

  /** @param first  counts in the first round but is not listed */
  constructor(first: LegacyBlock | null, schedules: readonly { schedule: ProducerSchedule }[]) {
    this.#producers = new Set(first ? [producerOf(first)] : [])
    this.#schedules = schedules
  }

  /** @returns true when both rounds are complete */
  take(block: LegacyBlock): boolean {
    const producer = producerOf(block)
    if (this.#producers.has(producer)) return false
    this.#producers.add(producer)
    this.blocks.push(block)
    const schedule = this.#schedules.find((one) => one.schedule.version === versionOf(block))
    if (!schedule || this.#producers.size < confirmationsOf(schedule.schedule)) return false
    this.#producers = new Set([producer])
    return this.#round++ === 2
  }
}

/** The struct `light_proof`, without the action. @param proved  last block that the root covers */
async function lightProof(source: LegacyDepositSource, num: number, proved: number) {
  const { packedHeader } = await storedBlock(source, num)
  const positions = [...idPathPositions(num - 1, proved), ...rootPositions(proved)]
  const read = nodeReader(positions, await source.nodes(positions))
  const path = idPathOf(num - 1, proved, read).map(toHex)
  return { header: packedHeader, root: toHex(idRootOf(proved, read)), path }
}

/** The struct `legacy_action`. */
function actionMembers({ data, receipt, index, leaves }: LegacyLog): object {
  return {
    data,
    receipt: {
      receiver: receipt.receiver,
      act_digest: toHex(receipt.actDigest),
      global_sequence: receipt.globalSequence,
      recv_sequence: receipt.recvSequence,
      auth_sequence: receipt.authSequence.map(([account, sequence]) => ({ account, sequence })),
      code_sequence: receipt.codeSequence,
      abi_sequence: receipt.abiSequence,
    },
    path: pathInLeaves(leaves, index).map(toHex),
  }
}

function signedHeader({ packedHeader, signatures }: LegacyBlock, root: Uint8Array) {
  return {
    header: packedHeader,
    previous_bmroot: toHex(root),
    signatures: signatures.map((packed) => readSignature(new Reader(packed))),
  }
}

/** Hashes shared by several paths, each listed once. */
class Hashes {
  readonly list: string[] = []
  readonly #places = new Map<string, number>()

  place(hash: Uint8Array): number {
    const text = toHex(hash)
    let at = this.#places.get(text)
    if (at === undefined) {
      at = this.list.push(text) - 1
      this.#places.set(text, at)
    }
    return at
  }
}

const headerOf = ({ packedHeader }: LegacyBlock) => readBlockHeader(packedHeader).header
const producerOf = (block: LegacyBlock): string => headerOf(block).producer
const versionOf = (block: LegacyBlock): number => headerOf(block).scheduleVersion

async function storedBlock(source: LegacyDepositSource, num: number): Promise<LegacyBlock> {
  const { chain } = source
  const [found] = await source.headers(num, num)
  if (found && blockNumOf(toHex(found.id)) === num) return found
  throw new BugError('BLOCK_NOT_STORED', `the header of block ${num} of ${chain} is not known`, {
    place: { chain, block: num },
  })
}

function tooFarBehind(chain: string, block: number): UserError {
  return new UserError('GATEWAY_FAR_BEHIND', `more than ${MAX_SCHEDULES} schedules have changed since block ${block}`, {
    hint: `bring the schedules since block ${block} to it first, with a deposit in between`,
    place: { chain, block },
  })
}

function missing(chain: string, version: number): UserError {
  return new UserError('SCHEDULE_MISSING', `schedule ${version} came before the blocks that are known`, {
    hint: `start the chain ${chain} earlier`,
    place: { chain },
  })
}
