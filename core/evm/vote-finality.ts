// Which block is made final by votes in later headers, and the validator sets that a gateway for such a chain knows.
// Source: BEP-126: a block is final when votes justify it and votes with it as their source justify its child.

import { DecodeError } from '../errors.ts'
import { itemAt } from '../required.ts'
import { linkedHeaders } from './deposit-proof.ts'
import type { HeaderFields } from './header-fields.ts'
import {
  type Attestation,
  attestationProblem,
  readParliaExtra,
  sameVote,
  switchDelay,
  type Validators,
} from './parlia.ts'

/** A set of validators, and the first block that it votes on. */
export interface KnownSet {
  from: number
  validators: Validators
}

/** Votes that make a block final. */
export interface FinalVotes {
  /** Index of the block among the headers. */
  index: number
  votes: readonly [forBlock: Attestation, forChild: Attestation]
}

/**
 * The first block that votes in the following headers make final; null when there is none.
 *
 * @param headers  consecutive
 * @throws DecodeError PARLIA_EXTRA, RLP_INVALID
 */
export function finalVotes(headers: readonly HeaderFields[]): FinalVotes | null {
  const all = headers.map(({ extraData }) => readParliaExtra(extraData).attestation)
  for (const [index, block] of headers.entries()) {
    const child = headers[index + 1]
    if (!child) break
    const later = all.slice(index + 1).filter((attestation) => attestation !== null)
    const forBlock = later.find(({ target }) => sameVote(target, block))
    const forChild = later.find(({ source, target }) => sameVote(source, block) && sameVote(target, child))
    if (forBlock && forChild) return { index, votes: [forBlock, forChild] }
  }
  return null
}

/** Validator sets known to a gateway. It learns the next set from the first block of an epoch, once that is final. */
export class ValidatorSets {
  readonly #sets: KnownSet[]

  /** @param sets  ascending, at least one */
  constructor(sets: readonly KnownSet[]) {
    this.#sets = [...sets]
  }

  /** The set that votes on a block. @throws DecodeError DEPOSIT_PROOF when the block is older than all known sets */
  at(number: number): Validators {
    const found = this.#sets.findLast(({ from }) => from <= number)
    if (found) return found.validators
    throw new DecodeError('DEPOSIT_PROOF', `the validators that vote for block ${number} are not known`)
  }

  /**
   * Applies headers whose votes make one of them final, and learns the validators named up to that block.
   *
   * @param rlp  consecutive headers
   * @returns the headers that are now final
   * @throws DecodeError DEPOSIT_PROOF, PARLIA_EXTRA, RLP_INVALID, INVALID_BLS_POINT
   */
  attest(rlp: readonly Uint8Array[]): HeaderFields[] {
    const headers = linkedHeaders(rlp)
    const found = finalVotes(headers)
    if (!found) throw new DecodeError('DEPOSIT_PROOF', 'the votes make none of the blocks final')
    for (const attestation of found.votes) {
      const { number } = attestation.target
      const problem = attestationProblem(attestation, this.at(number))
      if (problem !== null)
        throw new DecodeError('DEPOSIT_PROOF', `votes for block ${number}: ${problem}`, { place: { block: number } })
    }
    const final = headers.slice(0, found.index + 1)
    for (const header of final) this.#learn(header)
    return final
  }

  #learn({ number, extraData }: HeaderFields): void {
    const { validators } = readParliaExtra(extraData)
    const last = itemAt(this.#sets, -1)
    if (validators === null || number < last.from) return
    this.#sets.push({ from: firstVoted(number, last.validators), validators })
  }
}

/** The first block that a new set votes on. @param epoch  number of the block that names it */
export function firstVoted(epoch: number, before: Validators): number {
  return epoch + switchDelay(before) + 1
}
