// Checks the logs of a node against each other and against everything to which their chain commits. Reads each block
// once, in order, in constant memory, and continues after a problem.
import { relative } from 'node:path'
import { SAVANNA_SCHEDULE_VERSION } from '../../../core/antelope/block.ts'
import type { RowFilter } from '../../../core/antelope/logs/delta-splitter.ts'
import { readU32 } from '../../../core/antelope/raw.ts'
import { HeadwaterError } from '../../../core/errors.ts'
import { FinalityFollower } from '../../../core/finality/follower.ts'
import type { FinalityStart } from '../../../core/finality/start.ts'
import { toHex } from '../../../core/hex.ts'
import { SCHEDULE_VERSION_AT } from '../../decode/action-leaf.ts'
import { deltaChains, type FileChain, requireOneChain } from '../../source/logs/chain-ids.ts'
import { REMOVE_INDEX } from '../../source/logs/faults.ts'
import { findLogs } from '../../source/logs/find.ts'
import type { Log } from '../../source/logs/log.ts'
import type { LogEntry } from '../../source/logs/log-file.ts'
import { NodeLogs } from '../../source/logs/node-logs.ts'
import { PREVIOUS_AT } from '../../source/packed-block.ts'
import type { BlockRange } from '../../source/ranges.ts'
import { BlockAudit, type BlockEntries } from './block-audit.ts'
import { type LogProblem, type LogSummary, type LogsReport, UNCOMMITTED } from './report.ts'

export interface CheckLogsOptions {
  folders: readonly string[]
  /** Chain id that the block log must have. */
  chainId?: string
  /** Blocks to check; default: all. */
  from?: number
  to?: number
  /** Where finality is followed from when the logs begin after the Savanna genesis block: the parent of their blocks. */
  start?: FinalityStart
  /** Digest of the finalizer policy that is trusted, 64 hex digits: the first one in the logs must have it. */
  policy?: string
  /** Size limit of an entry's content, bytes. */
  maxBytes?: number
  signal?: AbortSignal
  /** Called regularly with the last checked block. */
  onProgress?: (block: number, last: number) => void
}

/** Maximum number of listed problems. */
const MAX_LISTED = 100
/** Large deltas are checked row by row, and no row is kept in memory. */
const KEEP_NOTHING: RowFilter = () => false
const PROGRESS_BLOCKS = 10_000
const MAX_BYTES = 2 ** 31 - 1

/** @throws UserError NO_LOGS, OTHER_CHAIN when they are of several chains, and for a log that cannot be opened at all */
export async function checkLogs(options: CheckLogsOptions): Promise<LogsReport> {
  const { folders, maxBytes = MAX_BYTES } = options
  const logs = await NodeLogs.open(folders, maxBytes)
  try {
    const chains = [...logs.chains]
    // The first entry may hold the whole state, so it is not read for one folder with a block log.
    if (folders.length > 1 || logs.chainId === null)
      chains.push(...(await deltaChains(await findLogs(folders), maxBytes)))
    requireOneChain(chains)
    return await new LogsCheck(logs, chains, options).run()
  } finally {
    await logs.close()
  }
}

class LogsCheck {
  readonly #logs: NodeLogs
  /** Of one chain. */
  readonly #chains: readonly FileChain[]
  readonly #options: CheckLogsOptions
  readonly #problems: LogProblem[] = []
  #problemCount = 0
  readonly #payloads = new Map<string, Map<string, number>>()
  readonly #unverified = new Set<string>()
  /** Null after the chain of finality data was broken. */
  #follower: FinalityFollower | null
  readonly #audit: BlockAudit
  /** Last block of the block log; blocks above it are reversible. */
  readonly #irreversible: number
  #checked: BlockRange | null = null
  /** First block whose finality was followed; null while there is none. */
  #followedFrom: number | null = null
  #finality: LogsReport['policies'] = []
  /** Digest of the policy that all verified certificates rest on; null while there is none. */
  #root: string | null = null
  #finalBlock: number | null = null

  constructor(logs: NodeLogs, chains: readonly FileChain[], options: CheckLogsOptions) {
    this.#logs = logs
    this.#chains = chains
    this.#options = options
    this.#irreversible = logs.blocks.span?.to ?? 0
    this.#audit = new BlockAudit((problem) => this.#report(problem))
    this.#follower = new FinalityFollower({
      ...{ chain: 'logs', bridge: '', start: options.start ?? null },
      onUnfollowed: (block) =>
        this.#unverified.add(`finality from block ${block} on: the blocks since Savanna began are not all there`),
    })
  }

  async run(): Promise<LogsReport> {
    this.#checkChain()
    for (const log of this.#logs.all) {
      for (const { file, offset, block } of log.torn) {
        const message = `${file} at offset ${offset}, block ${block}: the last entry is not complete`
        const hint = 'a node repairs its logs when it starts; if this is a copy, copy the file again'
        this.#report({ code: 'LOG_TORN', message, file, offset, block, hint })
      }
    }
    const range = this.#range()
    if (range) {
      for (let num = range.from; num <= range.to && !this.#options.signal?.aborted; num++) {
        await this.#check(num)
        this.#checked = { from: range.from, to: num }
        if (num % PROGRESS_BLOCKS === 0) this.#options.onProgress?.(num, range.to)
      }
      this.#finish(range)
    }
    return this.#result()
  }

  #checkChain(): void {
    const { chainId } = this.#options
    const [known] = this.#chains
    if (chainId !== undefined && known !== undefined && chainId !== known.chainId) {
      const message = `${known.path} is of chain ${known.chainId}, not ${chainId}`
      this.#report({ code: 'OTHER_CHAIN', message, file: known.path, hint: 'give the folders of a node of that chain' })
    }
  }

  /** Folders of several that may be of another chain: no file in them names the chain. */
  get #unknownFolders(): string[] {
    const { folders } = this.#options
    const isKnown = (folder: string) => this.#chains.some(({ path }) => !relative(folder, path).startsWith('..'))
    return folders.length === 1 ? [] : folders.filter((folder) => !isKnown(folder))
  }

  #range(): BlockRange | null {
    const spans = this.#logs.all.flatMap(({ span }) => (span ? [span] : []))
    if (spans.length === 0) return null
    const from = Math.max(this.#options.from ?? 0, Math.min(...spans.map((span) => span.from)))
    const to = Math.min(this.#options.to ?? Number.POSITIVE_INFINITY, Math.max(...spans.map((span) => span.to)))
    return from <= to ? { from, to } : null
  }

  async #check(num: number): Promise<void> {
    const { traces, deltas, finality, blocks } = this.#logs
    const entries: BlockEntries = {
      block: await this.#entry(blocks, num),
      traces: await this.#entry(traces, num),
      deltas: await this.#entry(deltas, num),
      finality: await this.#entry(finality, num),
    }
    this.#audit.check(num, entries)
    this.#follow(num, entries)
  }

  /** An entry; null when the log lacks it or it is unreadable. */
  async #entry(log: Log, num: number): Promise<LogEntry | null> {
    if (!log.has(num)) return null
    try {
      const entry = await (log === this.#logs.deltas ? log.readDeltas(num, KEEP_NOTHING) : log.read(num))
      const fault = await log.suffixFault(entry)
      if (fault) {
        const { file, offset } = entry
        const message = `${file} at offset ${offset}, block ${num}: ${fault}`
        this.#report({ code: 'LOG_SUFFIX', message, block: num, file, offset, hint: REMOVE_INDEX })
      }
      this.#count(log.name, entry)
      return entry
    } catch (error) {
      this.#failed(error, num)
      return null
    }
  }

  #count(log: string, { encoding, lengthField }: LogEntry): void {
    if (encoding === null) return
    const counts = this.#payloads.get(log) ?? new Map<string, number>()
    const form = `${encoding} ${lengthField}`
    counts.set(form, (counts.get(form) ?? 0) + 1)
    this.#payloads.set(log, counts)
  }

  /** Follows the finality of irreversible blocks. */
  #follow(num: number, { block, finality }: BlockEntries): void {
    const follower = this.#follower
    if (!follower || !block) return
    const isSavanna = readU32(block.content, SCHEDULE_VERSION_AT) === SAVANNA_SCHEDULE_VERSION
    if (!finality && !follower.last && !isSavanna) return
    if (!finality) {
      this.#unverified.add(`finality from block ${num} on: its finality data are not there`)
      this.#endFollowing()
      return
    }
    const position = { num, id: block.id }
    const prevId = toHex(block.content.subarray(PREVIOUS_AT, PREVIOUS_AT + 32))
    const source = { ...{ kind: 'packed' as const, ...position, prevId, head: position, lib: position } }
    const nothing = new Uint8Array()
    try {
      follower.follow({ ...source, block: block.content, traces: nothing, finality: finality.content }, false)
      if (follower.last) this.#followedFrom ??= num
    } catch (error) {
      this.#failed(error, num, finality)
      this.#unverified.add(`finality from block ${num} on: it contradicts the blocks before`)
      this.#endFollowing()
    }
  }

  /** Verifies the newest certificate, and stores the follower's results. */
  #endFollowing(): void {
    const follower = this.#follower
    this.#follower = null
    if (!follower) return
    try {
      this.#finalBlock = follower.checkNewest()
    } catch (error) {
      this.#failed(error, follower.last?.block.blockNum ?? 0)
    }
    const { last } = follower
    if (last) this.#audit.verified.finality = Math.max(0, last.block.data.claimBlockNum - (this.#followedFrom ?? 0) + 1)
    this.#audit.verified.certificates = follower.verified
    this.#root = follower.root && toHex(follower.root.digest)
    this.#finality = follower.knownPolicies.map(({ policy, blockNum, digest }) => {
      return { generation: policy.generation, block: blockNum, digest: toHex(digest) }
    })
  }

  /** The policy of the first certificate hands over to all later ones, so it is the one to trust. */
  #checkPolicy(): void {
    const { policy } = this.#options
    const [first] = this.#finality
    const digest = this.#root ?? first?.digest
    if (policy === undefined || digest === policy) return
    const found = digest ? `the first finalizer policy is ${digest}` : 'no finalizer policy was followed'
    const hint = 'compare both digests with a source that you trust: these files may be of another chain'
    this.#report({ code: 'LOG_POLICY', message: `${found}, ${policy} is trusted`, block: first?.block, hint })
  }

  #finish(range: BlockRange): void {
    this.#endFollowing()
    this.#checkPolicy()
    const { blocks } = this.#logs
    if (!blocks.span) this.#unverified.add('ids, links and roots: there is no block log')
    else if (range.to > this.#irreversible) {
      this.#unverified.add(
        `blocks from ${this.#irreversible + 1} on: they are reversible, the block log ends before them`,
      )
    }
    if (this.#audit.withoutRoot > 0) {
      this.#unverified.add(`action roots of ${this.#audit.withoutRoot} blocks under Savanna: no finality data`)
    }
  }

  /** @param entry  the block's finality data, when the error does not name a file */
  #failed(error: unknown, block: number, entry?: LogEntry): void {
    if (!(error instanceof HeadwaterError)) throw error
    const { code, message, hint, place } = error
    const { file, offset } = place.file === undefined && entry ? entry : place
    const what = place.file === undefined && entry ? `${file} at offset ${offset}, block ${block}: ${message}` : message
    this.#report({ code, message: what, hint, block: place.block ?? block, file, offset })
  }

  #report(problem: LogProblem): void {
    this.#problemCount++
    if (this.#problems.length < MAX_LISTED) this.#problems.push(problem)
  }

  async #summary(log: Log): Promise<LogSummary> {
    const { ranges, span, name, warnings } = log
    const files = await log.files()
    return {
      ...{ log: name, files, ranges, warnings: [...warnings] },
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      missing: span ? log.missing(span) : [],
      payloads: Object.fromEntries(this.#payloads.get(name) ?? []),
    }
  }

  async #result(): Promise<LogsReport> {
    const summaries: LogSummary[] = []
    for (const log of this.#logs.all) summaries.push(await this.#summary(log))
    const unknown = this.#unknownFolders
    const other = unknown.length > 0 ? `; the chain of ${unknown.join(', ')} is not known: leave out another chain` : ''
    const hint = `give also the folder that has these blocks, for example the archive of the node${other}`
    for (const { log, missing } of summaries) {
      for (const { from, to } of missing) {
        const message = `${log} lacks blocks ${from} to ${to}`
        this.#report({ code: 'LOG_RANGE_MISSING', message, block: from, hint })
      }
    }
    return {
      ...{
        folders: [...this.#logs.folders],
        chainId: this.#chains[0]?.chainId ?? null,
        logs: summaries,
        checked: this.#checked,
      },
      ...{ verified: this.#audit.verified, finalBlock: this.#finalBlock, policies: this.#finality },
      ...{ unverified: [...this.#unverified], uncommitted: UNCOMMITTED },
      ...{ problems: this.#problems, problemCount: this.#problemCount, ok: this.#problemCount === 0 },
    }
  }
}
