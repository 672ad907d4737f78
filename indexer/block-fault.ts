// What becomes of blocks that cannot be used. A payload that cannot be read, contradicts what is known or is refused by the
// database is the fault of the node that sent it, until all nodes of the chain have sent it so: then it is ours.
import { BugError, DecodeError, HeadwaterError, RetryableError, UserError } from '../core/errors.ts'
import type { BlockFrame, BlockSource } from './source/source.ts'

/** A block that cannot be used as it came. */
export class BlockFault extends Error {
  readonly block: Pick<BlockFrame, 'num' | 'node'>

  constructor({ num, node }: Pick<BlockFrame, 'num' | 'node'>, cause: unknown) {
    super(`block ${num} cannot be used`, { cause })
    this.block = { num, node }
  }
}

/** Blocks that cannot be written together: one of them cannot be used, and it is not known which. */
export class BatchFault extends Error {
  readonly first: number
  readonly last: number

  constructor(first: number, last: number, cause: unknown) {
    super(`blocks ${first} to ${last} cannot be written`, { cause })
    this.first = first
    this.last = last
  }
}

/** Whether an error can be the fault of a block: it neither passes nor is the operator's to change. */
export function isOfBlock(error: unknown): boolean {
  return !(error instanceof RetryableError || error instanceof UserError)
}

/** Codes of blocks that contradict earlier ones: the fault may be in those as well. */
const CONTRADICTIONS = new Set(['FINALITY_MISMATCH', 'CERTIFICATE_INVALID'])

const OTHERS = 'nothing to do when another node sends it otherwise: this one is asked last for a while'
const OURS = 'a newer version of the program may know this format; please report it'

/** Judges the faults of a chain's runs, one run after the other. */
export class FaultJudge {
  /** Up to this block each is written by itself: one of them cannot be written. */
  singlyTo = 0
  /** Whether the next run replaces the reversible blocks: one of them is contradicted by its child. */
  startsOver = false
  readonly #chain: string
  readonly #source: Pick<BlockSource<never>, 'blame' | 'name'>
  readonly #verdicts = new WeakMap<BlockFault, 'node' | 'all' | 'unknown'>()

  constructor(chain: string, source: Pick<BlockSource<never>, 'blame' | 'name'>) {
    this.#chain = chain
    this.#source = source
  }

  /** Whether blocks before a fault that are not written yet are to be written. */
  trustsBefore(fault: BlockFault): boolean {
    return this.#verdict(fault) !== 'node' || !contradicts(fault)
  }

  /**
   * What to throw for what a run has failed with. For a fault that is a RetryableError while another node may send the
   * block otherwise, else why it cannot be used; both have the code of the cause.
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
    const { block, cause } = fault
    const verdict = this.#verdict(fault)
    if (verdict === 'unknown') return cause
    const { code, message, hint, place } = coded(cause)
    const options = { place: { ...place, chain: this.#chain, block: block.num }, cause }
    const sent = `${this.#chain}: ${block.node} sent block ${block.num}, which cannot be used: ${message}`
    if (verdict === 'all') {
      const Family = cause instanceof DecodeError ? DecodeError : BugError
      return new Family(code, `${sent}; every node of the chain sends it so`, { ...options, hint: hint ?? OURS })
    }
    this.startsOver = contradicts(fault)
    return new RetryableError(code, sent, { ...options, hint: hint ?? OTHERS })
  }
}

function contradicts({ cause }: BlockFault): boolean {
  return cause instanceof HeadwaterError && CONTRADICTIONS.has(cause.code)
}

function coded(cause: unknown): HeadwaterError {
  if (cause instanceof HeadwaterError) return cause
  return new BugError('BLOCK_UNUSABLE', cause instanceof Error ? cause.message : String(cause), { cause })
}
