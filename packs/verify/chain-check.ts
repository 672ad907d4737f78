// Follows the blocks of a pack from the first to the last: links, action roots, finality, and the rows that the actions
// make. The same code as the indexer's decodes and projects them.
import { blockId, blockNumOf, readBlockHeader, SAVANNA_SCHEDULE_VERSION } from '../../core/antelope/block.ts'
import { merkleRoot } from '../../core/antelope/merkle.ts'
import { DecodeError, UserError } from '../../core/errors.ts'
import { readFinalityData } from '../../core/finality/finality-data.ts'
import { FinalityFollower, hasBridgeLogs } from '../../core/finality/follower.ts'
import { LegacyFollower } from '../../core/finality/legacy/follower.ts'
import { actionLeaves, executedActions } from '../../core/finality/receipts.ts'
import { toHex } from '../../core/hex.ts'
import { sha256 } from '../../core/sha256.ts'
import { AbiBook } from '../../indexer/decode/abi-book.ts'
import { decodeBlock } from '../../indexer/decode/decode-block.ts'
import { Watch } from '../../indexer/decode/watch.ts'
import { ChainFollower } from '../../indexer/finality/chain-follower.ts'
import { Projector } from '../../indexer/project/projector.ts'
import type { PackedBlock } from '../../indexer/source/source.ts'
import type { Segment } from '../../indexer/store/segment.ts'
import type { StoredAbi } from '../../indexer/store/writer.ts'
import { refuted } from '../format/fault.ts'
import type { ChainSettings } from '../format/settings.ts'
import type { SlimBlock } from '../format/slim-block.ts'
import type { Starts } from '../format/starts.ts'
import { ClaimedCertificates } from './claimed-certificates.ts'

/** Limit of the blocks after the last range, in the proof of the state. */
const MAX_PROOF_BLOCKS = 2000

export interface ChainCheckOptions {
  chain: string
  settings: ChainSettings
  starts: Starts
  seedAbis?: ReadonlyMap<string, Uint8Array>
  /** Number of the first block, and id of its parent. */
  firstBlock: number
  firstParent: string
  /** Trusted block id or digest of a finalizer policy; or both, separated by a comma. */
  trust: string
  /** Number of the last block of the ranges. */
  lastBlock: number
}

/** What the trusted digests confirm. */
export interface Confirmation {
  /** The policy, the block, or both. */
  by: string
  /** Whether a trusted block id confirms all headers: their ids, parents and producers. Certificates do not. */
  hasHeaders: boolean
}

export class ChainCheck {
  readonly #options: ChainCheckOptions
  /** The trusted digests, and those of them that blocks have. */
  readonly #trust: readonly string[]
  readonly #found = new Set<string>()
  readonly #watch: Watch
  /** The ABIs alone. */
  readonly #watchAbis: Watch
  readonly #projector: Projector
  readonly #abis = new AbiBook()
  readonly #savanna: FinalityFollower
  readonly #followers: ChainFollower
  readonly #certificates = new ClaimedCertificates()
  #next: number
  #parent: string
  /** The trusted block, once it came; the last block whose actions it commits to; the last one in its finality tree. */
  #trusted: { num: number; id: string; covers: number; tree: number } | null = null
  /** The last block whose actions nothing but its header commits to: one before Savanna. 0: none. */
  #legacy = 0
  #isSavanna = false
  /** Digest of the policy that certificates rest on, once one was verified. */
  #root: string | null = null

  constructor(options: ChainCheckOptions) {
    const { chain, settings, starts, firstBlock, firstParent, seedAbis = new Map() } = options
    this.#options = options
    this.#trust = options.trust.split(',')
    const { accounts, tokenContracts, systemAccount, finality } = settings
    this.#projector = new Projector({ chain, accounts, tokenContracts })
    this.#watch = new Watch({ ...this.#projector.wanted, system: systemAccount })
    this.#watchAbis = new Watch({ abis: '*', system: systemAccount })
    for (const [account, abi] of seedAbis) this.#addAbi({ account, blockNum: 0, globalSeq: 0n, abi })
    const bridge = finality?.bridge ?? ''
    this.#savanna = new FinalityFollower({ chain, bridge, start: starts.savanna })
    const legacy = finality?.legacy ? [new LegacyFollower({ chain, bridge, start: starts.legacy })] : []
    this.#followers = new ChainFollower([...legacy, this.#savanna])
    this.#next = firstBlock
    this.#parent = firstParent
  }

  /** Id of the last block. */
  get lastId(): string {
    return this.#parent
  }

  /**
   * Adds an ABI that no `setabi` of the pack shows: the publisher read it from an account row, before or with the first
   * block.
   *
   * @param file  for errors
   * @returns whether it is that of the configuration; else no block commits to it
   * @throws UserError PACK_REFUTED
   */
  addForeignAbi(stored: Omit<StoredAbi, 'globalSeq'>, file: string): boolean {
    const { account, blockNum, abi } = stored
    const { firstBlock, seedAbis } = this.#options
    if (blockNum > firstBlock) {
      const what = `block ${blockNum}: an ABI of ${account} that no action sets, after the first block of the pack`
      throw refuted(file, what, { block: blockNum })
    }
    const seed = seedAbis?.get(account)
    if (seed && Buffer.compare(seed, abi) !== 0) {
      const what = `block ${blockNum}: the ABI of ${account} is not the one of the configuration, and no action sets it`
      throw refuted(file, what, { block: blockNum })
    }
    this.#addAbi({ ...stored, globalSeq: 0n })
    return seed !== undefined
  }

  #addAbi(stored: StoredAbi): void {
    this.#abis.apply({ ...stored, hash: toHex(sha256(stored.abi)) })
  }

  /**
   * Checks the next block.
   *
   * @param made  gets the block's rows; `abis`: only links, headers, finality, action roots and ABIs are checked; null: the
   *   block comes without its actions
   * @param file  for errors
   * @returns whether the certificate in the block was verified
   * @throws UserError PACK_REFUTED, PACK_NOT_TRUSTED
   */
  add(slim: SlimBlock, made: Segment | 'abis' | null, file: string): boolean {
    const block = this.#linked(slim, file)
    const { num, id } = block
    const before = this.#savanna.verified
    try {
      if (made === null) this.#followers.follow(block, false)
      else this.#actions(block, made)
      this.#checkFollowed(block)
      if (made !== null && !this.#isSavanna) this.#checkLegacy(block)
      this.#checkRoot()
      if (this.#trust.includes(id)) this.#foundBlock(num, id)
      return this.#savanna.verified > before
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error
      throw refuted(file, `block ${num}: ${error.message}`, { block: num })
    }
  }

  #foundBlock(num: number, id: string): void {
    this.#found.add(id)
    // Under Savanna a header commits to the actions of the block that it claims, and of those before.
    const tree = this.#isSavanna ? (this.#savanna.last?.block.data.claimBlockNum ?? 0) : 0
    this.#trusted = { num, id, covers: this.#isSavanna ? tree : num, tree }
  }

  /** Under Savanna only finality data tie a block to its actions, and only followed ones are tied to certificates. */
  #checkFollowed({ num, block }: PackedBlock): void {
    const followed = this.#savanna.last?.block
    if (followed?.blockNum === num) this.#certificates.check(block, followed.data.claimBlockNum)
    else if (this.#isSavanna)
      throw new DecodeError('PACK_UNFOLLOWED', 'it is under Savanna, and the pack has no start of finality before it')
  }

  /**
   * The actions of a block before Savanna rest on its header alone. In the blocks of the switch, whose headers still
   * have a root of before, the finality data have the root to which certificates commit: both must be right.
   */
  #checkLegacy({ num, traces, finality }: PackedBlock): void {
    if (finality && this.#savanna.last?.block.blockNum === num) {
      const root = merkleRoot(actionLeaves(executedActions(traces)))
      if (Buffer.compare(root, readFinalityData(finality).actionMroot) === 0) return
      throw new DecodeError('ACTION_ROOT', 'its actions lead to another root than its finality data')
    }
    this.#legacy = num
    if (!this.#trust.some((one) => this.#mayBeBlock(one))) throw this.#untrusted(this.#legacyText())
  }

  /** Whether a trusted digest has the number of a block of the pack. */
  #mayBeBlock(digest: string): boolean {
    const { firstBlock, lastBlock } = this.#options
    const num = blockNumOf(digest)
    return num >= firstBlock && num <= lastBlock + MAX_PROOF_BLOCKS
  }

  /** Refuses another policy than the trusted one as soon as it is known, unless the trusted digest may be a block's id. */
  #checkRoot(): void {
    const root = this.#savanna.root
    if (!root || this.#root) return
    this.#root = toHex(root.digest)
    const stranger = this.#trust.find((one) => one !== this.#root && !this.#mayBeBlock(one))
    if (stranger === undefined) return
    throw this.#untrusted(`the first finalizer policy that signs is ${this.#root}; ${stranger} is no block of it`)
  }

  #legacyText(): string {
    return `block ${this.#legacy} is before Savanna: no certificate confirms it, only the id of it or of a later block`
  }

  #untrusted(message: string): UserError {
    return new UserError('PACK_NOT_TRUSTED', `${this.#options.chain}: ${message}`, {
      hint: 'take the digest or the id from a node or an explorer that you trust, not from the publisher; with blocks before Savanna, the id of the last block of the pack or of a later one that it has',
      place: { chain: this.#options.chain },
    })
  }

  /** Checks a block's actions, which also set ABIs, and adds the rows that they make. */
  #actions(block: PackedBlock, made: Segment | 'abis'): void {
    const { chain, settings } = this.#options
    const { finality } = settings
    if (this.#isSavanna && block.finality === null) {
      throw new DecodeError('PACK_NO_FINALITY', 'it has no finality data, which commit to its actions')
    }
    const watch = made === 'abis' ? this.#watchAbis : this.#watch
    const decoded = decodeBlock(block, watch, this.#abis, { chain, checksActions: true })
    if (made === 'abis') {
      this.#followers.follow(block, false)
      return
    }
    const { ledger } = this.#projector.project(decoded)
    const followed = this.#followers.follow(block, finality !== undefined && hasBridgeLogs(decoded, finality.bridge))
    made.add({ ledger: finality ? [...ledger, ...followed] : ledger, state: [], candles: [] })
  }

  /** The block with its number and id. @throws UserError PACK_REFUTED unless it follows the one before */
  #linked({ block, traces, finality }: SlimBlock, file: string): PackedBlock {
    const { header, length } = readHeader(block, file, this.#next)
    const num = blockNumOf(header.previous) + 1
    if (num !== this.#next || header.previous !== this.#parent) {
      const what = `block ${num} follows ${header.previous}, where block ${this.#next} after ${this.#parent} belongs`
      throw refuted(file, what, { block: this.#next })
    }
    const id = blockId(block.subarray(0, length), num)
    this.#isSavanna = header.scheduleVersion === SAVANNA_SCHEDULE_VERSION
    this.#next = num + 1
    this.#parent = id
    const position = { num, id }
    return {
      kind: 'packed',
      ...position,
      prevId: header.previous,
      head: position,
      lib: position,
      block,
      traces,
      deltas: null,
      finality,
    }
  }

  /**
   * Checks that the trusted block and policy confirm the actions of all blocks up to one.
   *
   * @param file  for errors
   * @throws UserError PACK_REFUTED, PACK_NOT_TRUSTED
   */
  confirm(block: number, file: string): Confirmation {
    const finalBlock = this.#finalBlock(file)
    const first = this.#savanna.root
    const policy = first && toHex(first.digest)
    const trusted = this.#trusted
    const isFinal = finalBlock !== null && finalBlock >= block
    const isPolicy = policy !== null && this.#trust.includes(policy)
    const unknown = this.#trust.find((one) => one !== policy && !this.#found.has(one))
    // The trusted block commits to the policy when the tree in its header has the block in which it became pending.
    const knowsPolicy = trusted && first && !this.#options.starts.savanna && first.blockNum <= trusted.tree
    const hasActions = (trusted && trusted.covers >= block) || (isFinal && (isPolicy || knowsPolicy))
    const hasLegacy = (trusted?.num ?? 0) >= this.#legacy
    if (unknown === undefined && hasActions && hasLegacy) {
      const by = [isPolicy && `finalizer policy ${policy}`, trusted && `block ${trusted.num} ${trusted.id}`]
      return { by: by.filter(Boolean).join(' and '), hasHeaders: (trusted?.num ?? 0) >= block }
    }
    const found = policy
      ? `the first finalizer policy that signs is ${policy}, certificates make block ${finalBlock ?? 'none'} final`
      : 'no certificate of finalizers was verified'
    const seen = trusted
      ? [`the trusted block ${trusted.num} commits to the actions up to block ${trusted.covers}`]
      : []
    if (unknown !== undefined) seen.push(`${unknown} is none of its blocks`)
    if (!hasLegacy) seen.push(this.#legacyText())
    throw this.#untrusted(`${[found, ...seen].join('; ')}; the pack leads to block ${block}`)
  }

  #finalBlock(file: string): number | null {
    try {
      return this.#savanna.checkNewest()
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error
      throw refuted(file, error.message, { block: this.#savanna.last?.block.blockNum })
    }
  }
}

function readHeader(block: Uint8Array, file: string, expected: number) {
  try {
    return readBlockHeader(block)
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    throw refuted(file, `block ${expected}: its header cannot be read: ${error.message}`, { block: expected })
  }
}
