// Client of a node's chain API for the relayer: state, ABIs, trials, sending. Refusals by contracts throw `Refused`.
import { type CompiledAbi, compileAbi } from '../../core/antelope/abi/compile.ts'
import { parseAbi } from '../../core/antelope/abi/parse.ts'
import { PromiseCache } from '../../core/cache.ts'
import { RetryableError } from '../../core/errors.ts'
import { toHex } from '../../core/hex.ts'
import { ChainApi, ChainApiError, type Json, NodeRefusal } from '../../net/chain-api.ts'
import { withoutSecrets } from '../../net/http.ts'
import { Refused } from '../choice/refusal.ts'
import type { Log } from '../log.ts'
import type { SignedBytes } from './signed.ts'

export interface NodeInfo {
  chainId: string
  /** Unix ms. */
  headTime: number
  libNum: number
  libId: string
  libTime: number
}

const TIMEOUT_MS = 30_000
const MAX_BYTES = 64 << 20
/** Lifetime of a cached ABI, ms: a contract may change its ABI. */
const ABI_MS = 600_000
/** Maximum number of cached ABIs. */
const MAX_ABIS = 100
/** Time without trials after the node answered one with 404, ms. */
const NO_TRIAL_MS = 3_600_000
/** Error messages of nodes that have the transaction already. */
const HAS_IT = /duplicate transaction/i
const timeOf = (text: unknown): number => Date.parse(`${text}Z`)

export class AntelopeChain {
  readonly name: string
  readonly #api: ChainApi
  readonly #abis = new PromiseCache<CompiledAbi>({ max: MAX_ABIS, maxAgeMs: ABI_MS, now: Date.now })
  readonly #log: Log
  /** End of the time without trials, Unix ms. */
  #noTrialUntil = 0

  constructor(name: string, url: string, signal: AbortSignal, log: Log) {
    this.name = name
    this.#log = log
    this.#api = new ChainApi({ url, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal })
  }

  async info(): Promise<NodeInfo> {
    const info = await this.#ask('get_info', {})
    const libNum = Number(info.last_irreversible_block_num)
    return {
      chainId: String(info.chain_id),
      headTime: timeOf(info.head_block_time),
      libNum,
      libId: String(info.last_irreversible_block_id),
      libTime: timeOf(info.last_irreversible_block_time ?? (await this.#blockTime(libNum))),
    }
  }

  /** Time of a block. Older nodes report only the number of the last irreversible block in `get_info`. */
  async #blockTime(block_num: number): Promise<unknown> {
    return (await this.#ask('get_block_info', { block_num })).timestamp
  }

  /** Packs an action's data by the contract's ABI on the chain. @throws Refused when the ABI has no such action */
  async encode(account: string, action: string, members: object): Promise<Uint8Array> {
    const abi = await this.abi(account)
    try {
      return abi.encodeAction(action, members)
    } catch (error) {
      throw new Refused(`${account}::${action}: ${(error as Error).message}`)
    }
  }

  abi(account: string): Promise<CompiledAbi> {
    return this.#abis.get(account, async () => {
      const { abi } = await this.#ask('get_abi', { account_name: account })
      if (typeof abi !== 'object' || abi === null) throw new Refused(`${account} has no ABI`)
      return compileAbi(parseAbi(abi))
    })
  }

  /** Rows of a contract's table in its own scope, as JSON. @throws Refused when the node has no such table */
  async rows<T>(code: string, table: string, bounds: object): Promise<T[]> {
    const { rows } = await this.#ask('get_table_rows', { json: true, code, scope: code, table, ...bounds })
    if (!Array.isArray(rows)) throw new Refused(`the node does not list ${code}/${table}`)
    return rows as T[]
  }

  /** Rows of a payment in the bridge's table of payments; null when the contract has no such table. */
  async paidRows(bridge: string, id: string): Promise<number | null> {
    try {
      return (await this.rows(bridge, 'paid', { lower_bound: id, upper_bound: id, limit: 1 })).length
    } catch (error) {
      if (error instanceof Refused) return null
      throw error
    }
  }

  /**
   * Runs a transaction without effect, if the node supports that. The trial is unsigned, so every signed transaction is
   * one of the journal.
   *
   * @throws Refused with the reason
   */
  async simulate(packed: Uint8Array): Promise<void> {
    if (Date.now() < this.#noTrialUntil) return
    try {
      const { processed } = await this.#api.ask('compute_transaction', { transaction: bodyOf(packed, []) })
      const failure = failureOf(processed as Json | undefined)
      if (failure !== null) throw failure
    } catch (error) {
      if (!(error instanceof NodeRefusal && error.status === 404)) throw this.#refusalOf(error, 'compute_transaction')
      this.#noTrialUntil = Date.now() + NO_TRIAL_MS
      const node = withoutSecrets(this.#api.url)
      this.#log.warn('the node has no compute_transaction, so nothing is tried for an hour', { chain: this.name, node })
    }
  }

  /**
   * Sends a transaction to the node.
   *
   * @returns the block that the node reports; null when it has the transaction already, or reports no block
   * @throws Refused with the reason
   */
  async send({ packed, signature }: SignedBytes): Promise<number | null> {
    try {
      const { processed } = await this.#api.ask('send_transaction', bodyOf(packed, [signature]))
      return Number((processed as { block_num?: unknown } | undefined)?.block_num ?? 0) || null
    } catch (error) {
      if (error instanceof NodeRefusal && (error.kind === 'tx_duplicate' || HAS_IT.test(error.message))) return null
      throw this.#refusalOf(error, 'send_transaction')
    }
  }

  async #ask(path: string, body: object): Promise<Json> {
    try {
      return await this.#api.ask(path, body)
    } catch (error) {
      throw this.#refusalOf(error, path)
    }
  }

  /** Converts an error: a refusal to `Refused`, a node that does not answer to `RetryableError`. */
  #refusalOf(error: unknown, path: string): unknown {
    if (error instanceof NodeRefusal && error.kind !== '') return new Refused(error.message, error.kind)
    if (!(error instanceof ChainApiError || error instanceof NodeRefusal)) return error
    return new RetryableError(
      'RELAY_NODE',
      `${withoutSecrets(this.#api.url)} does not answer ${path}: ${error.message}`,
      {
        hint: 'relay.nodes, or source.http of the chain, names the chain API of a node',
        place: { chain: this.name },
        cause: error,
      },
    )
  }
}

function bodyOf(packed: Uint8Array, signatures: readonly string[]): object {
  return { signatures, compression: 'none', packed_context_free_data: '', packed_trx: toHex(packed) }
}

/** The failure of a trial; null when it succeeded. */
function failureOf(processed: Json | undefined): Refused | null {
  const except = processed?.except
  if (typeof except !== 'object' || except === null) return null
  const { name, message, stack } = except as { name?: unknown; message?: unknown; stack?: { data?: { s?: unknown } }[] }
  const reason = stack?.[0]?.data?.s ?? message ?? 'for a reason that the node does not report'
  return new Refused(String(reason), String(name ?? ''))
}
