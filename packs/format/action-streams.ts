// Streams of actions with their receipts, and the predictions that the writer and the reader share. Accounts are numbered
// in the order of their first occurrence. Each sequence number of an account is expected to be one above the last.

import { writeU64 } from '../../core/antelope/raw.ts'
import type { Reader } from '../../core/antelope/reader.ts'
import type { Writer } from '../../core/antelope/writer.ts'
import { sha256 } from '../../core/sha256.ts'
import { otherLayout, readSigned, writeSigned } from './streams.ts'

/** Number of each stream. Names of accounts and actions are numbers of `NameNumbers`. */
export const ACTION = {
  /** Numbers of transactions in a block, and of actions in a transaction. */
  counts: 0,
  /** Place of the transaction's id among the ids of the rows, and its status. */
  transactions: 1,
  /** Flags of each action: `IS`. */
  flags: 2,
  receivers: 3,
  accounts: 4,
  names: 5,
  /** Number of authorizations, then actor and permission of each. */
  authorizations: 6,
  /** Names at their first occurrence, 8 bytes each. */
  newNames: 7,
  /** Lengths of `data`. */
  lengths: 8,
  data: 9,
  /** Ordinals, global sequences and sequences of receivers, as differences from the expected value. */
  sequences: 10,
  /** Authorising accounts of receipts with their sequences. */
  auths: 11,
  /** Versions of code and ABI in receipts. */
  versions: 12,
  /** Return values with their lengths. */
  returned: 13,
  /** Digests of receipts that do not follow from the action. */
  digests: 14,
} as const
export const ACTION_STREAMS = 15

/** Flags of an action. */
export const IS = {
  /** The trace has a return value, empty or not. */
  returning: 1,
  /** Account, name, authorisations and data equal those of the previous action of the block. */
  repeated: 2,
  /** The action has a receipt. */
  receipt: 4,
  /** The digest in the receipt is not that of the action, so it is stored. */
  digest: 8,
  /** The digest covers the return value. Before the protocol feature ACTION_RETURN_VALUE it covers only the action. */
  digestOfReturn: 16,
  /** Versions of code and ABI equal those of the account's last action with a receipt. */
  sameVersions: 32,
  /** The receipt's only authorising account is the action's only one. */
  oneAuth: 64,
  /** The ordinal is one above that of the previous action, and no other action created this one. */
  nextOrdinal: 128,
} as const

/** A part of a frame. */
export interface Span {
  start: number
  end: number
}

/** Parts of an action in its frame. */
interface ActionSpans {
  /** Account, name and authorisations. */
  base: Span
  /** Data with their length. */
  data: Span
  /** Return value with its length. */
  returned: Span
}

/** `act_digest` of an action; layouts: `core/antelope/digest.ts`. @param ofReturn  whether it covers the return value */
export function digestOf(frame: Uint8Array, { base, data, returned }: ActionSpans, ofReturn: boolean): Uint8Array {
  if (!ofReturn) return sha256(frame.subarray(base.start, data.end))
  const halves = new Uint8Array(64)
  halves.set(sha256(frame.subarray(base.start, base.end)), 0)
  const payload = [frame.subarray(data.start, data.end), frame.subarray(returned.start, returned.end)]
  halves.set(sha256(...payload), 32)
  return sha256(halves)
}

/** Numbers of names, from 1. A name is written as 0 at its first occurrence, and its 8 bytes go to `newNames`. */
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

/** Last values of counters, by key. A value is written as its difference from the last one plus 1. */
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

/** State of the predictions, from the first block of a file to the last. */
export class ActionContext {
  readonly names = new NameNumbers()
  readonly received = new Counters()
  readonly authorized = new Counters()
  /** Code and ABI sequence of the last action of an account. */
  readonly versions = new Map<bigint, readonly [code: number, abi: number]>()
  globalSequence = 0n
  /** Index of the last transaction's id among the ids of the rows; -1 before the first. */
  transaction = -1
}

/** Appends an unsigned 64-bit number without a check of its range. */
export function appendU64(writer: Writer, value: bigint): void {
  const at = writer.reserve(8)
  writeU64(writer.data, at, value)
}
