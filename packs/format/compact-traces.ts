// Slim traces without the digests of their actions, which are hashes of the actions themselves: they are a sixth to a
// quarter of compressed blocks. A receipt without its digest has variant 1 or 2; the rest has the layout of state history.
import { Reader } from '../../core/antelope/reader.ts'
import { walkTransactionTraces } from '../../core/antelope/traces.ts'
import { Writer } from '../../core/antelope/writer.ts'
import { DecodeError } from '../../core/errors.ts'
import { sha256 } from '../../core/sha256.ts'

/**
 * Variants of a receipt: of state history; without the digest, which covers the return value; without the digest, which
 * does not, as before the protocol feature ACTION_RETURN_VALUE.
 */
const [WITH_DIGEST, OF_RETURN, OF_DATA] = [0, 1, 2]
const WITHOUT_DIGEST = [OF_RETURN, OF_DATA]
const DIGEST_BYTES = 32

/** Byte ranges of an action in its frame. */
interface ActionRanges {
  /** Account, name and authorisations, then the data with its length, then the return value with its length. */
  account: number
  data: number
  dataEnd: number
  returned: number
  returnedEnd: number
}

/** `act_digest` of an action; layouts: `core/antelope/digest.ts`. @param variant  of the receipt */
function digestOf(frame: Uint8Array, action: ActionRanges, variant: number): Uint8Array {
  const { account, data, dataEnd, returned, returnedEnd } = action
  if (variant === OF_DATA) return sha256(frame.subarray(account, dataEnd))
  const base = sha256(frame.subarray(account, data))
  const payload = sha256(Buffer.concat([frame.subarray(data, dataEnd), frame.subarray(returned, returnedEnd)]))
  return sha256(Buffer.concat([base, payload]))
}

/** @param traces  as `slimBlock` makes them. A digest that is not the action's stays. */
export function compactTraces(traces: Uint8Array): Uint8Array {
  const writer = new Writer(traces.length)
  let from = 0
  walkTransactionTraces(traces, {
    action({ receipt, receiver, data, dataEnd, returned, returnedEnd }) {
      if (receipt < 0) return
      const at = receipt + 8
      const end = at + DIGEST_BYTES
      const action = { account: receiver + 8, data, dataEnd, returned, returnedEnd }
      const digest = traces.subarray(at, end)
      const variant = WITHOUT_DIGEST.find((some) => Buffer.compare(digestOf(traces, action, some), digest) === 0)
      if (variant === undefined) return
      // The variant, one byte, stands before the receiver.
      writer.bytes(traces.subarray(from, receipt - 1))
      writer.varuint32(variant)
      writer.bytes(traces.subarray(receipt, at))
      from = end
    },
  })
  writer.bytes(traces.subarray(from))
  return writer.finish()
}

/** Slim traces with all digests. @throws DecodeError for bytes that `compactTraces` does not make */
export function expandTraces(compact: Uint8Array): Uint8Array {
  return new Expander(compact).run()
}

class Expander {
  readonly #compact: Uint8Array
  readonly #reader: Reader
  readonly #writer: Writer
  /** Start of the bytes that are not copied yet. */
  #from = 0

  constructor(compact: Uint8Array) {
    this.#compact = compact
    this.#reader = new Reader(compact)
    this.#writer = new Writer(2 * compact.length + 64)
  }

  run(): Uint8Array {
    const reader = this.#reader
    for (let left = reader.varuint32(); left > 0; left--) this.#transaction()
    if (reader.remaining > 0) throw otherTraces('bytes follow the last transaction')
    this.#copy(reader.pos)
    return this.#writer.finish()
  }

  #transaction(): void {
    const reader = this.#reader
    this.#zeros(1) // variant
    reader.skip(32 + 1) // id, status
    this.#zeros(4 + 1 + 8 + 8 + 1) // cpu_usage_us, net_usage_words, elapsed, net_usage, scheduled
    for (let left = reader.varuint32(); left > 0; left--) this.#action()
    this.#zeros(5) // account_ram_delta, except, error_code, failed_dtrx_trace, partial
  }

  #action(): void {
    const reader = this.#reader
    const hasReturn = reader.varuint32() === 1
    reader.varuint32() // ordinal
    reader.varuint32() // creator
    const left = reader.flag() ? this.#receipt() : null
    reader.skip(8) // receiver
    const account = reader.pos
    reader.skip(16)
    reader.skip(16 * reader.varuint32())
    const data = reader.pos
    reader.skip(reader.varuint32())
    const dataEnd = reader.pos
    this.#zeros(1 + 8 + 1 + 1 + 1 + 1) // context_free, elapsed, console, account_ram_deltas, except, error_code
    const returned = reader.pos
    if (hasReturn) reader.skip(reader.varuint32())
    if (left === null) return
    const { variant, at } = left
    const action = { account, data, dataEnd, returned, returnedEnd: reader.pos }
    this.#copy(at - 9) // before the variant
    this.#writer.varuint32(WITH_DIGEST)
    this.#writer.bytes(this.#compact.subarray(at - 8, at))
    this.#writer.bytes(digestOf(this.#compact, action, variant))
    this.#from = at
  }

  /** @returns the variant, and the offset of the digest that is left out; null when the digest is there */
  #receipt(): { variant: number; at: number } | null {
    const reader = this.#reader
    const variant = reader.u8()
    if (variant > OF_DATA) throw otherTraces(`a receipt has variant ${variant}`)
    reader.skip(8) // receiver
    const at = reader.pos
    if (variant === WITH_DIGEST) reader.skip(DIGEST_BYTES)
    reader.skip(8 + 8) // global_sequence, recv_sequence
    reader.skip(16 * reader.varuint32())
    reader.varuint32() // code_sequence
    reader.varuint32() // abi_sequence
    return variant === WITH_DIGEST ? null : { variant, at }
  }

  #zeros(count: number): void {
    for (let i = 0; i < count; i++)
      if (this.#reader.u8() !== 0) throw otherTraces('a part that packs leave out is there')
  }

  #copy(end: number): void {
    this.#writer.bytes(this.#compact.subarray(this.#from, end))
    this.#from = end
  }
}

function otherTraces(reason: string): DecodeError {
  return new DecodeError('PACK_TRACES', `its traces are not those of a pack: ${reason}`, {
    hint: 'fetch the file again, or take the pack of another publisher',
  })
}
