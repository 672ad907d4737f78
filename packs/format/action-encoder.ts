// Writes slim traces to streams. Digests that follow from the actions are left out, and so are ids of transactions
// that no row has.
import { Reader } from '../../core/antelope/reader.ts'
import type { Writer } from '../../core/antelope/writer.ts'
import { itemAt } from '../../core/required.ts'
import { ACTION, type ActionContext, digestOf, IS, type Span } from './action-streams.ts'
import { otherLayout, writeSigned } from './streams.ts'

/** A receipt in its frame. */
interface Receipt {
  /** Offset of the digest; -1 without a receipt. */
  digest: number
  global: bigint
  received: bigint
  auths: [account: bigint, sequence: bigint][]
  code: number
  abi: number
}

/** An action that an equal one can follow. */
interface Act extends Span {
  dataEnd: number
}

export class ActionEncoder {
  readonly #context: ActionContext
  readonly #streams: readonly Writer[]
  readonly #placeOf: (id: string) => number | undefined
  #frame = new Uint8Array()
  #reader = new Reader(this.#frame)
  #last: Act | null = null
  #ordinal = 0

  /** @param placeOf  place of a transaction's id (latin1) among the ids of the rows */
  constructor(context: ActionContext, streams: readonly Writer[], placeOf: (id: string) => number | undefined) {
    this.#context = context
    this.#streams = streams
    this.#placeOf = placeOf
  }

  #to(stream: number): Writer {
    return itemAt(this.#streams, stream)
  }

  /**
   * @param traces  as `slimBlock` makes them
   * @returns the traces with zeros for ids that are left out: as a reader gets them
   * @throws DecodeError PACK_LAYOUT
   */
  add(traces: Uint8Array): Uint8Array {
    this.#frame = Uint8Array.from(traces)
    const reader = new Reader(this.#frame)
    this.#reader = reader
    this.#last = null
    const count = reader.varuint32()
    this.#to(ACTION.counts).varuint32(count)
    for (let left = count; left > 0; left--) this.#transaction()
    if (reader.remaining > 0) throw otherLayout('bytes follow the last transaction')
    return this.#frame
  }

  #transaction(): void {
    const reader = this.#reader
    zeros(reader, 1) // variant
    const id = reader.bytes(32)
    const place = this.#placeOf(Buffer.from(id).toString('latin1'))
    const transactions = this.#to(ACTION.transactions)
    // 0: no row has the id.
    if (place === undefined) {
      transactions.varuint32(0)
      id.fill(0)
    } else {
      const step = place - this.#context.transaction - 1
      transactions.varuint32(1 + (step < 0 ? -2 * step - 1 : 2 * step))
      this.#context.transaction = place
    }
    transactions.u8(reader.u8()) // status
    zeros(reader, 4 + 1 + 8 + 8 + 1) // cpu_usage_us, net_usage_words, elapsed, net_usage, scheduled
    const count = reader.varuint32()
    this.#to(ACTION.counts).varuint32(count)
    this.#ordinal = 0
    for (let left = count; left > 0; left--) this.#action()
    zeros(reader, 5) // account_ram_delta, except, error_code, failed_dtrx_trace, partial
  }

  #action(): void {
    const reader = this.#reader
    let flags = reader.varuint32() === 1 ? IS.returning : 0
    flags |= this.#ordinals()
    const receipt = this.#receipt()
    const receiver = reader.u64()
    const base = reader.pos
    const account = reader.u64()
    const name = reader.u64()
    const auths = Array.from({ length: reader.varuint32() }, () => [reader.u64(), reader.u64()] as const)
    const data = reader.pos
    reader.skip(reader.varuint32())
    const dataEnd = reader.pos
    zeros(reader, 1 + 8 + 1 + 1 + 1 + 1) // context_free, elapsed, console, account_ram_deltas, except, error_code
    const returned = reader.pos
    if ((flags & IS.returning) > 0) reader.skip(reader.varuint32())
    const { names } = this.#context
    const newNames = this.#to(ACTION.newNames)
    names.write(this.#to(ACTION.receivers), newNames, receiver)
    const frame = this.#frame
    const last = this.#last
    if (last && Buffer.compare(frame.subarray(last.start, last.dataEnd), frame.subarray(base, dataEnd)) === 0) {
      flags |= IS.repeated
    } else {
      names.write(this.#to(ACTION.accounts), newNames, account)
      names.write(this.#to(ACTION.names), newNames, name)
      const to = this.#to(ACTION.authorizations)
      to.varuint32(auths.length)
      for (const auth of auths) for (const one of auth) names.write(to, newNames, one)
      const content = new Reader(frame, data, dataEnd).lengthBytes()
      this.#to(ACTION.lengths).varuint32(content.length)
      this.#to(ACTION.data).bytes(content)
    }
    this.#last = { start: base, end: data, dataEnd }
    if ((flags & IS.returning) > 0) this.#to(ACTION.returned).bytes(frame.subarray(returned, reader.pos))
    if (receipt) {
      const spans = {
        base: { start: base, end: data },
        data: { start: data, end: dataEnd },
        returned: { start: returned, end: reader.pos },
      }
      const digest = frame.subarray(receipt.digest, receipt.digest + 32)
      const isDigest = (ofReturn: boolean) => Buffer.compare(digestOf(frame, spans, ofReturn), digest) === 0
      const only = auths.length === 1 && auths[0] ? auths[0][0] : null
      flags |= IS.receipt
      if (isDigest(true)) flags |= IS.digestOfReturn
      else if (!isDigest(false)) {
        flags |= IS.digest
        this.#to(ACTION.digests).bytes(digest)
      }
      flags |= this.#sequences(receipt, receiver, account, only)
    }
    this.#to(ACTION.flags).u8(flags)
  }

  #ordinals(): number {
    const reader = this.#reader
    const [ordinal, creator] = [reader.varuint32(), reader.varuint32()]
    const isNext = ordinal === this.#ordinal + 1 && creator === 0
    if (!isNext) {
      writeSigned(this.#to(ACTION.sequences), BigInt(ordinal - this.#ordinal))
      writeSigned(this.#to(ACTION.sequences), BigInt(ordinal - creator))
    }
    this.#ordinal = ordinal
    return isNext ? IS.nextOrdinal : 0
  }

  /** @throws DecodeError PACK_LAYOUT when the receipt is not the receiver's */
  #receipt(): Receipt | null {
    const reader = this.#reader
    if (!reader.flag()) return null
    zeros(reader, 1) // variant
    const receiver = reader.u64()
    const digest = reader.pos
    reader.skip(32)
    const [global, received] = [reader.u64(), reader.u64()]
    const count = reader.varuint32()
    const auths = Array.from({ length: count }, (): [bigint, bigint] => [reader.u64(), reader.u64()])
    const [code, abi] = [reader.varuint32(), reader.varuint32()]
    const { pos } = reader
    if (reader.u64() !== receiver) throw otherLayout('a receipt is not of the receiver of its trace')
    reader.pos = pos
    return { digest, global, received, auths, code, abi }
  }

  /** @param only  the only authorising account of the action; null when there are more, or none */
  #sequences(receipt: Receipt, receiver: bigint, account: bigint, only: bigint | null): number {
    const context = this.#context
    const { global, received, auths, code, abi } = receipt
    const sequences = this.#to(ACTION.sequences)
    writeSigned(sequences, global - context.globalSequence - 1n)
    context.globalSequence = global
    context.received.write(sequences, receiver, received)
    const to = this.#to(ACTION.auths)
    const isOne = auths.length === 1 && auths[0]?.[0] === only
    if (!isOne) to.varuint32(auths.length)
    for (const [actor, sequence] of auths) {
      if (!isOne) context.names.write(to, this.#to(ACTION.newNames), actor)
      context.authorized.write(to, actor, sequence)
    }
    const known = context.versions.get(account)
    const isKnown = known?.[0] === code && known[1] === abi
    if (!isKnown) {
      this.#to(ACTION.versions).varuint32(code)
      this.#to(ACTION.versions).varuint32(abi)
      context.versions.set(account, [code, abi])
    }
    return (isOne ? IS.oneAuth : 0) | (isKnown ? IS.sameVersions : 0)
  }
}

/** Skips bytes that must be zero. @throws DecodeError PACK_LAYOUT */
function zeros(reader: Reader, count: number): void {
  for (let i = 0; i < count; i++) if (reader.u8() !== 0) throw otherLayout('a part that packs leave out is there')
}
