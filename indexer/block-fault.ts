// Decides who is at fault for an unusable block: one that cannot be decoded, contradicts known data, or is refused by
// the database. The node that sent it is at fault until every node of the chain has sent the same, then this program.
import { BugError, DecodeError, HeadwaterError, RetryableError, UserError } from '../core/errors.ts'
import type { BlockFrame, BlockSource } from './source/source.ts'

/** A block that cannot be used as received. */
export class BlockFault extends Error {
  readonly block: Pick<BlockFrame, 'num' | 'node'>
  /** Name of the received data in messages. */
  readonly what: string

  /** @param isState  whether the whole state of the block was sent, instead of the block */
  constructor({ num, node }: Pick<BlockFrame, 'num' | 'node'>, cause: unknown, isState = false) {
    const what = isState ? `the state of block ${num}` : `block ${num}`
    super(`${what} cannot be used`, { cause })
    this.block = { num, node }
    this.what = what
  }
}

/** A batch that cannot be written because of one unknown block in it. */
export class BatchFault extends Error {
  readonly first: number
  readonly last: number

  constructor(first: number, last: number, cause: unknown) {
    super(`blocks ${first} to ${last} cannot be written`, { cause })
    this.first = first
    this.last = last
  }
}

/** Whether a block can be the cause of an error. Retryable errors and errors of the operator never are. */
export function isOfBlock(error: unknown): boolean {
  return !(error instanceof RetryableError || error instanceof UserError)
}

/** Codes of blocks that contradict earlier blocks. The earlier block may be the wrong one. */
const CONTRADICTIONS = new Set(['FINALITY_MISMATCH', 'CERTIFICATE_INVALID'])

const HINT_OTHER_NODE = 'nothing to do when another node sends it otherwise: this one is asked last for a while'
const HINT_NEWER_VERSION = 'a newer version of the program may know this format; please report it'

/** Judges the errors of a chain's consecutive runs. */
export class FaultJudge {
  /** Up to this block, blocks are written one by one, to find the one that cannot be written. */
  singlyTo = 0
  /** Whether the next run replaces the reversible blocks, because a child contradicts one of them. */
  startsOver = false
  readonly #chain: string
  readonly #source: Pick<BlockSource<never>, 'blame' | 'name'>
  readonly #verdicts = new WeakMap<BlockFault, 'node' | 'all' | 'unknown'>()

  constructor(chain: string, source: Pick<BlockSource<never>, 'blame' | 'name'>) {
    this.#chain = chain
    this.#source = source
  }

  /** Whether to write the pending blocks before the fault. */
  trustsBefore(fault: BlockFault): boolean {
    return this.#verdict(fault) !== 'node' || !contradicts(fault)
  }

  /**
   * Maps the error of a run to the error to throw. A block fault becomes a RetryableError while another node may send a
   * usable block; after that, an error with the reason. Both keep the code of the cause.
   */
  judge(error: unknown): unknown {
    this.startsOver = false
    if (error instanceof BlockFault) return this.#judgeBlock(error)
    if (!(error instanceof BatchFault)) return error
    const { first, last, cause } = error
    this.singlyTo = last
    const { code, message, hint } = coded(cause)
    const what = `${this.#chain}: blocks ${first} to ${last} cannot be written together: ${message}`
    return new RetryableError(code, `${what}; they are written one by one`, {
      hint,
      place: { chain: this.#chain, block: first },
      cause,
    })
  }

  #verdict(fault: BlockFault): 'node' | 'all' | 'unknown' {
    const known = this.#verdicts.get(fault)
    if (known !== undefined) return known
    const isOfAll = this.#source.blame?.(fault.block)
    const verdict = isOfAll === undefined ? 'unknown' : isOfAll ? 'all' : 'node'
    this.#verdicts.set(fault, verdict)
    return verdict
  }

  #judgeBlock(fault: BlockFault): unknown {
    const { block, what, cause } = fault
    const verdict = this.#verdict(fault)
    if (verdict === 'unknown') return cause
    const { code, message, hint, place } = coded(cause)
    const options = { place: { ...place, chain: this.#chain, block: block.num }, cause }
    const sent = `${this.#chain}: ${block.node} sent ${what}, which cannot be used: ${message}`
    if (verdict === 'all') {
      const Family = cause instanceof DecodeError ? DecodeError : BugError
      return new Family(code, `${sent}; every node of the chain sends it so`, {
        ...options,
        hint: hint ?? HINT_NEWER_VERSION,
      })
    }
    this.startsOver = contradicts(fault)
    return new RetryableError(code, sent, { ...options, hint: hint ?? HINT_OTHER_NODE })
  }
}

function contradicts({ cause }: BlockFault): boolean {
  return cause instanceof HeadwaterError && CONTRADICTIONS.has(cause.code)
}

function coded(cause: unknown): HeadwaterError {
  if (cause instanceof HeadwaterError) return cause
  return new BugError('BLOCK_UNUSABLE', cause instanceof Error ? cause.message : String(cause), { cause })
}
