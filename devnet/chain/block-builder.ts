// Makes one block: the implicit `onblock`, then transactions as they are pushed, then header, digests and deltas.

import {
  type BlockHeader,
  blockId,
  type Extension,
  HEADER_EXTENSION,
  packBlockHeader,
  packSignedBlock,
  SAVANNA_SCHEDULE_VERSION,
  transactionReceiptDigest,
} from '../../core/antelope/block.ts'
import { actionDigest, legacyActionDigest } from '../../core/antelope/digest.ts'
import { legacyMerkleRoot, merkleRoot } from '../../core/antelope/merkle.ts'
import { referenceTo } from '../../core/antelope/pack-transaction.ts'
import { slotToMs } from '../../core/antelope/time.ts'
import { latestClaimOf, type QcClaim } from '../../core/finality/finality-core.ts'
import { packFinalityData } from '../../core/finality/finality-data.ts'
import { packFinalityExtension } from '../../core/finality/finality-extension.ts'
import { diffFinalizerPolicies, type FinalizerPolicy } from '../../core/finality/finalizer-policy.ts'
import { type ProducerSchedule, packSchedule } from '../../core/finality/legacy/schedule.ts'
import { fromHex } from '../../core/hex.ts'
import type { BlockNode } from './block-node.ts'
import type { BlockPosition, Chain, TransactionResult } from './chain.ts'
import type { ActionCall } from './contract.ts'
import { ContractError } from './contract-error.ts'
import { packDeltas } from './deltas.ts'
import { type DposState, dposProducer, firstDpos, nextDpos, signBlock } from './dpos.ts'
import { type ActionTrace, execute, packCall } from './execute.ts'
import type { Certificate } from './finalizers.ts'
import { childDraft, claimOn, finishSavanna, genesisDraft, newestPolicy, type SavannaDraft } from './savanna.ts'
import { packTraces, type TransactionTrace } from './traces.ts'
import { makeTransaction, receiptOf, signatureFrom, type Transaction } from './transaction.ts'

export type CertificateKind = 'strong' | 'weak' | 'none'

const LIFETIME_S = 60

export class BlockBuilder {
  /** Unix milliseconds of the block. */
  readonly now: number
  readonly num: number
  private readonly chain: Chain
  private readonly parent: BlockNode | null
  private readonly timestamp: number
  private readonly previous: string
  private readonly globalSequenceBefore: number
  private readonly traces: TransactionTrace[] = []
  private readonly transactions: Transaction[] = []
  private readonly done: (node: BlockNode) => void

  constructor(chain: Chain, parent: BlockNode | null, timestamp: number, done: (node: BlockNode) => void) {
    this.chain = chain
    this.parent = parent
    this.timestamp = timestamp
    this.now = slotToMs(timestamp)
    this.num = parent ? parent.num + 1 : chain.firstBlock
    this.previous = parent?.id ?? blockId(Buffer.from(chain.chainId), chain.firstBlock - 1)
    this.done = done
    chain.state.slot = timestamp
    this.globalSequenceBefore = chain.state.globalSequence
    this.onBlock()
  }

  /** The implicit transaction: passes the previous header to the system contract. */
  private onBlock(): void {
    const data = this.parent?.packedHeader ?? packBlockHeader(this.emptyHeader(blockId(new Uint8Array(), this.num - 2)))
    const authorization = [{ actor: 'eosio', permission: 'active' }]
    const call: ActionCall = { account: 'eosio', name: 'onblock', authorization, data: {} }
    const actions = [{ call, packed: { account: 'eosio', name: 'onblock', authorization, data } }]
    const { id } = makeTransaction({ expiration: this.expiration, ...referenceTo(this.previous) }, actions)
    const executed = execute(this.chain.state, this.chain.contracts, { actions }, this.now)
    this.traces.push({ id, cpuUsageUs: 100, netUsageWords: 0, actions: executed, transaction: null })
  }

  /** Unix seconds; adds the number of transactions so far, so that equal transactions differ. */
  private get expiration(): number {
    return Math.floor(this.now / 1000) + LIFETIME_S + this.traces.length
  }

  /** Runs a transaction. A transaction that a contract refuses is undone and omitted. */
  push(transaction: readonly ActionCall[] | Transaction): TransactionResult {
    const { state, contracts } = this.chain
    try {
      const made = 'packedTrx' in transaction ? transaction : this.make(transaction)
      const actions = execute(state, contracts, made, this.now)
      const { cpuUsageUs, netUsageWords } = receiptOf(made)
      this.traces.push({ id: made.id, cpuUsageUs, netUsageWords, actions, transaction: made })
      this.transactions.push(made)
      return { ok: true, id: made.id, actions }
    } catch (error) {
      if (!(error instanceof ContractError)) throw error
      return { ok: false, error: error.message }
    }
  }

  private make(calls: readonly ActionCall[]): Transaction {
    const actions = calls.map((call) => ({ call, packed: packCall(this.chain.state, call) }))
    return makeTransaction({ expiration: this.expiration, ...referenceTo(this.previous) }, actions)
  }

  private emptyHeader(previous: string, dpos: DposState | null = null): BlockHeader {
    return {
      timestamp: this.timestamp,
      producer: dpos ? dposProducer(dpos, this.timestamp) : this.chain.producers.at(this.timestamp),
      confirmed: 0,
      previous,
      transactionMroot: new Uint8Array(32),
      actionMroot: new Uint8Array(32),
      scheduleVersion: 1,
      newProducers: null,
      headerExtensions: [],
    }
  }

  /**
   * Completes the block and makes it the head.
   *
   * @param certificate  on the parent, as claimed in the header and carried by the block
   * @param proposal     policy that the header proposes
   * @param producers    schedule in the header, before Savanna
   */
  finish(
    certificate: CertificateKind = 'strong',
    proposal: FinalizerPolicy | null = null,
    producers: readonly string[] | null = null,
  ): BlockPosition {
    const draft = this.chain.savanna ? this.draft(certificate, proposal) : null
    const dpos = this.dpos(draft, producers)
    const receipts = this.transactions.map(receiptOf)
    const executed = this.traces.flatMap((trace) => trace.actions)
    const legacy = !draft?.proper
    const header: BlockHeader = {
      ...this.emptyHeader(this.previous, dpos),
      transactionMroot: (legacy ? legacyMerkleRoot : merkleRoot)(receipts.map(transactionReceiptDigest)),
      actionMroot: legacy ? legacyActionRoot(executed) : draft.finalityMroot,
      scheduleVersion: legacy ? (dpos?.active.version ?? 1) : SAVANNA_SCHEDULE_VERSION,
      headerExtensions: [
        ...(dpos?.pending?.blockNum === this.num ? [scheduleExtension(dpos.pending.schedule)] : []),
        ...(draft ? [this.extension(draft, proposal)] : []),
      ],
    }
    const packed = packBlockHeader(header)
    const id = blockId(packed, this.num)
    const blockNum = this.num
    const savanna =
      draft &&
      finishSavanna(
        draft,
        this.parent?.savanna ?? null,
        {
          header,
          packed,
          id,
          blockNum,
          actionMroot: merkleRoot(executed.map((a) => actionDigest(a.receipt, a.action))),
        },
        { proposers: this.chain.producers.packed, protocolFeatures: [] },
      )
    const { seed } = this.chain
    const signature = dpos ? signBlock(packed, dpos, header.producer, seed) : signatureFrom(fromHex(id))
    const changes = this.chain.state.takeChanges()
    const node: BlockNode = {
      num: this.num,
      id,
      parent: this.parent,
      timestamp: this.timestamp,
      packedHeader: packed,
      savanna,
      dpos,
      changes,
      globalSequenceBefore: this.globalSequenceBefore,
      globalSequence: this.chain.state.globalSequence,
      actions: executed,
      stored: {
        num: this.num,
        id,
        prevId: this.parent?.id ?? null,
        block: packSignedBlock(packed, signature, receipts, []),
        traces: packTraces(this.traces),
        deltas: packDeltas(changes),
        finality: savanna && packFinalityData(savanna.data),
      },
      certificate: draft && this.certificate(latestClaimOf(draft.core)),
    }
    this.done(node)
    return { num: node.num, id }
  }

  private draft(certificate: CertificateKind, proposal: FinalizerPolicy | null): SavannaDraft {
    const parent = this.parent?.savanna
    if (!parent) return genesisDraft(this.num, this.timestamp, this.chain.genesisPolicy())
    const draft = childDraft(parent, this.timestamp, claimOn(parent, certificate), proposal)
    return this.parent?.dpos && this.isInTransition(draft) ? { ...draft, proper: false } : draft
  }

  /** Whether producers have not yet made the genesis block of Savanna final. */
  private isInTransition({ core }: SavannaDraft): boolean {
    return this.num <= latestClaimOf(core).blockNum + this.chain.transition
  }

  /** State that producers sign; null under Savanna's rules, and on a chain that began with them. */
  private dpos(draft: SavannaDraft | null, names: readonly string[] | null): DposState | null {
    const { seed, producers } = this.chain
    if (draft?.proper) return null
    if (!this.parent) return draft ? null : firstDpos(this.num, this.previous, producers.names, seed)
    const { id, num, dpos } = this.parent
    return dpos && nextDpos({ id, num, dpos }, this.chain.lib.num, names, seed)
  }

  private extension(draft: SavannaDraft, proposal: FinalizerPolicy | null): { id: number; data: Uint8Array } {
    const parent = this.parent?.savanna
    const finalizerPolicy = parent
      ? proposal && diffFinalizerPolicies(newestPolicy({ ...draft, proposed: draft.proposed.slice(0, -1) }), proposal)
      : diffFinalizerPolicies(null, draft.active)
    const claim = latestClaimOf(draft.core)
    return {
      id: HEADER_EXTENSION.finality,
      data: packFinalityExtension({ claim, finalizerPolicy, proposerPolicy: null }),
    }
  }

  /** The certificate of a claim that the parent does not make already. */
  private certificate(claim: QcClaim): Certificate | null {
    const parent = this.parent?.savanna
    if (!parent || claim.blockNum === latestClaimOf(parent.core).blockNum) return null
    const { active, pending, ref } = parent
    return {
      blockNum: claim.blockNum,
      finalityDigest: ref.finalityDigest,
      active,
      pending: pending?.[1] ?? null,
      strong: claim.strong,
    }
  }
}

function scheduleExtension(schedule: ProducerSchedule): Extension {
  return { id: HEADER_EXTENSION.producerSchedule, data: packSchedule(schedule) }
}

function legacyActionRoot(executed: readonly ActionTrace[]): Uint8Array {
  return legacyMerkleRoot(executed.map(({ receipt }) => legacyActionDigest(receipt)))
}
