// Reads headers, certificates and finality data from streams. Its context is the one of `HeaderEncoder`.
import {
  BLOCK_EXTENSION,
  type BlockHeader,
  blockId,
  blockNumOf,
  type Extension,
  packBlockHeader,
  packSignedBlock,
  readBlockFrame,
} from '../../core/antelope/block.ts'
import { EMPTY_ROOT } from '../../core/antelope/merkle.ts'
import type { Reader } from '../../core/antelope/reader.ts'
import { Writer } from '../../core/antelope/writer.ts'
import { packFinalityData } from '../../core/finality/finality-data.ts'
import { toHex } from '../../core/hex.ts'
import { itemAt } from '../../core/required.ts'
import type { HeaderContext } from './header-context.ts'
import {
  AT,
  type Claim,
  extensionsOf,
  FLAG,
  type Generations,
  NO_SIGNATURE,
  type PackedHeader,
  readExtensions,
  type TrackedHeader,
} from './header-streams.ts'
import { otherLayout, readSigned } from './streams.ts'

export class HeaderDecoder {
  readonly #context: HeaderContext
  #streams: readonly Reader[] = []
  #generations: Generations | null = null

  constructor(context: HeaderContext) {
    this.#context = context
  }

  /** Continues with the streams of the next chunk. */
  open(streams: readonly Reader[]): void {
    this.#streams = streams
  }

  get hasMore(): boolean {
    return this.#from(AT.flags).remaining > 0
  }

  #from(stream: number): Reader {
    return itemAt(this.#streams, stream)
  }

  /** The next block. @throws DecodeError */
  next(): TrackedHeader {
    const flags = this.#from(AT.flags).varuint32()
    const { block, finality, header, num, id } = (flags & FLAG.raw) > 0 ? this.#raw(flags) : this.#plain(flags)
    const read = { num, id, header, block, finality }
    return { ...read, tracked: this.#context.add(read) }
  }

  #raw(flags: number) {
    const raw = this.#from(AT.raw)
    const block = raw.lengthBytes()
    const finality = (flags & FLAG.finality) > 0 ? raw.lengthBytes() : null
    const { blockNum: num, id, header } = readBlockFrame(block)
    return { block, finality, header, num, id }
  }

  #plain(flags: number) {
    const [numbers, hashes] = [this.#from(AT.numbers), this.#from(AT.hashes)]
    const { last } = this.#context
    const has = (flag: number) => (flags & flag) > 0
    const timestamp = (last?.header.timestamp ?? 0) + Number(readSigned(numbers))
    const confirmed = numbers.varuint32()
    const previous = has(FLAG.linked) ? given(last).id : toHex(hashes.bytes(32))
    const num = blockNumOf(previous) + 1
    const transactionMroot = has(FLAG.noTransactions) ? EMPTY_ROOT : hashes.bytes(32)
    // The root may follow from the claim, which stands after it.
    const storedRoot = has(FLAG.treeRoot) ? null : hashes.bytes(32)
    const producer = has(FLAG.sameProducer) ? given(last).header.producer : this.#from(AT.names).name()
    const scheduleVersion = has(FLAG.sameVersion) ? given(last).header.scheduleVersion : numbers.u32()
    const claim = has(FLAG.claim) ? { num: num - Number(readSigned(numbers)), strong: has(FLAG.strong) } : null
    const actionMroot = storedRoot ?? given(claim && this.#context.treeRoot(claim.num))
    const { headerExtensions, newProducers } = this.#extensions(claim)
    const header: BlockHeader = {
      ...{ timestamp, producer, confirmed, previous, transactionMroot, actionMroot, scheduleVersion },
      ...{ newProducers, headerExtensions },
    }
    const packed = packBlockHeader(header)
    const block = this.#body(packed, num, flags)
    const finality = has(FLAG.finality) ? this.#finality(claim, flags) : null
    return { block, finality, header, num, id: blockId(packed, num) }
  }

  #extensions(claim: Claim | null): Pick<BlockHeader, 'headerExtensions' | 'newProducers'> {
    if (claim) return { headerExtensions: extensionsOf(claim), newProducers: null }
    const headerExtensions = readExtensions(this.#from(AT.bytes).lengthBytes())
    const producers = this.#from(AT.bytes).lengthBytes()
    return { headerExtensions, newProducers: producers.length > 0 ? producers : null }
  }

  #body(header: Uint8Array, num: number, flags: number): PackedHeader['block'] {
    const signature = (flags & FLAG.unsigned) > 0 ? NO_SIGNATURE : this.#from(AT.bytes).lengthBytes()
    return packSignedBlock(header, signature, [], this.#blockExtensions(num, flags))
  }

  #blockExtensions(num: number, flags: number): Extension[] {
    if ((flags & FLAG.noExtension) > 0) return []
    if ((flags & FLAG.certificate) === 0) return readExtensions(this.#from(AT.bytes).lengthBytes())
    const writer = new Writer()
    writer.u32(num - Number(readSigned(this.#from(AT.numbers))))
    writer.bytes(this.#from(AT.certificates).lengthBytes())
    return [{ id: BLOCK_EXTENSION.quorumCertificate, data: writer.finish() }]
  }

  #finality(claim: Claim | null, flags: number): Uint8Array {
    const has = (flag: number) => (flags & flag) > 0
    if (!has(FLAG.plainFinality)) return this.#from(AT.raw).lengthBytes()
    const [numbers, hashes] = [this.#from(AT.numbers), this.#from(AT.hashes)]
    const { num, strong } = given(claim)
    if (!has(FLAG.sameGenerations)) {
      const [major, minor] = [numbers.varuint32(), numbers.varuint32()]
      const [activeGeneration, lastPendingGeneration] = [numbers.varuint32(), numbers.varuint32()]
      this.#generations = { major, minor, activeGeneration, lastPendingGeneration }
    }
    const [actionMroot, baseDigest] = [hashes.bytes(32), hashes.bytes(32)]
    const reversibleBlocksMroot = has(FLAG.reversible)
      ? given(this.#context.reversibleRoot(num, strong))
      : hashes.bytes(32)
    const claimed = has(FLAG.claimed)
      ? given(this.#context.claimed(num))
      : { finalityDigest: hashes.bytes(32), timestamp: numbers.u32() }
    return packFinalityData({
      ...given(this.#generations),
      ...{ actionMroot, baseDigest, reversibleBlocksMroot, claimBlockNum: num },
      ...{ claimFinalityDigest: claimed.finalityDigest, claimTimestamp: claimed.timestamp, pendingPolicy: null },
    })
  }
}

/** A value that a flag says is known. @throws DecodeError PACK_LAYOUT */
function given<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw otherLayout('a flag refers to a value that no block before has')
  return value
}
