// Tries a transaction on a node before it is signed. A failing transaction would still be billed to the payer by that
// node; a slow one is refused.
import { RetryableError } from '../../core/errors.ts'
import { toHex } from '../../core/hex.ts'
import { type Json, NodeRefusal } from '../../net/chain-api.ts'
import { Refusal } from '../refusal.ts'
import type { UserTransaction } from '../transaction.ts'
import type { ChainClient } from './chain-client.ts'

export type SimulateMode = 'auto' | 'compute' | 'read-only' | 'off'

const METHODS = { compute: 'compute_transaction', 'read-only': 'send_read_only_transaction' } as const
const METHODS_OF_MODE: Record<SimulateMode, readonly (keyof typeof METHODS)[]> = {
  auto: ['compute', 'read-only'],
  compute: ['compute'],
  'read-only': ['read-only'],
  off: [],
}

/**
 * Errors of a node that cannot run read-only transactions: writes are not permitted there, or it has no read-only
 * threads.
 */
const UNABLE = ['table_operation_not_permitted', 'unsupported_feature']
/** Nodes refuse authorizations in read-only transactions, and every sponsored transaction has some. */
const NO_AUTHORIZATION = /^read-only action '.*' cannot have authorizations/

/** Whether an error is about the node's abilities, not about the transaction. */
function isUnable(kind: unknown, message: string): boolean {
  return UNABLE.includes(String(kind)) || NO_AUTHORIZATION.test(message)
}

/** The trial failed or took too long. Counted against the account or the address. */
export class FailedTrial extends Refusal {
  constructor(message: string) {
    super('simulation', message)
  }
}

export class Simulator {
  private readonly client: ChainClient
  private readonly mode: SimulateMode
  private readonly ceilingUs: number

  /** @param ceilingUs  CPU limit, microseconds */
  constructor(client: ChainClient, mode: SimulateMode, ceilingUs: number) {
    this.client = client
    this.mode = mode
    this.ceilingUs = ceilingUs
  }

  /** @throws FailedTrial, RetryableError */
  async check(transaction: UserTransaction): Promise<void> {
    if (this.mode === 'off') return
    const processed = await this.run(transaction)
    const failure = failureOf(processed)
    if (isExceptUnable(processed)) throw this.cannot()
    if (failure !== null) throw new FailedTrial(`The transaction fails: ${failure}`)
    const used = Math.max(Number(processed.elapsed ?? 0), Number((processed.receipt as Json | null)?.cpu_usage_us ?? 0))
    // A trial without a time counts as too long.
    if (!(used <= this.ceilingUs) || used === 0)
      throw new FailedTrial(`The transaction takes ${used} µs of CPU, ${this.ceilingUs} at most are paid for`)
  }

  /**
   * Checks that the node can run trials, whether or not this transaction succeeds.
   *
   * @throws RetryableError COSIGN_SIMULATION when it cannot; COSIGN_NODE when it does not answer
   */
  async probe(bytes: Uint8Array): Promise<void> {
    if (this.mode === 'off') return
    try {
      if (isExceptUnable(await this.run({ bytes }))) throw this.cannot()
    } catch (error) {
      if (!(error instanceof FailedTrial)) throw error
    }
  }

  private async run({ bytes }: Pick<UserTransaction, 'bytes'>): Promise<Json> {
    const body = {
      transaction: { signatures: [], compression: 'none', packed_context_free_data: '', packed_trx: toHex(bytes) },
    }
    for (const method of METHODS_OF_MODE[this.mode]) {
      try {
        const { processed } = await this.client.ask(METHODS[method], body)
        if (typeof processed === 'object' && processed !== null) return processed as Json
        throw new RetryableError('COSIGN_NODE', `${this.client.url} answers ${METHODS[method]} in an unknown form`)
      } catch (error) {
        if (!(error instanceof NodeRefusal)) throw error
        if (error.status === 404) continue
        if (isUnable(error.kind, error.message)) continue
        if (error.kind !== '') throw new FailedTrial(`The transaction fails: ${error.message}`)
        throw new RetryableError('COSIGN_NODE', `${this.client.url} refuses ${METHODS[method]}: ${error.message}`)
      }
    }
    throw this.cannot()
  }

  private cannot(): RetryableError {
    return new RetryableError('COSIGN_SIMULATION', `${this.client.url} cannot try transactions`, {
      hint: 'switch compute_transaction on at the node (chain API): read-only transactions take no authorisations; or set cosign.simulate to off',
    })
  }
}

function isExceptUnable(processed: Json): boolean {
  const { except } = processed
  return typeof except === 'object' && except !== null && isUnable((except as Json).name, failureOf(processed) ?? '')
}

/** Error text of the contract or the node; null when the transaction succeeded. */
function failureOf({ except, receipt }: Json): string | null {
  if (typeof except === 'object' && except !== null) {
    const { message, stack } = except as { message?: unknown; stack?: Json[] }
    const data = stack?.[0]?.data as Json | undefined
    return String(data?.s ?? message ?? 'for a reason that the node does not report').slice(0, 300)
  }
  const status = (receipt as Json | null)?.status
  return status === undefined || status === 'executed' || status === 0 ? null : `it is ${String(status)}`
}
