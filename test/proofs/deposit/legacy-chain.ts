// A chain before Savanna for tests: signed headers that commit to all earlier ids, changing schedules, and deposits.
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { blockId, HEADER_EXTENSION, packBlockHeader } from '../../../core/antelope/block.ts'
import { type ActionReceipt, actDigest, legacyActionDigest } from '../../../core/antelope/digest.ts'
import { legacyMerkleRoot } from '../../../core/antelope/merkle.ts'
import { Writer } from '../../../core/antelope/writer.ts'
import { BlockRootTree } from '../../../core/finality/legacy/block-root.ts'
import type { LegacyBlock } from '../../../core/finality/legacy/rows.ts'
import {
  type ProducerSchedule,
  packSchedule,
  scheduleHash,
  signingDigest,
} from '../../../core/finality/legacy/schedule.ts'
import type { NodePosition } from '../../../core/finality/positions.ts'
import { fromHex, toHex } from '../../../core/hex.ts'
import { sha256 } from '../../../core/sha256.ts'
import type { LegacyDepositSource, LegacyLog } from '../../../proofs/deposit/antelope/dpos.ts'

const BRIDGE = 'bridge.svc'
const RUN = 2

const secretOf = (producer: string) => sha256(Buffer.from(producer))

/** Every producer signs with one key. */
export function scheduleOf(version: number, producers: readonly string[]): ProducerSchedule {
  return {
    version,
    producers: producers.map((producer) => {
      const key = Uint8Array.of(0, ...secp256k1.getPublicKey(secretOf(producer), true))
      return { producer, threshold: 1, keys: [{ key, weight: 1 }] }
    }),
  }
}

export class LegacyChain implements LegacyDepositSource {
  readonly chain = 'wax'
  readonly bridge = BRIDGE
  readonly #blocks: LegacyBlock[] = []
  /** Tree i holds the ids of all blocks before block i + 1. */
  readonly #trees: BlockRootTree[] = [BlockRootTree.empty]
  readonly #schedules: { blockNum: number; schedule: ProducerSchedule }[]
  readonly #logs = new Map<bigint, LegacyLog>()
  #active: ProducerSchedule
  #pending: ProducerSchedule | null = null
  #sequence = 1n

  constructor(schedule: ProducerSchedule) {
    this.#active = schedule
    this.#schedules = [{ blockNum: 0, schedule }]
  }

  get head(): number {
    return this.#blocks.length
  }

  /** @param nonces  deposits locked in the block  @param schedule  new schedule in its header */
  produce(nonces: readonly bigint[] = [], schedule: ProducerSchedule | null = null): void {
    const num = this.head + 1
    if (schedule) this.#schedules.push({ blockNum: num, schedule })
    this.#pending = schedule ?? this.#pending
    const { producers } = this.#active
    const { producer } = producers[Math.floor(num / RUN) % producers.length]!
    const packedHeader = packBlockHeader({
      timestamp: 1000 + num,
      producer,
      confirmed: 0,
      previous: this.#blocks.at(-1) ? toHex(this.#blocks.at(-1)!.id) : '00'.repeat(32),
      transactionMroot: new Uint8Array(32),
      actionMroot: this.#run(num, nonces),
      scheduleVersion: this.#active.version,
      newProducers: null,
      headerExtensions: schedule ? [{ id: HEADER_EXTENSION.producerSchedule, data: packSchedule(schedule) }] : [],
    })
    const root = this.#trees.at(-1)!.root()
    const digest = signingDigest(packedHeader, root, scheduleHash(this.#pending ?? this.#active))
    const compact = secp256k1.sign(digest, secretOf(producer), { prehash: false, format: 'recovered' })
    const signature = Uint8Array.of(0, compact[0]! + 31, ...compact.subarray(1))
    const id = fromHex(blockId(packedHeader, num))
    this.#blocks.push({ num, id, packedHeader, signatures: [signature] })
    this.#trees.push(this.#trees.at(-1)!.append(id))
  }

  idle(count: number): void {
    for (let i = 0; i < count; i++) this.produce()
  }

  /** Activates the pending schedule. */
  activate(): void {
    this.#active = this.#pending!
    this.#pending = null
  }

  /** Returns all blocks of the range: more than a real store must keep. */
  async headers(from: number, to: number): Promise<LegacyBlock[]> {
    return this.#blocks.slice(from - 1, to)
  }

  async ids(from: number, to: number): Promise<Uint8Array[]> {
    return this.#blocks.slice(from - 1, to).map(({ id }) => id)
  }

  async nodes(positions: readonly NodePosition[]): Promise<Uint8Array[]> {
    return positions.map(
      ({ level, at }) =>
        this.#trees[(at + 1) * 2 ** level - 1]!.completed(this.#blocks[(at + 1) * 2 ** level - 1]!.id)[level]!,
    )
  }

  async schedules(): Promise<{ blockNum: number; schedule: ProducerSchedule }[]> {
    return this.#schedules
  }

  async log(nonce: bigint): Promise<LegacyLog | null> {
    return this.#logs.get(nonce) ?? null
  }

  /** Action root of a block: its deposits and a few unrelated actions. */
  #run(blockNum: number, nonces: readonly bigint[]): Uint8Array {
    const all = [
      ...[0, 1, 2].map(() => ({ account: 'eosio', name: 'onblock', data: Uint8Array.of(1), nonce: null })),
      ...nonces.map((nonce) => ({ account: BRIDGE, name: 'deplog', data: depositLog(nonce), nonce })),
    ].map(({ account, name, data, nonce }) => {
      const authorization = [{ actor: account, permission: 'active' }]
      const sequence = this.#sequence++
      const receipt: ActionReceipt = {
        receiver: account,
        actDigest: actDigest({ account, name, authorization, data }, new Uint8Array()),
        globalSequence: sequence,
        recvSequence: sequence,
        authSequence: [[account, sequence]],
        codeSequence: 1,
        abiSequence: 1,
      }
      return { receipt, data, nonce }
    })
    const leaves = all.map(({ receipt }) => legacyActionDigest(receipt))
    for (const [index, { receipt, data, nonce }] of all.entries())
      if (nonce !== null) this.#logs.set(nonce, { blockNum, data, receipt, index, leaves })
    return legacyMerkleRoot(leaves)
  }
}

function depositLog(nonce: bigint): Uint8Array {
  const writer = new Writer()
  writer.u64(nonce)
  writer.name(BRIDGE)
  return writer.finish()
}
