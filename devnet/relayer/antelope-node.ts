// Client of a node's chain API: reads tables and pushes transactions. Most are unsigned: few devnet accounts have keys.

import { type CompiledAbi, compileAbi } from '../../core/antelope/abi/compile.ts'
import { parseAbi } from '../../core/antelope/abi/parse.ts'
import type { PackedAction } from '../../core/antelope/digest.ts'
import { packTransaction, referenceTo } from '../../core/antelope/pack-transaction.ts'
import { toHex } from '../../core/hex.ts'
import { ChainApi, NodeRefusal } from '../../net/chain-api.ts'
import type { ActionCall } from '../chain/contract.ts'

/** The response to a pushed transaction arrives once it is in a block. */
const TIMEOUT_MS = 60_000
const MAX_BYTES = 64 << 20
const LIFETIME_S = 120
const PAGE = 500

/** A transaction that a contract refused, or a request that the node refused. */
export class NodeError extends Error {}

export class AntelopeNode {
  readonly url: string
  private readonly abis = new Map<string, Promise<CompiledAbi>>()
  private readonly api: ChainApi
  private sent = 0

  constructor(url: string) {
    this.api = new ChainApi({ url, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES })
    this.url = this.api.url
  }

  /** Runs actions as one transaction. @returns its id once it is in a block @throws NodeError when it is refused */
  async push(calls: readonly ActionCall[]): Promise<string> {
    return (await this.send(await this.pack(calls))).id
  }

  /** Packs a transaction that is valid for two minutes. @throws NodeError */
  async pack(calls: readonly ActionCall[]): Promise<Uint8Array> {
    const actions = await Promise.all(
      calls.map(async ({ account, name, authorization, data }) => {
        return { account, name, authorization, data: (await this.abi(account)).encodeAction(name, data) }
      }),
    )
    return this.transaction(actions)
  }

  private async transaction(actions: readonly PackedAction[]): Promise<Uint8Array> {
    const info = await this.post<{ last_irreversible_block_id: string }>('get_info', {})
    // Varies the expiration, so that equal actions give different transactions.
    const expiration = Math.floor(Date.now() / 1000) + LIFETIME_S + (this.sent++ % 1000)
    return packTransaction({ expiration, ...referenceTo(info.last_irreversible_block_id) }, actions)
  }

  /** @param signatures  as text @returns id and block, once it is in a block @throws NodeError when it is refused */
  async send(packed: Uint8Array, signatures: readonly string[] = []): Promise<{ id: string; blockNum: number }> {
    const body = { signatures, compression: 'none', packed_context_free_data: '', packed_trx: toHex(packed) }
    const answer = await this.post<{ transaction_id: string; processed: { block_num: number } }>(
      'push_transaction',
      body,
    )
    return { id: answer.transaction_id, blockNum: answer.processed.block_num }
  }

  /** CPU billed to an account, microseconds. */
  async cpuOf(account: string): Promise<number> {
    const { cpu_limit } = await this.post<{ cpu_limit: { used: number } }>('get_account', { account_name: account })
    return cpu_limit.used
  }

  /** Rows of a table in the node's JSON, starting at a key. */
  async rows<T>(code: string, scope: string, table: string, from = ''): Promise<T[]> {
    const rows: T[] = []
    for (let lower_bound = from; ; ) {
      const query = { json: true, code, scope, table, limit: PAGE, lower_bound }
      const page = await this.post<{ rows: T[]; more: boolean; next_key: string }>('get_table_rows', query)
      rows.push(...page.rows)
      if (!page.more) return rows
      lower_bound = page.next_key
    }
  }

  private abi(account: string): Promise<CompiledAbi> {
    const known = this.abis.get(account)
    if (known) return known
    const read = async () => {
      const { abi } = await this.post<{ abi: object }>('get_abi', { account_name: account })
      return compileAbi(parseAbi(abi))
    }
    const abi = read()
    abi.catch(() => this.abis.delete(account))
    this.abis.set(account, abi)
    return abi
  }

  private async post<T>(method: string, body: object): Promise<T> {
    try {
      return (await this.api.ask(method, body)) as T
    } catch (error) {
      throw error instanceof NodeRefusal ? new NodeError(error.message) : error
    }
  }
}
