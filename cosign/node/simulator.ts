// Tries a transaction on a node before it is signed: one that fails would still be billed to the payer at that node, and
// one that takes long is not paid for.
import { RetryableError } from '../../core/errors.ts'
import { toHex } from '../../core/hex.ts'
import { Refusal } from '../refusal.ts'
import type { UserTransaction } from '../transaction.ts'
import { type ChainClient, type Json, NodeRefusal } from './chain-client.ts'

export type SimulateMode = 'auto' | 'compute' | 'read-only' | 'off'

const PATHS = { compute: 'compute_transaction', 'read-only': 'send_read_only_transaction' } as const
const WAYS: Record<SimulateMode, readonly (keyof typeof PATHS)[]> = {
  auto: ['compute', 'read-only'],
  compute: ['compute'],
  'read-only': ['read-only'],
  off: [],
}

const WRITES = 'table_operation_not_permitted'

/** The transaction fails when it is tried, or takes too long: counted against its account. */
export class FailedTrial extends Refusal {
  constructor(message: string) {
    super('simulation', message)
  }
}

export class Simulator {
  private readonly client: ChainClient
  private readonly mode: SimulateMode
  private readonly ceilingUs: number

  /** @param ceilingUs  most CPU, microseconds */
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
    if (isReadOnly(processed)) throw this.cannot()
    if (failure !== null) throw new FailedTrial(`The transaction fails: ${failure}`)
    const used = Math.max(Number(processed.elapsed ?? 0), Number((processed.receipt as Json | null)?.cpu_usage_us ?? 0))
    // What says nothing of the time is not taken for quick.
    if (!(used <= this.ceilingUs) || used === 0)
      throw new FailedTrial(`The transaction takes ${used} µs of CPU, ${this.ceilingUs} at most are paid for`)
  }

  private async run({ bytes }: UserTransaction): Promise<Json> {
    const body = {
      transaction: { signatures: [], compression: 'none', packed_context_free_data: '', packed_trx: toHex(bytes) },
    }
    for (const way of WAYS[this.mode]) {
      try {
        const { processed } = await this.client.ask(PATHS[way], body)
        if (typeof processed === 'object' && processed !== null) return processed as Json
        throw new RetryableError('COSIGN_NODE', `${this.client.url} answers ${PATHS[way]} in an unknown form`)
      } catch (error) {
        if (!(error instanceof NodeRefusal)) throw error
        if (error.status === 404) continue
        if (error.kind === WRITES) continue
        if (error.kind !== '') throw new FailedTrial(`The transaction fails: ${error.message}`)
        throw new RetryableError('COSIGN_NODE', `${this.client.url} refuses ${PATHS[way]}: ${error.message}`)
      }
    }
    throw this.cannot()
  }

  private cannot(): RetryableError {
    return new RetryableError('COSIGN_SIMULATION', `${this.client.url} cannot try transactions`, {
      hint: 'switch compute_transaction on at the node (chain API), or set cosign.simulate to off',
    })
  }
}

/** Newer nodes let nothing write in a read-only transaction, whatever it is: that says nothing against it. */
function isReadOnly({ except }: Json): boolean {
  return typeof except === 'object' && except !== null && (except as Json).name === WRITES
}

/** Why the transaction failed, in the contract's or the node's words; null when it did not. */
function failureOf({ except, receipt }: Json): string | null {
  if (typeof except === 'object' && except !== null) {
    const { message, stack } = except as { message?: unknown; stack?: Json[] }
    const data = stack?.[0]?.data as Json | undefined
    return String(data?.s ?? message ?? 'for a reason that the node does not tell').slice(0, 300)
  }
  const status = (receipt as Json | null)?.status
  return status === undefined || status === 'executed' || status === 0 ? null : `it is ${String(status)}`
}
