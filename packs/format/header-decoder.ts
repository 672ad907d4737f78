// Reads headers, certificates and finality data from streams. Its context is the one of `HeaderEncoder`.
import {
  BLOCK_EXTENSION,
  type BlockHeader,
  blockNumOf,
  type Extension,
  headerId,
  packBlockHeader,
  packSignedBlock,
  readBlockFrame,
} from '../../core/antelope/block.ts'
import { EMPTY_ROOT } from '../../core/antelope/merkle.ts'
import { writeU32 } from '../../core/antelope/raw.ts'
import type { Reader } from '../../core/antelope/reader.ts'
import { type FinalityData, packFinalityData, readFinalityData } from '../../core/finality/finality-data.ts'
import type { Tracked } from '../../core/finality/track.ts'
import { toHex } from '../../core/hex.ts'
import { itemAt } from '../../core/required.ts'
import type { HeaderBlock, HeaderContext } from './header-context.ts'
import {
  AT,
  type Claim,
  extensionsOf,
  FLAG,
  type Generations,
  has,
  NO_SIGNATURE,
  type PackedHeader,
  readExtensions,
  type TrackedHeader,
} from './header-streams.ts'
import { otherLayout, readSigned } from './streams.ts'

const MAX_BLOCK_NUM = 2 ** 32 - 1

/** A block as its header and its parts, or as it is stored. */
interface Parts extends HeaderBlock {
  signature?: Uint8Array
  raw?: PackedHeader
}

/** Traces of a block without transactions. */
const NO_TRACES = new Uint8Array([0])

/** A block. Its bytes are assembled on access. */
class DecodedHeader implements TrackedHeader, PackedHeader {
  readonly #parts: Parts
  readonly tracked: Tracked | null
  /** Set by the decoder of actions. */
  traces: Uint8Array = NO_TRACES

  constructor(parts: Parts, tracked: Tracked | null) {
    this.#parts = parts
    this.tracked = tracked
  }

  get num(): number {
    return this.#parts.num
  }

  get id(): string {
    return this.#parts.id
  }

  get header(): BlockHeader {
    return this.#parts.header
  }

  get extensions(): readonly Extension[] {
    return this.#parts.extensions
  }

  get data(): FinalityData | null {
    return this.#parts.data
  }

  get block(): Uint8Array {
    const { raw, signature, header, extensions } = this.#parts
    return raw?.block ?? packSignedBlock(packBlockHeader(header), signature ?? NO_SIGNATURE, [], extensions)
  }

  get finality(): Uint8Array | null {
    const { raw, data } = this.#parts
    return raw ? raw.finality : data && packFinalityData(data)
  }
}

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
  next(): DecodedHeader {
    const flags = this.#from(AT.flags).varuint32()
    const parts = has(flags, FLAG.raw) ? this.#raw(flags) : this.#plain(flags)
    return new DecodedHeader(parts, this.#context.add(parts))
  }

  #raw(flags: number): Parts {
    const raw = this.#from(AT.raw)
    const block = raw.lengthBytes()
    const finality = has(flags, FLAG.finality) ? raw.lengthBytes() : null
    const { blockNum: num, id, header, extensions } = readBlockFrame(block)
    return { num, id, header, extensions, data: finality && readFinalityData(finality), raw: { block, finality } }
  }

  #plain(flags: number): Parts {
    const [numbers, hashes] = [this.#from(AT.numbers), this.#from(AT.hashes)]
    const { last } = this.#context
    const timestamp = (last?.header.timestamp ?? 0) + Number(readSigned(numbers))
    const confirmed = numbers.varuint32()
    const previous = has(flags, FLAG.linked) ? given(last).id : toHex(hashes.bytes(32))
    const num = blockNumOf(previous) + 1
    const transactionMroot = has(flags, FLAG.noTransactions) ? EMPTY_ROOT : hashes.bytes(32)
    // The root may be derived from the claim, which is stored after it.
    const storedRoot = has(flags, FLAG.treeRoot) ? null : hashes.bytes(32)
    const producer = has(flags, FLAG.sameProducer) ? given(last).header.producer : this.#from(AT.names).name()
    const scheduleVersion = has(flags, FLAG.sameVersion) ? given(last).header.scheduleVersion : numbers.u32()
    const claim = has(flags, FLAG.claim)
      ? { num: num - Number(readSigned(numbers)), strong: has(flags, FLAG.strong) }
      : null
    const actionMroot = storedRoot ?? given(claim && this.#context.treeRoot(claim.num))
    const { headerExtensions, newProducers } = this.#extensions(claim)
    // Written out, as the other objects of a block: one built from spreads costs several microseconds.
    const header: BlockHeader = {
      timestamp,
      producer,
      confirmed,
      previous,
      transactionMroot,
      actionMroot,
      scheduleVersion,
      newProducers,
      headerExtensions,
    }
    const signature = has(flags, FLAG.unsigned) ? NO_SIGNATURE : this.#from(AT.bytes).lengthBytes()
    const extensions = this.#blockExtensions(num, flags)
    const data = has(flags, FLAG.finality) ? this.#finality(claim, flags) : null
    return { num, id: headerId(header, num), header, extensions, data, signature }
  }

  #extensions(claim: Claim | null): Pick<BlockHeader, 'headerExtensions' | 'newProducers'> {
    if (claim) return { headerExtensions: extensionsOf(claim), newProducers: null }
    const headerExtensions = readExtensions(this.#from(AT.bytes).lengthBytes())
    const producers = this.#from(AT.bytes).lengthBytes()
    return { headerExtensions, newProducers: producers.length > 0 ? producers : null }
  }

  #blockExtensions(num: number, flags: number): Extension[] {
    if (has(flags, FLAG.noExtension)) return []
    if (!has(flags, FLAG.certificate)) return readExtensions(this.#from(AT.bytes).lengthBytes())
    const certified = num - Number(readSigned(this.#from(AT.numbers)))
    if (!(certified >= 0 && certified <= MAX_BLOCK_NUM)) throw otherLayout(`a certificate is for block ${certified}`)
    const certificate = this.#from(AT.certificates).lengthBytes()
    const data = new Uint8Array(4 + certificate.length)
    writeU32(data, 0, certified)
    data.set(certificate, 4)
    return [{ id: BLOCK_EXTENSION.quorumCertificate, data }]
  }

  #finality(claim: Claim | null, flags: number): FinalityData {
    if (!has(flags, FLAG.plainFinality)) return readFinalityData(this.#from(AT.raw).lengthBytes())
    const [numbers, hashes] = [this.#from(AT.numbers), this.#from(AT.hashes)]
    const { num, strong } = given(claim)
    if (!has(flags, FLAG.sameGenerations)) {
      const [major, minor] = [numbers.varuint32(), numbers.varuint32()]
      const [activeGeneration, lastPendingGeneration] = [numbers.varuint32(), numbers.varuint32()]
      this.#generations = { major, minor, activeGeneration, lastPendingGeneration }
    }
    const [actionMroot, baseDigest] = [hashes.bytes(32), hashes.bytes(32)]
    const reversibleBlocksMroot = has(flags, FLAG.reversible)
      ? given(this.#context.reversibleRoot(num, strong))
      : hashes.bytes(32)
    const claimed = has(flags, FLAG.claimed)
      ? given(this.#context.claimed(num))
      : { finalityDigest: hashes.bytes(32), timestamp: numbers.u32() }
    const { major, minor, activeGeneration, lastPendingGeneration } = given(this.#generations)
    return {
      major,
      minor,
      activeGeneration,
      lastPendingGeneration,
      actionMroot,
      baseDigest,
      reversibleBlocksMroot,
      claimBlockNum: num,
      claimFinalityDigest: claimed.finalityDigest,
      claimTimestamp: claimed.timestamp,
      pendingPolicy: null,
    }
  }
}

/** A value that a flag declares as known from earlier blocks. @throws DecodeError PACK_LAYOUT */
function given<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw otherLayout('a flag refers to a value that no earlier block has')
  return value
}
