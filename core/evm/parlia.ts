// Fast finality of BNB Smart Chain: its data in headers' `extraData`, and when votes make a block final. Sources:
// BEP-126 (votes), BEP-341 (turns). extraData: 32 arbitrary bytes; in the first block of an epoch the number of
// validators, 20 bytes of address and 48 of key for each, and the turn length; the votes as RLP; a seal of 65 bytes.
import { DecodeError } from '../errors.ts'
import { verifyAggregate } from './bls.ts'
import { bytesInteger, equalBytes } from './bytes.ts'
import { keccak } from './keccak.ts'
import { decodeRlp, encodeRlp, type RlpItem, rlpBytes, rlpList } from './rlp.ts'

const VANITY = 32
const SEAL = 65
const ADDRESS = 20
const KEY = 48
/** First byte of an RLP list. A number of validators is always lower. */
const LIST = 0xc0

export interface Validators {
  /** 48 bytes each, in the order of the vote bits. */
  keys: readonly Uint8Array[]
  /** Consecutive blocks that a validator makes. */
  turn: number
}

/** Votes of validators: `source` is already justified, and they justify `target`. */
export interface Attestation {
  /** Validator i is bit i. */
  bits: bigint
  /** 96 bytes, compressed. */
  signature: Uint8Array
  source: BlockVote
  target: BlockVote
  /** The signed message: the hash of the RLP of source and target. */
  message: Uint8Array
}

export interface BlockVote {
  number: number
  /** 32 bytes. */
  hash: Uint8Array
}

export interface ParliaExtra {
  /** Null except in the first block of an epoch. */
  validators: Validators | null
  attestation: Attestation | null
}

/** Parses a header's `extraData`. @throws DecodeError PARLIA_EXTRA, RLP_INVALID */
export function readParliaExtra(extraData: Uint8Array): ParliaExtra {
  if (extraData.length < VANITY + SEAL) throw invalid(`${extraData.length} bytes are too few`)
  let rest = extraData.subarray(VANITY, extraData.length - SEAL)
  let validators: Validators | null = null
  const count = rest[0] ?? 0
  if (rest.length > 0 && count < LIST) {
    const end = 1 + count * (ADDRESS + KEY)
    if (count === 0 || rest.length < end) throw invalid(`${count} validators in ${rest.length} bytes`)
    const keys = Array.from({ length: count }, (_, i) => {
      const at = 1 + i * (ADDRESS + KEY) + ADDRESS
      return Uint8Array.from(rest.subarray(at, at + KEY))
    })
    // Before the fork that added turns, the votes follow immediately.
    const next = rest[end] ?? LIST
    const hasTurn = next < LIST
    validators = { keys, turn: hasTurn ? next : 1 }
    rest = rest.subarray(hasTurn ? end + 1 : end)
  }
  return { validators, attestation: rest.length === 0 ? null : readAttestation(decodeRlp(rest)) }
}

/** Blocks after an epoch's first block that the old validators still vote on. @param validators  the old validators */
export function switchDelay({ keys, turn }: Validators): number {
  return (Math.floor(keys.length / 2) + 1) * turn - 1
}

/** Votes that a quorum needs: two thirds, rounded up. */
export function quorumOf({ keys }: Validators): number {
  return Math.ceil((keys.length * 2) / 3)
}

/**
 * The first problem of votes; null when they are valid.
 *
 * @param validators  the set that votes on the target
 * @throws DecodeError INVALID_BLS_POINT
 */
export function attestationProblem({ bits, signature, message }: Attestation, validators: Validators): string | null {
  const { keys } = validators
  if (bits >> BigInt(keys.length) !== 0n) return 'a vote without a validator'
  const voters = keys.filter((_, i) => ((bits >> BigInt(i)) & 1n) === 1n)
  if (voters.length < quorumOf(validators)) return 'no quorum'
  return verifyAggregate({ sum: null, without: [], and: voters }, message, signature) ? null : 'another signature'
}

/** Whether two votes are for the same block. */
export function sameVote(a: BlockVote, b: BlockVote): boolean {
  return a.number === b.number && equalBytes(a.hash, b.hash)
}

function readAttestation(item: RlpItem): Attestation {
  const [bits, signature, data] = rlpList(item, 4)
  const [sourceNumber, sourceHash, targetNumber, targetHash] = rlpList(data, 4)
  const vote = (number: RlpItem | undefined, hash: RlpItem | undefined): BlockVote => ({
    number: Number(bytesInteger(rlpBytes(number))),
    hash: rlpBytes(hash, 32),
  })
  return {
    bits: bytesInteger(rlpBytes(bits)),
    signature: rlpBytes(signature, 96),
    source: vote(sourceNumber, sourceHash),
    target: vote(targetNumber, targetHash),
    message: keccak(encodeRlp(data as RlpItem)),
  }
}

function invalid(what: string): DecodeError {
  return new DecodeError('PARLIA_EXTRA', `extraData of a header cannot be read: ${what}`)
}
