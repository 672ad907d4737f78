// A simulated Antelope chain: runs transactions, makes blocks with valid ids, roots, finality data and certificates,
// and keeps a tree of branches above the last irreversible block. Deterministic for the same options and calls.

import { packAbi } from '../../core/antelope/abi/pack.ts'
import { referenceTo } from '../../core/antelope/pack-transaction.ts'
import { msToSlot, slotToMs } from '../../core/antelope/time.ts'
import { lastFinalOf } from '../../core/finality/finality-core.ts'
import type { FinalizerPolicy } from '../../core/finality/finalizer-policy.ts'
import { type QuorumCertificate, readQuorumCertificate } from '../../core/finality/quorum-certificate.ts'
import { required } from '../../core/required.ts'
import { BlockBuilder } from './block-builder.ts'
import type { BlockNode } from './block-node.ts'
import { CertificateBook } from './certificate-book.ts'
import type { ActionCall, Contract, TableStore } from './contract.ts'
import { ContractTables } from './contract-tables.ts'
import { packFullState } from './deltas.ts'
import { type ActionTrace, packCall } from './execute.ts'
import { Finalizers } from './finalizers.ts'
import { FrameStore, type StoredBlock } from './frame-store.ts'
import { makeProducers, type Producers } from './producers.ts'
import { newestPolicy, type SavannaState } from './savanna.ts'
import { ChainState } from './state.ts'
import { systemAbi } from './system-abi.ts'
import { makeTransaction, type Transaction } from './transaction.ts'

export interface ChainOptions {
  /** 64 hex digits. */
  chainId: string
  /** Determines keys and signatures. */
  seed: string
  /** Unix milliseconds of the first block. */
  startTime: number
  contracts: readonly Contract[]
  /** Number of the first block, at least 1. */
  firstBlock?: number
  /** Global sequence before the first action. */
  globalSequence?: number
  producers?: readonly string[]
  /** Number of finalizers of the first policy. */
  finalizers?: number
  /** Blocks from the head to the last irreversible one until `activateSavanna`; absent: Savanna from the start. */
  legacyLag?: number
}

export interface BlockOptions {
  /** Unix milliseconds, after the parent's; default: half a second after it. */
  time?: number
  transactions?: readonly (readonly ActionCall[] | Transaction)[]
  /** The certificate on the parent that the block carries. */
  certificate?: 'strong' | 'weak' | 'none'
  /** Finalizers of the policy that the block proposes, as indexes of the seeded ones. */
  finalizers?: readonly number[]
  /** Schedule in the block's header, before Savanna. */
  producers?: readonly string[]
}

/** Result of a transaction; `actions` in execution order. */
export type TransactionResult = { ok: true; id: string; actions: readonly ActionTrace[] } | { ok: false; error: string }

export interface BlockPosition {
  num: number
  id: string
}

export interface ProducedBlock extends BlockPosition {
  results: TransactionResult[]
}

/** Called for each applied block, again when a switch of branches applies it again. */
export type BlockListener = (block: BlockPosition) => void

/** A block that no fork can replace. */
export interface FinalBlock extends BlockPosition {
  /** Slot. */
  timestamp: number
  /** In execution order. */
  actions: readonly ActionTrace[]
  /** Null before Savanna. */
  savanna: SavannaState | null
}

/** A block with the certificate on it. */
export interface CertifiedState {
  state: SavannaState
  certificate: QuorumCertificate
}

/** Called with the blocks that became irreversible together, oldest first; the block that caused it is the head. */
export type FinalListener = (blocks: readonly FinalBlock[]) => void

export class Chain {
  readonly chainId: string
  readonly firstBlock: number
  readonly state: ChainState
  readonly contracts: ReadonlyMap<string, Contract>
  readonly finalizers: Finalizers
  readonly producers: Producers
  readonly startTime: number
  private readonly options: ChainOptions
  private readonly frames = new FrameStore()
  private readonly certificates: CertificateBook
  private readonly reversible = new Map<string, BlockNode>()
  private readonly branch = new Map<number, BlockNode>()
  private readonly listeners = new Set<BlockListener>()
  private readonly finalListeners = new Set<FinalListener>()
  private headNode: BlockNode | null = null
  private libNum: number
  private isSavanna: boolean

  /** Makes the first block, which deploys the contracts. */
  constructor(options: ChainOptions) {
    this.options = options
    this.chainId = options.chainId
    this.firstBlock = options.firstBlock ?? 2
    this.startTime = options.startTime
    this.libNum = this.firstBlock
    this.isSavanna = options.legacyLag === undefined
    this.state = new ChainState(options.globalSequence ?? 0)
    this.contracts = new Map(options.contracts.map((contract) => [contract.account, contract]))
    this.finalizers = new Finalizers(options.seed)
    this.certificates = new CertificateBook(this.finalizers)
    this.producers = makeProducers(options.producers ?? ['prod.a', 'prod.b', 'prod.c'], options.seed)
    this.state.slot = msToSlot(options.startTime)
    this.state.setAbi('eosio', packAbi(systemAbi))
    const deploys = options.contracts.map(({ account, abi }) => [deployAbi(account, packAbi(abi))])
    const { results } = this.produce({ time: options.startTime, transactions: deploys })
    const failed = results.find((result) => !result.ok)
    if (failed && !failed.ok) throw new Error(`a contract cannot be deployed: ${failed.error}`)
  }

  private get tip(): BlockNode {
    return required(this.headNode, 'head block')
  }

  private blockOf(num: number): BlockNode {
    return required(this.branch.get(num), `reversible block ${num}`)
  }

  get head(): BlockPosition {
    const { num, id } = this.tip
    return { num, id }
  }

  /** Time of the head block, Unix milliseconds. */
  get headTime(): number {
    return slotToMs(this.tip.timestamp)
  }

  get lib(): BlockPosition {
    return { num: this.libNum, id: required(this.idOf(this.libNum), `block ${this.libNum}`) }
  }

  /** The last irreversible block. Only listeners get its actions. */
  get irreversible(): FinalBlock {
    return finalBlock(this.blockOf(this.libNum))
  }

  /** The block for which the head carries a strong certificate; null when it carries none. */
  get certified(): CertifiedState | null {
    const { id, certificate, parent } = this.tip
    if (!certificate?.strong || !parent?.savanna) return null
    const packed = required(this.certificates.packed(id), `certificate of block ${id}`)
    return { state: parent.savanna, certificate: readQuorumCertificate(packed) }
  }

  /** Leaf in the finality tree of a reversible block. */
  leafOf(num: number): Uint8Array {
    return required(this.blockOf(num).savanna, `finality of block ${num}`).leaf
  }

  get savanna(): boolean {
    return this.isSavanna
  }

  get seed(): string {
    return this.options.seed
  }

  /** Makes the next block the genesis block of Savanna. Headers follow its rules `transition` blocks later. */
  activateSavanna(): void {
    this.isSavanna = true
  }

  /** Number of blocks with finality data that producers still make final. */
  get transition(): number {
    return this.options.legacyLag ?? 0
  }

  /** Tables of a contract as of the head block. */
  tables(account: string): Pick<TableStore, 'get' | 'rows'> {
    return new ContractTables(this.state, account)
  }

  /** Packs actions with the current ABIs into a transaction that any branch accepts. @param expiration Unix seconds */
  prepare(calls: readonly ActionCall[], expiration: number): Transaction {
    const reference = this.headNode ? referenceTo(this.headNode.id) : { refBlockNum: 0, refBlockPrefix: 0 }
    const actions = calls.map((call) => ({ call, packed: packCall(this.state, call) }))
    return makeTransaction({ expiration, ...reference }, actions)
  }

  /** Starts a block. No other method may be called until it is finished. @param time Unix milliseconds */
  begin(time?: number): BlockBuilder {
    const timestamp = time === undefined ? this.tip.timestamp + 1 : msToSlot(time)
    if (this.headNode && timestamp <= this.headNode.timestamp) throw new RangeError('a block must be after its parent')
    return new BlockBuilder(this, this.headNode, timestamp, (node) => this.add(node))
  }

  /** Makes the next block on the head. Transactions that a contract refuses are omitted. */
  produce(options: BlockOptions = {}): ProducedBlock {
    const block = this.begin(options.time)
    const results = (options.transactions ?? []).map((transaction) => block.push(transaction))
    const { num, id } = block.finish(
      options.certificate ?? 'strong',
      this.policy(options.finalizers),
      options.producers,
    )
    return { num, id, results }
  }

  /** The next policy, with these finalizers. */
  policy(indexes: readonly number[] | undefined): FinalizerPolicy | null {
    const savanna = this.headNode?.savanna
    if (!indexes || !savanna) return null
    return this.finalizers.policy(newestPolicy(savanna).generation + 1, indexes)
  }

  /** The first policy. */
  genesisPolicy(): FinalizerPolicy {
    return this.finalizers.policy(
      1,
      Array.from({ length: this.options.finalizers ?? 4 }, (_, i) => i),
    )
  }

  private add(node: BlockNode): void {
    this.reversible.set(node.id, node)
    if (node.certificate) this.certificates.add(node.id, node.certificate)
    this.applied(node)
  }

  private applied(node: BlockNode): void {
    this.headNode = node
    this.branch.set(node.num, node)
    const lib = node.dpos ? node.num - this.transition : lastFinalOf(required(node.savanna, 'finality').core)
    if (lib > this.libNum) this.finalize(lib)
    for (const listener of this.listeners) listener({ num: node.num, id: node.id })
  }

  /** Moves blocks up to `lib` into the store and removes branches that do not contain them. */
  private finalize(lib: number): void {
    const final: FinalBlock[] = []
    for (let num = this.libNum + 1; num <= lib; num++) final.push(finalBlock(this.blockOf(num)))
    for (let num = this.firstBlock + this.frames.count; num < lib; num++) {
      this.frames.append(this.blockOf(num).stored)
      this.branch.delete(num)
    }
    this.libNum = lib
    const root = this.blockOf(lib)
    root.parent = null
    root.changes = []
    root.actions = []
    for (const node of this.reversible.values()) {
      if (node === root || descends(node, root)) continue
      this.reversible.delete(node.id)
      if (this.idOf(node.num) !== node.id) this.certificates.drop(node.id)
    }
    for (const listener of this.finalListeners) listener(final)
  }

  /**
   * Undoes the last `depth` blocks. They stay known for `switchTo`.
   *
   * @throws RangeError below the last irreversible block
   */
  fork(depth: number): void {
    let node = this.tip
    if (node.num - depth < this.libNum) throw new RangeError(`block ${node.num - depth} is irreversible`)
    for (let i = 0; i < depth; i++) {
      this.undo(node)
      node = required(node.parent, `parent of block ${node.num}`)
    }
    this.headNode = node
  }

  private undo(node: BlockNode): void {
    for (const change of node.changes.toReversed()) change.undo()
    this.state.globalSequence = node.globalSequenceBefore
    this.branch.delete(node.num)
  }

  /** Makes a known block the head: undoes and redoes the blocks between. @throws RangeError for an unknown block */
  switchTo(id: string): void {
    const target = this.reversible.get(id)
    if (!target) throw new RangeError(`block ${id} is not known`)
    const path: BlockNode[] = []
    let base = target
    for (; this.branch.get(base.num) !== base; base = required(base.parent, `parent of block ${base.num}`))
      path.push(base)
    this.fork(this.tip.num - base.num)
    for (const node of path.reverse()) {
      this.state.slot = node.timestamp
      for (const change of node.changes) change.redo()
      this.state.globalSequence = node.globalSequence
      this.applied(node)
    }
  }

  idOf(num: number): string | undefined {
    return this.branch.get(num)?.id ?? this.frames.idOf(num)
  }

  /** A block of the current branch, with its certificate. */
  block(num: number): StoredBlock | undefined {
    const stored = this.branch.get(num)?.stored ?? this.frames.get(num)
    return stored && this.certificates.attach(stored)
  }

  /** Full delta as of the head, for a log that starts there. */
  fullDeltas(): Uint8Array {
    return packFullState(this.state)
  }

  /** @returns unsubscribes */
  onIrreversible(listener: FinalListener): () => void {
    this.finalListeners.add(listener)
    return () => this.finalListeners.delete(listener)
  }

  /** @returns unsubscribes */
  onBlock(listener: BlockListener): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }
}

function finalBlock({ num, id, timestamp, actions, savanna }: BlockNode): FinalBlock {
  return { num, id, timestamp, actions, savanna }
}

function descends(node: BlockNode, root: BlockNode): boolean {
  let at: BlockNode | null = node
  while (at && at.num > root.num) at = at.parent
  return at === root
}

/** The action that sets an account's ABI. */
export function deployAbi(account: string, abi: Uint8Array): ActionCall {
  return {
    account: 'eosio',
    name: 'setabi',
    authorization: [{ actor: account, permission: 'active' }],
    data: { account, abi },
  }
}
