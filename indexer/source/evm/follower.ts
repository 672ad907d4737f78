// The position of a source on an EVM chain, and its next steps. Final blocks are read in ranges. Of a range only blocks
// with a log and the last block are yielded, and all blocks up to the highest one ever seen: one that a fork replaced
// may have returned. Reversible blocks are yielded one by one. A step reads from one endpoint and changes nothing here
// until it is accepted, so that it can be repeated with another endpoint.

import type { Endpoint } from '../../../net/rpc/endpoint.ts'
import type { RpcError } from '../../../net/rpc/errors.ts'
import type { BlockFrame, BlockPosition, StartPosition } from '../source.ts'
import type { SourceStats } from '../stats.ts'
import type { EvmLog, EvmReader, Header } from './reader.ts'
import type { EvmSettings } from './settings.ts'
import type { Witness } from './witness.ts'

/** A block with the logs of the watched contracts. */
export interface EvmBlock extends BlockFrame {
  /** Unix milliseconds. */
  time: number
  /** 0x and 40 hex digits. */
  producer: string
  logs: readonly EvmLog[]
  /** When final blocks before it were not yielded: the last block before those. */
  follows?: BlockPosition
}

export interface Step {
  /** Empty when there is no new block. */
  blocks: EvmBlock[]
  /** The last final block and the reversible blocks after it, oldest first. */
  held: BlockPosition[]
  lib: number
}

/** Limit of reversible blocks in one step. */
const STEP_BLOCKS = 32
/** Within this many blocks of the final block every header is read: for a live chain that costs little more. */
const CLOSE_BLOCKS = 1000
/** A range grows when it has fewer blocks with logs than this. */
const FEW_LOGS = 500

export class Follower {
  readonly #settings: EvmSettings
  readonly #stats: SourceStats
  readonly #from: number
  readonly #last: number
  #held: BlockPosition[]
  /** Highest block number ever seen. */
  #reached: number
  #lib: number
  #range: number
  /** Limit of the range; reduced after a refusal. */
  #largest: number
  /** `performance.now()` when the last new block was received. */
  #news = performance.now()

  constructor(settings: EvmSettings, start: StartPosition, stats: SourceStats) {
    this.#settings = settings
    this.#stats = stats
    this.#from = start.from
    this.#last = start.to ?? Number.POSITIVE_INFINITY
    this.#held = [...start.have]
    this.#reached = Math.max(start.reached ?? 0, start.have.at(-1)?.num ?? 0)
    this.#lib = start.lib ?? start.have[0]?.num ?? 0
    this.#largest = settings.rangeBlocks
    this.#range = Math.min(settings.rangeBlocks, 1000)
  }

  /** Number of the next block. */
  get next(): number {
    return (this.#tip?.num ?? this.#from - 1) + 1
  }

  get #tip(): BlockPosition | undefined {
    return this.#held.at(-1)
  }

  /** Applies the result of a step. */
  accept({ held, lib, blocks }: Step): void {
    this.#held = held
    this.#reached = Math.max(this.#reached, held.at(-1)?.num ?? 0)
    this.#lib = lib
    if (blocks.length > 0) this.#news = performance.now()
  }

  /** Reduces the range. @returns false when it cannot be smaller */
  shrink(): boolean {
    if (this.#range === 1) return false
    this.#largest = this.#range >> 1
    this.#range = Math.max(1, this.#range >> 2)
    return true
  }

  /**
   * Reads the next blocks.
   *
   * @param witness  confirms the logs of final blocks, so that their headers need not be read
   * @throws RpcError EVM_LAGGING, EVM_STALLED, EVM_GAP, EVM_CONTRADICTION; errors of the reader
   */
  async step(endpoint: Endpoint, reader: EvmReader, witness?: Witness): Promise<Step> {
    const { head, final } = await reader.heads()
    if (final.num < this.#lib)
      throw endpoint.error('EVM_LAGGING', `its final block is ${final.num}, block ${this.#lib} is known to be final`)
    const tip = this.#tip
    if (tip !== undefined && head.id === tip.id) return this.#nothingNew(endpoint, final)
    const base = tip === undefined ? undefined : await this.#commonBlock(endpoint, reader, head)
    const from = (base?.num ?? this.#from - 1) + 1
    if (from > head.num || from > this.#last) return this.#waitFor(endpoint, head, from)
    const isFork = base !== undefined && base.num !== tip?.num
    const ends = { head, final }
    return from <= final.num
      ? await this.#finalRange(endpoint, reader, witness, ends, base, from, isFork || base === undefined)
      : await this.#reversible(endpoint, reader, ends, base, from)
  }

  #nothingNew(endpoint: Endpoint, final: Header): Step {
    const { stallMs } = this.#settings
    if (performance.now() - this.#news > stallMs) {
      this.#news = performance.now()
      throw endpoint.error('EVM_STALLED', `no new block for ${Math.round(stallMs / 1000)} s`)
    }
    checkFinal(endpoint, final, this.#held)
    return { blocks: [], held: this.#held, lib: Math.max(this.#lib, Math.min(final.num, this.#tip?.num ?? 0)) }
  }

  /** The endpoint has no next block: it lags, or the start block does not exist yet. */
  #waitFor(endpoint: Endpoint, head: Header, from: number): Step {
    const tip = this.#tip
    if (tip !== undefined && head.num < tip.num)
      throw endpoint.error('EVM_LAGGING', `its head is ${head.num}, block ${tip.num} is known`)
    if (tip === undefined && from <= this.#last) this.#news = performance.now()
    return { blocks: [], held: this.#held, lib: this.#lib }
  }

  /** The newest held block that the endpoint has too. @throws RpcError EVM_CONTRADICTION when there is none */
  async #commonBlock(endpoint: Endpoint, reader: EvmReader, head: Header): Promise<BlockPosition> {
    const tip = this.#tip as BlockPosition
    if (tip.num <= head.num) {
      const [same] = await reader.headers([tip.num])
      if (same?.id === tip.id) return tip
    }
    const known = this.#held.filter(({ num }) => num <= head.num)
    const headers = await reader.headers(known.map(({ num }) => num))
    const common = known.findLast(({ id }, index) => headers[index]?.id === id)
    if (common !== undefined && common.num >= Math.min(this.#lib, tip.num)) return common
    throw endpoint.error('EVM_CONTRADICTION', `it has another block in place of the final block ${this.#held[0]?.num}`)
  }

  async #finalRange(
    endpoint: Endpoint,
    reader: EvmReader,
    witness: Witness | undefined,
    ends: { head: Header; final: Header },
    base: BlockPosition | undefined,
    from: number,
    yieldsFirst: boolean,
  ): Promise<Step> {
    const { final } = ends
    const far = final.num - CLOSE_BLOCKS
    const mayBeFew = this.#settings.finalHeaders === 'ends' && from <= far
    const to = Math.min(mayBeFew ? far : final.num, from + this.#range - 1, this.#last)
    const account = { from, to, logs: await reader.logsOf(from, to) }
    const logs = byBlock(account.logs)
    const seen = range(from, Math.min(to, this.#reached))
    const shown = new Set([...logs.keys(), to, ...seen, ...(yieldsFirst ? [from] : [])])
    const isConfirmed = mayBeFew && witness !== undefined && (await witness.agrees(account))
    const nums = isConfirmed ? [...shown].sort((a, b) => a - b) : range(from, to)
    const headers = await reader.headers(nums)
    checkLinks(endpoint, base, headers)
    const last = headers.at(-1) as Header
    checkFinal(endpoint, final, [last])
    const kept: [Header, EvmLog[]][] = []
    for (const header of headers) {
      const found = await this.#complete(endpoint, reader, header, logs.get(header.num) ?? [])
      if (found.length > 0 || shown.has(header.num)) kept.push([header, found])
    }
    if (kept.length < FEW_LOGS) this.#grow()
    const blocks = this.#blocks(kept, ends, base)
    return { blocks, held: [{ num: last.num, id: last.id }], lib: last.num }
  }

  async #reversible(
    endpoint: Endpoint,
    reader: EvmReader,
    ends: { head: Header; final: Header },
    base: BlockPosition | undefined,
    from: number,
  ): Promise<Step> {
    const { head, final } = ends
    const headers = await reader.headers(range(from, Math.min(head.num, from + STEP_BLOCKS - 1, this.#last)))
    checkLinks(endpoint, base, headers)
    const kept: [Header, EvmLog[]][] = []
    for (const header of headers) {
      const logs = reader.mayLog(header) ? await reader.logsAt(header) : []
      kept.push([header, await this.#complete(endpoint, reader, header, logs)])
    }
    const blocks = this.#blocks(kept, ends, base)
    const before = this.#held.filter(({ num }) => base !== undefined && num <= base.num)
    const all = [...before, ...headers.map(({ num, id }) => ({ num, id }))]
    checkFinal(endpoint, final, all)
    const lib = Math.max(this.#lib, Math.min(final.num, (all.at(-1) as BlockPosition).num))
    return { blocks, held: all.filter(({ num }) => num >= lib), lib }
  }

  /** The logs of a block from its receipts, if it has logs or its bloom filter allows events. */
  async #complete(endpoint: Endpoint, reader: EvmReader, header: Header, logs: EvmLog[]): Promise<EvmLog[]> {
    const stray = logs.find(({ blockId }) => blockId !== header.id)
    if (stray) throw endpoint.error('EVM_GAP', `logs of block ${header.num} are of another block of that number`)
    if (logs.length === 0 && !reader.mayHold(header)) return logs
    const found = await reader.logsByReceipts(header)
    this.#reportDifference(endpoint, header, logs, found)
    return found
  }

  /** Reports logs that were missing or wrong. @param found  logs by the receipts */
  #reportDifference(endpoint: Endpoint, { num }: Header, logs: readonly EvmLog[], found: readonly EvmLog[]): void {
    const [given, proved] = [new Set(logs.map(textOf)), new Set(found.map(textOf))]
    const report = ({ code, message }: RpcError) => this.#stats.anomaly(code, message)
    const missing = found.length - logs.length
    const wrong = [...given].filter((one) => !proved.has(one)).length
    if (missing > 0) report(endpoint.error('EVM_LOGS_MISSING', `it left out ${missing} logs of block ${num}`))
    if (wrong > 0)
      report(endpoint.error('EVM_LOGS_FALSE', `${wrong} of its logs of block ${num} are not in the receipts`))
  }

  /** Doubles the range. The limit rises slowly, because a refused range may have been unusually dense. */
  #grow(): void {
    this.#largest = Math.min(this.#largest + 1 + (this.#largest >> 6), this.#settings.rangeBlocks)
    this.#range = Math.max(1, Math.min(this.#range * 2, this.#largest))
  }

  #blocks(
    kept: readonly [Header, EvmLog[]][],
    { head, final }: { head: Header; final: Header },
    base: BlockPosition | undefined,
  ): EvmBlock[] {
    const ends = { head: { num: head.num, id: head.id }, lib: { num: final.num, id: final.id } }
    let before = base
    return kept.map(([{ num, id, prevId, time, miner }, logs]) => {
      const follows = before !== undefined && before.num !== num - 1 ? before : undefined
      before = { num, id }
      return { num, id, prevId, time, producer: miner, logs, ...ends, follows }
    })
  }
}

/** @throws RpcError EVM_GAP when the endpoint's final block is not in its own chain */
function checkFinal(endpoint: Endpoint, { num, id }: Header, blocks: readonly BlockPosition[]): void {
  if (blocks.some((block) => block.num === num && block.id !== id))
    throw endpoint.error('EVM_GAP', `block ${num} is not the one that it called final`)
}

/** @throws RpcError EVM_GAP when a header is not the child of the block before it */
function checkLinks(endpoint: Endpoint, base: BlockPosition | undefined, headers: readonly Header[]): void {
  let before = base
  for (const { num, id, prevId } of headers) {
    if (before !== undefined && before.num === num - 1 && before.id !== prevId)
      throw endpoint.error('EVM_GAP', `block ${num} does not follow block ${before.num}`)
    before = { num, id }
  }
}

/** Content and position of a log, to compare. */
function textOf({ logIndex, address, topics, data, trxId }: EvmLog): string {
  return [logIndex, address, data.toLowerCase(), trxId, ...topics.map((topic) => topic.toLowerCase())].join()
}

function byBlock(logs: readonly EvmLog[]): Map<number, EvmLog[]> {
  const blocks = new Map<number, EvmLog[]>()
  for (const log of logs) {
    const known = blocks.get(log.blockNum)
    if (known) known.push(log)
    else blocks.set(log.blockNum, [log])
  }
  return blocks
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
}
