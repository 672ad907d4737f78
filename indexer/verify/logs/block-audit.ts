// Checks one block of a node's logs: ids, link, transactions, actions. Pure: gets the entries, reports problems.

import { readSignedBlock, SAVANNA_SCHEDULE_VERSION, type SignedBlock } from '../../../core/antelope/block.ts'
import { HeadwaterError } from '../../../core/errors.ts'
import { required } from '../../../core/required.ts'
import { BlockCheck } from '../../decode/block-check.ts'
import { contractRows } from '../../decode/deltas.ts'
import { walkTraces } from '../../decode/traces.ts'
import { Watch } from '../../decode/watch.ts'
import { ONE_NODE } from '../../source/logs/faults.ts'
import type { LogEntry } from '../../source/logs/log-file.ts'
import type { LogProblem, Verified } from './report.ts'
import { hasTransactionRoot, transactionFault } from './transactions.ts'

/** A block's entries; null where a log does not have it. */
export interface BlockEntries {
  block: LogEntry | null
  traces: LogEntry | null
  deltas: LogEntry | null
  finality: LogEntry | null
}

/** Walks the whole payload without building values. */
const NOTHING_WATCHED = new Watch({})
/** Parent id of block 1. */
const NO_PARENT = '0'.repeat(64)

export class BlockAudit {
  readonly verified: Verified = {
    ...{ ids: 0, links: 0, transactionRoots: 0, transactions: 0 },
    ...{ legacyRoots: 0, savannaRoots: 0, finality: 0, certificates: 0 },
  }
  /** Blocks under Savanna whose actions could not be checked, because their finality data is missing. */
  withoutRoot = 0
  readonly #report: (problem: LogProblem) => void
  /** The previous block, if the block log has it. */
  #previous: { num: number; id: string } | null = null

  constructor(report: (problem: LogProblem) => void) {
    this.#report = report
  }

  /** Audits the next block. Blocks must be passed in the order of their numbers. */
  check(num: number, entries: BlockEntries): void {
    const { block, traces, deltas } = entries
    const sameIds = this.#compareIds(num, entries)
    if (deltas) this.#at(deltas, () => walkDeltas(deltas.content))
    if (!block) return
    if (sameIds) this.verified.ids++
    this.#checkLink(num, block)
    const signed = this.#at(block, () => readSignedBlock(block.content))
    if (!signed) return
    const isSavanna = signed.header.scheduleVersion === SAVANNA_SCHEDULE_VERSION
    if (hasTransactionRoot(signed, isSavanna)) this.verified.transactionRoots++
    else this.#problem(block, 'TRANSACTION_ROOT', 'the transactions lead to another root than the header has')
    if (traces) this.#checkTraces({ ...entries, block, traces }, signed, isSavanna)
  }

  /** Checks that all logs have the same block of a number. @returns whether they do */
  #compareIds(num: number, { block, traces, deltas, finality }: BlockEntries): boolean {
    const found = [block, traces, deltas, finality].filter((entry) => entry !== null)
    const [first] = found
    let same = true
    for (const entry of found) {
      if (entry.id === required(first, 'first entry').id) continue
      same = false
      const what = `block ${num} is ${entry.id}, in ${required(first, 'first entry').file} it is ${required(first, 'first entry').id}`
      this.#problem(entry, 'LOG_OTHER_BRANCH', what, ONE_NODE)
    }
    return same
  }

  #checkLink(num: number, block: LogEntry): void {
    const parent = Buffer.from(block.content.subarray(14, 46)).toString('hex')
    const expected = num === 1 ? NO_PARENT : this.#previous?.num === num - 1 ? this.#previous.id : null
    this.#previous = { num, id: block.id }
    if (expected === null) return
    if (parent === expected) this.verified.links++
    else this.#problem(block, 'LOG_LINK', `the parent of block ${num} is ${parent}, block ${num - 1} is ${expected}`)
  }

  #checkTraces(
    { block, traces, finality }: BlockEntries & { block: LogEntry; traces: LogEntry },
    signed: SignedBlock,
    isSavanna: boolean,
  ): void {
    const { num, content } = traces
    const position = { num, id: block.id }
    const source = {
      ...{ kind: 'packed' as const, ...position, prevId: '', head: position, lib: position, deltas: null },
      ...{ block: block.content, traces: content, finality: finality?.content ?? null },
    }
    const isRooted = this.#at(traces, () => {
      const check = new BlockCheck(source)
      walkTraces(content, NOTHING_WATCHED, () => {}, { add: (action) => check.add(action, true) })
      return check.finish()
    })
    if (isRooted && isSavanna) this.verified.savannaRoots++
    else if (isRooted) this.verified.legacyRoots++
    else if (isRooted === false) this.withoutRoot++
    const fault = this.#at(traces, () => transactionFault(signed, content))
    if (fault) this.#problem(traces, 'LOG_TRANSACTIONS', fault)
    else if (fault === null) this.verified.transactions++
  }

  /** The result of a parser, or undefined when the entry is unreadable. */
  #at<T>(entry: LogEntry, work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof HeadwaterError)) throw error
      this.#problem(entry, error.code, error.message)
      return undefined
    }
  }

  #problem({ file, offset, num }: LogEntry, code: string, what: string, hint?: string): void {
    const message = `${file} at offset ${offset}, block ${num}: ${what}`
    this.#report({ code, message, block: num, file, offset, hint })
  }
}

/** Walks all rows of packed deltas. @throws DecodeError when they are malformed */
function walkDeltas(deltas: Uint8Array): void {
  for (const _ of contractRows(deltas, NOTHING_WATCHED)) throw new Error('no row is watched')
}
