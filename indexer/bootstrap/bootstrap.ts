// Reads a chain's current state from a node, so that indexing can start near its head. The state is accepted only when
// every head at which the node answered is final: before that, a fork could leave rows of an orphaned block.
import { setTimeout as delay } from 'node:timers/promises'
import { toHex } from '../../core/hex.ts'
import { sha256 } from '../../core/sha256.ts'
import { AbiBook, type AbiVersion, BLOCK_END } from '../decode/abi-book.ts'
import { attempt, Reason } from '../decode/attempt.ts'
import type { Projector } from '../project/projector.ts'
import { type RoleAccounts, roleAccountNames } from '../project/role-accounts.ts'
import type { BlockPosition } from '../source/source.ts'
import { NodeApi } from './node-api.ts'
import { Origin, type OriginBlock, projectPage } from './origin.ts'
import { type ReadOptions, readTables, type WantedTable } from './read-tables.ts'
import { Spool } from './spool.ts'
import { SteadyHead } from './steady-head.ts'
import { exchangeContracts, exchangeTables, knownTables, tokenContractsOf, tokenTables } from './wanted-tables.ts'

export interface BootstrapOptions {
  chain: string
  /** Chain API of a single node, not of a load balancer: `http://host:port`. */
  url: string
  /** Chain id that the node must have; null to accept any. */
  chainId: string | null
  projector: Projector
  accounts: RoleAccounts
  tokenContracts: '*' | readonly string[]
  signal: AbortSignal
  events?: Partial<BootstrapEvents>
  pageRows?: number
  concurrency?: number
  /** Interval of the polls for finality, ms. */
  pollMs?: number
  /** Folder of the rows that wait for the first block. */
  spoolFolder?: string
}

interface BootstrapEvents {
  /** Called after each page, with the number of rows so far. */
  read(table: WantedTable, rows: number): void
  /** Called when all is read and `block` must become final. */
  waiting(block: number): void
  /** Called when the state is rejected for `reason` and read again. */
  repeated(reason: string): void
}

/**
 * @returns the state and where to start, or null when the signal was aborted
 * @throws RetryableError, UserError as NodeApi and SteadyHead: OTHER_CHAIN, NODE_API_UNREACHABLE, HEAD_MOVES, ...
 */
export async function bootstrap(options: BootstrapOptions): Promise<Origin | null> {
  const { url, signal } = options
  const tokens = new Set(options.tokenContracts === '*' ? [] : options.tokenContracts)
  if (options.accounts.wrap) tokens.add(options.accounts.wrap)
  try {
    const reading = new Reading(options, new NodeApi({ url, signal }), tokens)
    await reading.discoverTokens()
    for (;;) {
      const origin = await reading.attempt()
      if (typeof origin !== 'string') return origin
      options.events?.repeated?.(origin)
    }
  } catch (error) {
    if (signal.aborted) return null
    throw error
  }
}

class Reading {
  private readonly options: BootstrapOptions
  private readonly api: NodeApi
  /** Token contracts to read. */
  private readonly tokens: Set<string>

  constructor(options: BootstrapOptions, api: NodeApi, tokens: Set<string>) {
    this.options = options
    this.api = api
    this.tokens = tokens
  }

  /** Finds the token contracts that pools and markets name. */
  async discoverTokens(): Promise<void> {
    const { projector, accounts } = this.options
    const head = new SteadyHead(this.api, this.options.chainId)
    const { book, parent } = await this.start(head)
    const wanted = exchangeTables(projector).filter(
      ({ code, table }) =>
        (code === accounts.amm && table === 'pools') || (code === accounts.spot && table === 'markets'),
    )
    for await (const page of this.read(wanted, head, book, parent)) {
      for (const token of tokenContractsOf(projectPage(page, { projector, parent, book }).state)) this.tokens.add(token)
    }
  }

  /** @returns the state, or the reason to reject it */
  async attempt(): Promise<Origin | string> {
    const spool = new Spool(this.options.spoolFolder)
    const origin = await this.fill(spool).catch((error: unknown) => {
      spool.close()
      throw error
    })
    if (typeof origin === 'string') spool.close()
    return origin
  }

  private async fill(spool: Spool): Promise<Origin | string> {
    const { chain, projector, events } = this.options
    const head = new SteadyHead(this.api, this.options.chainId)
    const { book, parent, abis } = await this.start(head)
    const known = this.tokens.size
    for await (const page of this.read(this.wantedTables(), head, book, parent)) {
      spool.add(page)
      events?.read?.({ code: page.code, table: page.table }, spool.rows)
      if (page.table !== 'pools' && page.table !== 'markets') continue
      for (const token of tokenContractsOf(projectPage(page, { projector, parent, book }).state)) this.tokens.add(token)
    }
    if (this.tokens.size > known) return 'a pool or market with another token came into being'
    const after = await this.readAbis(head, parent.num)
    if (after.map(({ hash }) => hash).join() !== abis.map(({ hash }) => hash).join()) return 'an ABI changed'
    const stateBlock = (head.seen.at(-1) as BlockPosition).num
    await this.finality(head, Math.max(stateBlock, parent.num + 1))
    const orphaned = await this.firstOrphaned(head.seen)
    if (orphaned !== null)
      return `block ${orphaned.num} (${orphaned.id}), at which rows were read, was replaced by a fork`
    return new Origin({ chain, projector, parent, stateBlock, abis, book, spool })
  }

  private wantedTables(): WantedTable[] {
    const { projector, accounts, tokenContracts } = this.options
    const watched = tokenContracts === '*' ? null : new Set([...tokenContracts, accounts.wrap])
    const isWatched = (contract: string) => watched?.has(contract) ?? true
    const exchangeAccounts = roleAccountNames(accounts)
    return [...exchangeTables(projector), ...tokenTables(projector, this.tokens, isWatched, exchangeAccounts)]
  }

  private read(wanted: WantedTable[], head: SteadyHead, book: AbiBook, parent: OriginBlock) {
    const { pageRows, concurrency } = this.options
    const decode: ReadOptions['decode'] = (code, table, value) => {
      const row = attempt(book.at(code, parent.num, BLOCK_END), 'tables', table, (abi) => abi.decodeRow(table, value))
      return row instanceof Reason ? null : row
    }
    const tables = knownTables(wanted, book, parent.num)
    return readTables(tables, { api: this.api, head, decode, pageRows, concurrency })
  }

  /** Records the head, and reads the ABIs as of it. */
  private async start(head: SteadyHead): Promise<{ book: AbiBook; parent: OriginBlock; abis: AbiVersion[] }> {
    const { num } = (await head.look()).head
    const read = await this.readAbis(head, num)
    const at = head.seen.at(-1) as BlockPosition
    const abis = read.map((abi) => ({ ...abi, blockNum: at.num }))
    const book = new AbiBook()
    book.load(abis)
    const [block] = await head.read([() => this.api.block(at.num)])
    return { book, parent: { ...at, time: block?.time ?? 0 }, abis }
  }

  private async readAbis(head: SteadyHead, blockNum: number): Promise<AbiVersion[]> {
    const accounts = [...new Set([...exchangeContracts(this.options.projector), ...this.tokens])].sort()
    const packed = await head.read(accounts.map((account) => () => this.api.rawAbi(account)))
    return accounts.flatMap((account, index) => {
      const abi = packed[index]
      return abi ? [{ account, blockNum, globalSeq: 0n, abi, hash: toHex(sha256(abi)) }] : []
    })
  }

  private async finality(head: SteadyHead, block: number): Promise<void> {
    const { pollMs = 500, signal, events } = this.options
    if ((await head.look()).lib.num >= block) return
    events?.waiting?.(block)
    while ((await head.look()).lib.num < block) await delay(pollMs, undefined, { signal })
  }

  /** First of these blocks that is not on the node's branch. All must be irreversible. */
  private async firstOrphaned(seen: readonly BlockPosition[]): Promise<BlockPosition | null> {
    for (const block of seen) if ((await this.api.block(block.num)).id !== block.id) return block
    return null
  }
}
