// Compares current rows with a node's tables through its chain API. Both sides change meanwhile: a difference counts
// when two consecutive reads find it. Rows that keep changing are read again, and reported as a note after the last
// attempt.

import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { RetryableError, UserError } from '../../../core/errors.ts'
import { toHex } from '../../../core/hex.ts'
import { required } from '../../../core/required.ts'
import { sha256 } from '../../../core/sha256.ts'
import { openClient } from '../../../net/postgres.ts'
import type { WantedTable } from '../../bootstrap/read-tables.ts'
import { exchangeTables, tokenTables } from '../../bootstrap/wanted-tables.ts'
import { AbiBook } from '../../decode/abi-book.ts'
import { Projector } from '../../project/projector.ts'
import { type RoleAccounts, roleAccountNames } from '../../project/role-accounts.ts'
import { type Catalog, readCatalog, type Table } from '../../store/catalog.ts'
import { type CheckReport, Findings } from '../report.ts'
import { SETTINGS } from '../sql.ts'
import { NodeRows } from './node-rows.ts'
import { ABIS, CREATE_CONTRACTS, countNodeRows, differingRows, POSITION, STALE_ROWS, TOKEN_CONTRACTS } from './sql.ts'

export interface AgainstOptions {
  /** Connection string of a role that may read the chain and create temporary tables. */
  url: string
  chain: string
  /** Chain API of a single node, not of a load balancer. */
  nodeUrl: string
  /** Chain id that the node must have; null to accept any. */
  chainId: string | null
  accounts: RoleAccounts
  /** Limit of reads of a changing table. Default 8. */
  attempts?: number
  /** Pause between two reads, ms. Default 1500. */
  pauseMs?: number
  /** Timeout until the indexer reaches the node's first head, ms. Default 15 s. */
  waitMs?: number
}

/** State tables that correspond to no single table of the exchange's contracts. */
const NOT_COMPARED = new Set(['supplies', 'token_prices', 'stale_rows', 'balance_hours'])
/** Limit of differences of a table that are compared from read to read; above it, all count at once. */
const MAX_DIFFERENCES = 2000

/** @throws UserError UNKNOWN_CHAIN, OTHER_CHAIN, RetryableError INDEXER_LAGS, or when the node cannot be read */
export async function checkAgainst(options: AgainstOptions): Promise<CheckReport[]> {
  const client = openClient({ connectionString: options.url, application_name: 'headwater verify --against' })
  await client.connect()
  try {
    await client.query(SETTINGS)
    return await new Comparison(options, client, await readCatalog(client)).run()
  } finally {
    await client.end().catch(() => {})
  }
}

interface Differing {
  key: string
  total: string
  expected: string | null
  found: string | null
}

interface StaleRow {
  row: string
  block: string
  table: string
  reason: string
}

class Comparison {
  private readonly options: AgainstOptions
  private readonly client: pg.Client
  private readonly tables: Table[]
  private readonly projector: Projector
  private readonly findings = new Map<string, Findings>()

  constructor(options: AgainstOptions, client: pg.Client, catalog: Catalog) {
    this.options = options
    this.client = client
    this.tables = [...catalog.values()].filter(({ schema, name }) => schema === 'state' && !NOT_COMPARED.has(name))
    this.projector = new Projector({ chain: options.chain, accounts: options.accounts, tokenContracts: '*' })
    for (const { name } of this.tables) this.findings.set(name, new Findings(`against ${name}`))
  }

  async run(): Promise<CheckReport[]> {
    const { attempts = 8, pauseMs = 1500 } = this.options
    const contracts = await this.tokenContracts()
    const { node, block } = await this.open()
    await this.reach((await node.head()).num)
    let open: Table[] = this.tables
    let before = new Map<string, Map<string, string>>()
    for (let attempt = 1; open.length > 0; attempt++) {
      const names = open.map(({ name }) => name)
      await node.read(this.wanted(contracts), names)
      const now = new Map<string, Map<string, string>>()
      for (const table of open) {
        const moving = await this.compare(table, before.get(table.name), attempt >= attempts)
        if (moving.size > 0) now.set(table.name, moving)
      }
      open = open.filter(({ name }) => now.has(name))
      before = now
      if (open.length > 0) await delay(pauseMs)
    }
    const head = (await node.head()).num
    const reports = [...this.findings.values()].map((findings) => findings.finish())
    reports.push(await this.stale())
    if (node.undecoded.length > 0) reports.push(undecodable(node.undecoded))
    return reports.map((report) =>
      report.differing > 0 ? { ...report, notes: [...report.notes, lag(block, head)] } : report,
    )
  }

  /** Waits until the indexer has reached a block. @throws RetryableError INDEXER_LAGS */
  private async reach(head: number): Promise<void> {
    const { chain, waitMs = 15_000 } = this.options
    const end = performance.now() + waitMs
    for (;;) {
      const { rows } = await this.client.query(POSITION, [chain])
      const block = Number(rows[0]?.block ?? 0)
      if (block >= head) return
      if (performance.now() >= end)
        throw new RetryableError(
          'INDEXER_LAGS',
          `${chain}: the database is at block ${block}, the node at ${head}: rows changed by the ${head - block} blocks between them would differ`,
          {
            hint: 'compare again when the indexer is at the head: `headwater status` or /status says how far it is',
            place: { chain, block },
          },
        )
      await delay(200)
    }
  }

  private async open(): Promise<{ node: NodeRows; block: number }> {
    const { chain, nodeUrl, chainId } = this.options
    const { client, projector } = this
    const position = (await client.query(POSITION, [chain])).rows[0]
    if (!position)
      throw new UserError('UNKNOWN_CHAIN', `nothing of the chain ${chain} is indexed in this database`, {
        place: { chain },
      })
    const block = Number(position.block)
    const book = new AbiBook()
    const { rows } = await client.query(ABIS, [chain])
    book.load(
      rows.map((row) => ({
        ...row,
        blockNum: Number(row.blockNum),
        globalSeq: BigInt(row.globalSeq),
        hash: toHex(sha256(row.abi)),
      })),
    )
    const catalog = new Map(this.tables.map((table) => [table.id, table]))
    const node = await NodeRows.open({ client, catalog, chain, nodeUrl, chainId, projector, book, block }, this.tables)
    return { node, block }
  }

  /** @returns differences that may disappear at the next read, by key */
  private async compare(
    table: Table,
    before: Map<string, string> | undefined,
    isLast: boolean,
  ): Promise<Map<string, string>> {
    const findings = required(this.findings.get(table.name), `findings of ${table.name}`)
    const values = [this.options.chain, roleAccountNames(this.options.accounts)]
    const { rows } = await this.client.query<Differing>(differingRows(table, MAX_DIFFERENCES), values)
    const moving = new Map<string, string>()
    const total = Number(rows[0]?.total ?? 0)
    const isFlood = total > MAX_DIFFERENCES
    if (isFlood) findings.note(`${total} rows of state.${table.name} differ; the first ${MAX_DIFFERENCES} are counted`)
    const settled: Differing[] = []
    for (const row of rows) {
      const text = `${row.expected}\n${row.found}`
      if (isFlood || before?.get(row.key) === text) settled.push(row)
      else moving.set(row.key, text)
    }
    if (moving.size > 0 && !isLast && !isFlood)
      return new Map(rows.map((row) => [row.key, `${row.expected}\n${row.found}`]))
    await this.count(table, findings)
    for (const { key, expected, found } of settled)
      findings.differ(`state.${table.name} ${key}`, expected ?? 'none', found ?? 'none')
    for (const key of moving.keys()) findings.note(`state.${table.name} ${key} changed at every read`)
    return new Map()
  }

  /** Reports the rows that are marked as stale. */
  private async stale(): Promise<CheckReport> {
    const findings = new Findings('against stale rows')
    const { rows } = await this.client.query<StaleRow>(STALE_ROWS, [this.options.chain])
    for (const { row, block, table, reason } of rows) {
      findings.compared()
      findings.differ(row, `the change of block ${block}`, `an older row in state.${table}, or none: ${reason}`)
    }
    return findings.finish()
  }

  private async count(table: Table, findings: Findings): Promise<void> {
    const { rows } = await this.client.query(countNodeRows(table))
    findings.compared(Number(rows[0].count))
  }

  private wanted(contracts: string[]): WantedTable[] {
    const { accounts } = this.options
    const own = exchangeTables(this.projector).filter(({ code }) => code !== accounts.oracle)
    return [...own, ...tokenTables(this.projector, contracts, () => false, roleAccountNames(accounts))]
  }

  /** Token contracts of pools and markets; the exchange's balances in them are compared. */
  private async tokenContracts(): Promise<string[]> {
    await this.client.query(CREATE_CONTRACTS)
    const { rows } = await this.client.query<{ contract: string }>(TOKEN_CONTRACTS, [this.options.chain])
    return rows.map(({ contract }) => contract)
  }
}

function undecodable(rows: string[]): CheckReport {
  const findings = new Findings('against rows')
  for (const row of rows) findings.differ(row, 'a row that the indexed ABI decodes', 'one that it does not')
  return findings.finish()
}

function lag(block: number, head: number): string {
  return `the database stood at block ${block} when the comparison began, the node at ${head} when it ended`
}
