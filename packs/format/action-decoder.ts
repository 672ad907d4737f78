// Reads slim traces from streams, with all digests. Its context is the one of `ActionEncoder`.
import type { Reader } from '../../core/antelope/reader.ts'
import { Writer } from '../../core/antelope/writer.ts'
import { itemAt } from '../../core/required.ts'
import { ACTION, ActionContext, appendU64, digestOf, IS, type Span } from './action-streams.ts'
import { has } from './header-streams.ts'
import { otherLayout, readSigned } from './streams.ts'

/** Account, name and authorisations, and data with their length, of the last action: places in the written frame. */
interface Act {
  base: Span
  data: Span
  account: bigint
  /** The only authorising account; null when there are more, or none. */
  only: bigint | null
}

/** Limit of the actions of a block, bytes: a flag can repeat a large one. */
const MAX_BYTES = 2 ** 28
const NO_ID = new Uint8Array(32)

export class ActionDecoder {
  readonly #context = new ActionContext()
  readonly #ids: readonly Uint8Array[] | null
  #streams: readonly Reader[] = []
  #writer = new Writer()
  #last: Act | null = null
  #ordinal = 0

  /** @param ids  ids of the transactions that rows have, in their order; null when they are not known: zeros instead */
  constructor(ids: readonly Uint8Array[] | null) {
    this.#ids = ids
  }

  /** Continues with the streams of the next chunk. */
  open(streams: readonly Reader[]): void {
    this.#streams = streams
  }

  #from(stream: number): Reader {
    return itemAt(this.#streams, stream)
  }

  /** Slim traces of the next block. @throws DecodeError */
  next(): Uint8Array {
    const writer = new Writer(1024)
    this.#writer = writer
    this.#last = null
    const count = this.#from(ACTION.counts).varuint32()
    writer.varuint32(count)
    for (let left = count; left > 0; left--) this.#transaction()
    return writer.finish()
  }

  #transaction(): void {
    const writer = this.#writer
    const transactions = this.#from(ACTION.transactions)
    writer.reserve(1) // variant
    writer.bytes(this.#id(transactions.varuint32()))
    writer.u8(transactions.u8()) // status
    writer.reserve(4 + 1 + 8 + 8 + 1) // cpu_usage_us, net_usage_words, elapsed, net_usage, scheduled
    const count = this.#from(ACTION.counts).varuint32()
    writer.varuint32(count)
    this.#ordinal = 0
    for (let left = count; left > 0; left--) this.#action()
    writer.reserve(5) // account_ram_delta, except, error_code, failed_dtrx_trace, partial
  }

  #id(code: number): Uint8Array {
    if (code === 0) return NO_ID
    const step = code - 1
    this.#context.transaction += 1 + (step % 2 === 1 ? -(step + 1) / 2 : step / 2)
    if (this.#ids === null) return NO_ID
    const id = this.#ids[this.#context.transaction]
    if (!id) throw otherLayout('a transaction has an id that the rows do not have')
    return id
  }

  #action(): void {
    const writer = this.#writer
    if (writer.pos > MAX_BYTES) throw otherLayout('the actions of a block are too large')
    const flags = this.#from(ACTION.flags).u8()
    const { names } = this.#context
    const newNames = this.#from(ACTION.newNames)
    writer.u8(has(flags, IS.returning) ? 1 : 0)
    this.#ordinals(has(flags, IS.nextOrdinal))
    writer.u8(has(flags, IS.receipt) ? 1 : 0)
    const receiver = names.read(this.#from(ACTION.receivers), newNames)
    const before = this.#last
    // The receipt stands before the action, whose parts it is made of.
    const act = has(flags, IS.repeated) ? repeated(before) : this.#readAct()
    const receipt = has(flags, IS.receipt) ? this.#receipt(receiver, act, flags) : -1
    appendU64(writer, receiver)
    const base = this.#span(act.base, act.source)
    const data = this.#span(act.data, act.source)
    writer.reserve(1 + 8 + 1 + 1 + 1 + 1) // context_free, elapsed, console, account_ram_deltas, except, error_code
    const returned = { start: writer.pos, end: writer.pos }
    if (has(flags, IS.returning)) {
      writer.lengthBytes(this.#from(ACTION.returned).lengthBytes())
      returned.end = writer.pos
    }
    this.#last = { base, data, account: act.account, only: act.only }
    if (receipt < 0) return
    const digest = has(flags, IS.digest)
      ? this.#from(ACTION.digests).bytes(32)
      : digestOf(writer.data, { base, data, returned }, has(flags, IS.digestOfReturn))
    writer.data.set(digest, receipt)
  }

  #ordinals(isNext: boolean): void {
    const sequences = this.#from(ACTION.sequences)
    const ordinal = this.#ordinal + (isNext ? 1 : Number(readSigned(sequences)))
    const creator = isNext ? 0 : ordinal - Number(readSigned(sequences))
    this.#writer.varuint32(ordinal)
    this.#writer.varuint32(creator)
    this.#ordinal = ordinal
  }

  /** The parts of an action as bytes of their own. */
  #readAct(): Act & { source: Uint8Array | null } {
    const { names } = this.#context
    const newNames = this.#from(ACTION.newNames)
    const account = names.read(this.#from(ACTION.accounts), newNames)
    const parts = new Writer(64)
    appendU64(parts, account)
    appendU64(parts, names.read(this.#from(ACTION.names), newNames))
    const authorizations = this.#from(ACTION.authorizations)
    const count = authorizations.varuint32()
    parts.varuint32(count)
    let only: bigint | null = null
    for (let left = count; left > 0; left--) {
      const actor = names.read(authorizations, newNames)
      if (count === 1) only = actor
      appendU64(parts, actor)
      appendU64(parts, names.read(authorizations, newNames))
    }
    const base = { start: 0, end: parts.pos }
    parts.lengthBytes(this.#from(ACTION.data).bytes(this.#from(ACTION.lengths).varuint32()))
    return { base, data: { start: base.end, end: parts.pos }, account, only, source: parts.data }
  }

  /** Appends a part. @param source  null: the part stands in the written frame */
  #span({ start, end }: Span, source: Uint8Array | null): Span {
    const writer = this.#writer
    const at = writer.reserve(end - start)
    if (source) writer.data.set(source.subarray(start, end), at)
    else writer.data.copyWithin(at, start, end)
    return { start: at, end: writer.pos }
  }

  /** Appends a receipt without its digest. @returns offset of the digest */
  #receipt(receiver: bigint, { account, only }: Act, flags: number): number {
    const context = this.#context
    const writer = this.#writer
    const sequences = this.#from(ACTION.sequences)
    writer.reserve(1) // variant
    appendU64(writer, receiver)
    const digest = writer.reserve(32)
    context.globalSequence = BigInt.asUintN(64, context.globalSequence + 1n + readSigned(sequences))
    appendU64(writer, context.globalSequence)
    appendU64(writer, context.received.read(sequences, receiver))
    const auths = this.#from(ACTION.auths)
    const isOne = has(flags, IS.oneAuth)
    const count = isOne ? 1 : auths.varuint32()
    writer.varuint32(count)
    for (let left = count; left > 0; left--) {
      const actor = isOne ? only : context.names.read(auths, this.#from(ACTION.newNames))
      if (actor === null) throw otherLayout('an action does not have one authorising account')
      appendU64(writer, actor)
      appendU64(writer, context.authorized.read(auths, actor))
    }
    const [code, abi] = this.#versions(account, has(flags, IS.sameVersions))
    writer.varuint32(code)
    writer.varuint32(abi)
    return digest
  }

  #versions(account: bigint, isSame: boolean): readonly [code: number, abi: number] {
    const { versions } = this.#context
    const known = isSame ? versions.get(account) : undefined
    if (known) return known
    if (isSame) throw otherLayout('an account has no version yet')
    const from = this.#from(ACTION.versions)
    const read = [from.varuint32(), from.varuint32()] as const
    versions.set(account, read)
    return read
  }
}

function repeated(last: Act | null): Act & { source: null } {
  if (last) return { ...last, source: null }
  throw otherLayout('an action repeats none')
}
