// Writes headers, certificates and finality data to streams.
import {
  BLOCK_EXTENSION,
  packBlockHeader,
  packSignedBlock,
  readSignedBlock,
  type SignedBlock,
} from '../../core/antelope/block.ts'
import { EMPTY_ROOT } from '../../core/antelope/merkle.ts'
import { Reader } from '../../core/antelope/reader.ts'
import type { Writer } from '../../core/antelope/writer.ts'
import { type FinalityData, packFinalityData, readFinalityData } from '../../core/finality/finality-data.ts'
import { fromHex } from '../../core/hex.ts'
import { itemAt } from '../../core/required.ts'
import type { HeaderBlock, HeaderContext } from './header-context.ts'
import {
  AT,
  type Claim,
  claimOf,
  FLAG,
  type Generations,
  NO_SIGNATURE,
  type PackedHeader,
  packExtensions,
  type TrackedHeader,
} from './header-streams.ts'
import { writeSigned } from './streams.ts'

const same = (a: Uint8Array, b: Uint8Array | null | undefined): boolean => b != null && Buffer.compare(a, b) === 0

export class HeaderEncoder {
  readonly #context: HeaderContext
  readonly #streams: readonly Writer[]
  #generations: Generations | null = null

  constructor(context: HeaderContext, streams: readonly Writer[]) {
    this.#context = context
    this.#streams = streams
  }

  #to(stream: number): Writer {
    return itemAt(this.#streams, stream)
  }

  /** @throws DecodeError for bytes that are no block */
  add({ block, finality }: PackedHeader): TrackedHeader {
    const signed = readSignedBlock(block)
    const { header, blockNum: num, id } = signed
    const data = finality && readFinalityData(finality)
    const repacked = packSignedBlock(packBlockHeader(header), signed.signature, [], signed.extensions)
    const isPlain = same(repacked, block) && (!data || same(packFinalityData(data), finality))
    if (isPlain) this.#plain(signed, finality, data)
    else this.#raw(block, finality)
    const read: HeaderBlock = { num, id, header, extensions: signed.extensions, data }
    return { ...read, tracked: this.#context.add(read) }
  }

  #raw(block: Uint8Array, finality: Uint8Array | null): void {
    this.#to(AT.flags).varuint32(FLAG.raw | (finality ? FLAG.finality : 0))
    this.#to(AT.raw).lengthBytes(block)
    if (finality) this.#to(AT.raw).lengthBytes(finality)
  }

  #plain(signed: SignedBlock, finality: Uint8Array | null, data: FinalityData | null): void {
    const { headerExtensions, newProducers } = signed.header
    const claim = newProducers ? null : claimOf(headerExtensions)
    let flags = this.#header(signed, claim) | this.#body(signed)
    if (finality && data) flags |= FLAG.finality | this.#finality(finality, data, claim)
    this.#to(AT.flags).varuint32(flags)
  }

  #header({ header, blockNum }: SignedBlock, claim: Claim | null): number {
    const [numbers, hashes] = [this.#to(AT.numbers), this.#to(AT.hashes)]
    const { last } = this.#context
    let flags = 0
    writeSigned(numbers, BigInt(header.timestamp - (last?.header.timestamp ?? 0)))
    numbers.varuint32(header.confirmed)
    if (header.previous === last?.id) flags |= FLAG.linked
    else hashes.bytes(fromHex(header.previous))
    if (same(header.transactionMroot, EMPTY_ROOT)) flags |= FLAG.noTransactions
    else hashes.bytes(header.transactionMroot)
    if (claim && same(header.actionMroot, this.#context.treeRoot(claim.num))) flags |= FLAG.treeRoot
    else hashes.bytes(header.actionMroot)
    if (header.producer === last?.header.producer) flags |= FLAG.sameProducer
    else this.#to(AT.names).name(header.producer)
    if (header.scheduleVersion === last?.header.scheduleVersion) flags |= FLAG.sameVersion
    else numbers.u32(header.scheduleVersion)
    if (claim) {
      flags |= FLAG.claim | (claim.strong ? FLAG.strong : 0)
      writeSigned(numbers, BigInt(blockNum - claim.num))
    } else {
      this.#to(AT.bytes).lengthBytes(packExtensions(header.headerExtensions))
      this.#to(AT.bytes).lengthBytes(header.newProducers ?? new Uint8Array())
    }
    return flags
  }

  #body({ blockNum, signature, extensions }: SignedBlock): number {
    let flags = 0
    if (same(signature, NO_SIGNATURE)) flags |= FLAG.unsigned
    else this.#to(AT.bytes).lengthBytes(signature)
    const [first] = extensions
    if (first === undefined) return flags | FLAG.noExtension
    if (extensions.length === 1 && first.id === BLOCK_EXTENSION.quorumCertificate && first.data.length >= 4) {
      const reader = new Reader(first.data)
      writeSigned(this.#to(AT.numbers), BigInt(blockNum - reader.u32()))
      this.#to(AT.certificates).lengthBytes(first.data.subarray(4))
      return flags | FLAG.certificate
    }
    this.#to(AT.bytes).lengthBytes(packExtensions(extensions))
    return flags
  }

  #finality(finality: Uint8Array, data: FinalityData, claim: Claim | null): number {
    if (data.pendingPolicy || data.claimBlockNum !== claim?.num) {
      this.#to(AT.raw).lengthBytes(finality)
      return 0
    }
    const [numbers, hashes] = [this.#to(AT.numbers), this.#to(AT.hashes)]
    let flags = FLAG.plainFinality
    if (this.#isSameGeneration(data)) flags |= FLAG.sameGenerations
    else {
      const { major, minor, activeGeneration, lastPendingGeneration } = data
      for (const one of [major, minor, activeGeneration, lastPendingGeneration]) numbers.varuint32(one)
      this.#generations = { major, minor, activeGeneration, lastPendingGeneration }
    }
    hashes.bytes(data.actionMroot)
    hashes.bytes(data.baseDigest)
    if (same(data.reversibleBlocksMroot, this.#context.reversibleRoot(claim.num, claim.strong))) {
      flags |= FLAG.reversible
    } else hashes.bytes(data.reversibleBlocksMroot)
    const claimed = this.#context.claimed(claim.num)
    if (claimed?.timestamp === data.claimTimestamp && same(data.claimFinalityDigest, claimed.finalityDigest)) {
      return flags | FLAG.claimed
    }
    hashes.bytes(data.claimFinalityDigest)
    numbers.u32(data.claimTimestamp)
    return flags
  }

  #isSameGeneration({ major, minor, activeGeneration, lastPendingGeneration }: FinalityData): boolean {
    const last = this.#generations
    return (
      major === last?.major &&
      minor === last.minor &&
      activeGeneration === last.activeGeneration &&
      lastPendingGeneration === last.lastPendingGeneration
    )
  }
}
