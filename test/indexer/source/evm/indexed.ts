// An indexer of a local EVM chain with its own database, observed through its commits.
import { spawn } from 'node:child_process'
import type { Pool } from 'pg'
import { evmParts, indexEvmChain } from '../../../../indexer/run-evm.ts'
import type { EvmSourceOptions } from '../../../../indexer/source/evm/settings.ts'
import type { CommitPoint } from '../../../../indexer/store/writer.ts'
import { type VerifyReport, verifyChain } from '../../../../indexer/verify/verify.ts'
import { childModule } from '../../../support/child-module.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { until } from '../../../support/until.ts'
import type { LocalChain } from './local-chain.ts'

export interface RunOptions extends Partial<Omit<EvmSourceOptions, 'contracts'>> {
  endBlock?: number
  startBlock?: number
  onPoint?: (point: CommitPoint) => void | Promise<void>
}

export class Indexed {
  readonly pool: Pool
  readonly chain: string
  /** Kinds of anomalies and codes of retryable errors, in their order. */
  readonly troubles: string[] = []
  /** First block and depth of each fork. */
  readonly forks: [block: number, depth: number][] = []
  private readonly database: TestDatabase
  private readonly node: LocalChain
  private readonly stopping = new AbortController()
  private running: Promise<unknown> = Promise.resolve()

  constructor(database: TestDatabase, node: LocalChain, chain = 'mainnet') {
    this.database = database
    this.pool = database.pool
    this.node = node
    this.chain = chain
  }

  static async open(t: { teardown(work: () => Promise<void>): void }, node: LocalChain): Promise<Indexed> {
    return new Indexed(await testDatabase(t, { chains: ['mainnet'] }), node)
  }

  /** Runs until the last block, or until `stop`. */
  run(options: RunOptions = {}): Promise<unknown> {
    const { endBlock, startBlock = 1, onPoint, ...more } = options
    const { vault, withdrawals, lightclient } = this.node.contracts
    const contracts = { vault: [vault], withdrawals: [withdrawals], lightclient: [lightclient] }
    const { chain, node } = this
    const onAnomaly = (kind: string) => this.troubles.push(kind)
    const source = { chain, chainId: node.chainId, urls: [node.url], contracts, pollMs: 20, restMs: [20, 200] as const }
    this.running = indexEvmChain({
      ...evmParts({ ...source, onAnomaly, ...more }),
      chain,
      chainId: node.chainId,
      contracts,
      databaseUrl: this.database.url,
      startBlock,
      endBlock,
      signal: this.stopping.signal,
      onPoint,
      events: {
        opened() {},
        committed() {},
        decoded() {},
        forked: (block, depth) => this.forks.push([block, depth]),
        retrying: (error) => this.troubles.push(error.code),
      },
    })
    return this.running
  }

  /** Runs in a process of its own, which ends at this step of its n-th commit. @returns the signal that ended it */
  async runKilled(point: CommitPoint, commit: number, endBlock: number): Promise<string | null> {
    const { chain, node } = this
    const { vault, withdrawals, lightclient } = node.contracts
    const contracts = { vault: [vault], withdrawals: [withdrawals], lightclient: [lightclient] }
    const where = { chain, chainId: node.chainId, urls: [node.url], contracts, databaseUrl: this.database.url }
    const { file, execArgv } = childModule('./killed-child.ts', import.meta.url)
    const options = JSON.stringify({ ...where, point, commit, endBlock })
    const child = spawn(process.execPath, [...execArgv, file, options], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    return new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)))
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    await this.running
  }

  async position(): Promise<{ block: number; id: string; lib: number } | undefined> {
    const { rows } = await this.pool.query(
      'select block_num::int4 as block, block_id as id, lib_num::int4 as lib from meta.position where chain = $1',
      [this.chain],
    )
    return rows[0]
  }

  /** Waits until the node's head is indexed. */
  async caughtUp(): Promise<void> {
    const { hash } = await this.node.rpc<{ hash: string }>('eth_getBlockByNumber', 'latest', false)
    const isIndexed = async () => {
      // Rejects when the indexer has failed.
      await Promise.race([this.running, null])
      return (await this.position())?.id === hash.slice(2)
    }
    await until(() => `${hash} is indexed; troubles: ${this.troubles}`, isIndexed, 20)
  }

  /** Findings of `headwater verify`. */
  verify(): Promise<VerifyReport> {
    return verifyChain(this.database.url, this.chain)
  }

  async values(sql: string): Promise<unknown[][]> {
    const { rows } = await this.pool.query({ text: sql, rowMode: 'array' })
    return rows
  }

  /** All ledger rows except the times of replacements, so that two histories of the same blocks are equal. */
  async digest(tables = LEDGER): Promise<Record<string, unknown>> {
    const all: Record<string, unknown> = {}
    for (const table of tables) {
      const [row] = await this.values(
        `select count(*)::int4, md5(string_agg(r::text, '|' order by r::text)) from ledger.${table} r where chain = '${this.chain}'`,
      )
      all[table] = row
    }
    return all
  }
}

/** Tables that depend only on the logs, not on how they were read. */
const LEDGER = [
  ...[
    'vault_deposits',
    'withdrawal_outcomes',
    'vault_changes',
    'stored_roots',
    'learned_policies',
    'undecoded_actions',
  ],
]
