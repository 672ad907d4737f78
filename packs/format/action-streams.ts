// The streams of actions with their receipts, and the predictions that their writer and their reader share: accounts are
// numbered in the order in which they come, sequences of an account count up.

import { writeU64 } from '../../core/antelope/raw.ts'
import type { Reader } from '../../core/antelope/reader.ts'
import type { Writer } from '../../core/antelope/writer.ts'
import { sha256 } from '../../core/sha256.ts'
import { otherLayout, readSigned, writeSigned } from './streams.ts'

export const ACTION = {
  counts: 0,
  transactions: 1,
  flags: 2,
  receivers: 3,
  accounts: 4,
  names: 5,
  authorizations: 6,
  newNames: 7,
  lengths: 8,
  data: 9,
  sequences: 10,
  auths: 11,
  versions: 12,
  returned: 13,
  digests: 14,
} as const
export const ACTION_STREAMS = 15

/** Flags of an action. */
export const IS = {
  /** The trace has a return value, empty or not. */
  returning: 1,
  /** Account, name, authorisations and data are those of the action before. */
  repeated: 2,
  /** It has a receipt, and in it a digest that is not the action's. */
  receipt: 4,
  digest: 8,
  /** The digest covers the return value; without it, as before the protocol feature ACTION_RETURN_VALUE, the data alone. */
  digestOfReturn: 16,
  /** Code and ABI have the versions of the account's last action. */
  sameVersions: 32,
  /** The receipt's only authorising account is the action's only one. */
  oneAuth: 64,
  /** Its ordinal follows the one before; no action of the transaction made it. */
  nextOrdinal: 128,
} as const

/** A part of a frame. */
export interface Span {
  start: number
  end: number
}

/** Parts of an action in its frame: account, name and authorisations; data with their length; return value with its length. */
interface ActionSpans {
  base: Span
  data: Span
  returned: Span
}

/** `act_digest` of an action; layouts: `core/antelope/digest.ts`. */
export function digestOf(frame: Uint8Array, { base, data, returned }: ActionSpans, ofReturn: boolean): Uint8Array {
  if (!ofReturn) return sha256(frame.subarray(base.start, data.end))
  const halves = new Uint8Array(64)
  halves.set(sha256(frame.subarray(base.start, base.end)), 0)
  const payload = [frame.subarray(data.start, data.end), frame.subarray(returned.start, returned.end)]
  halves.set(sha256(...payload), 32)
  return sha256(halves)
}

/** Numbers of names. A name is written out where it comes first. */
class NameNumbers {
  readonly #numbers = new Map<bigint, number>()
  readonly #names: bigint[] = []

  write(to: Writer, newNames: Writer, name: bigint): void {
    const known = this.#numbers.get(name)
    to.varuint32(known ?? 0)
    if (known !== undefined) return
    newNames.u64(name)
    this.#add(name)
  }

  /** @throws DecodeError */
  read(from: Reader, newNames: Reader): bigint {
    const number = from.varuint32()
    if (number === 0) {
      const name = newNames.u64()
      this.#add(name)
      return name
    }
    const name = this.#names[number - 1]
    if (name === undefined) throw otherLayout('an account has an unknown number')
    return name
  }

  #add(name: bigint): void {
    this.#names.push(name)
    this.#numbers.set(name, this.#names.length)
  }
}

/** The last values of counters, by key. The next one is expected to be one higher. */
class Counters {
  readonly #last = new Map<bigint, bigint>()

  write(to: Writer, key: bigint, value: bigint): void {
    writeSigned(to, value - (this.#last.get(key) ?? 0n) - 1n)
    this.#last.set(key, value)
  }

  read(from: Reader, key: bigint): bigint {
    const value = BigInt.asUintN(64, readSigned(from) + (this.#last.get(key) ?? 0n) + 1n)
    this.#last.set(key, value)
    return value
  }
}

/** State that lasts through a file. */
export class ActionContext {
  readonly names = new NameNumbers()
  readonly received = new Counters()
  readonly authorized = new Counters()
  /** Code and ABI sequence of the last action of an account. */
  readonly versions = new Map<bigint, readonly [code: number, abi: number]>()
  globalSequence = 0n
  /** Place of the last transaction's id among the ids of the rows. */
  transaction = -1
}

/** Appends an unsigned 64-bit number without checks. */
export function appendU64(writer: Writer, value: bigint): void {
  const at = writer.reserve(8)
  writeU64(writer.data, at, value)
}
