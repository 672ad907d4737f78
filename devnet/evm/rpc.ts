// JSON-RPC client of a devnet's EVM node.
import { setTimeout as sleep } from 'node:timers/promises'
import { Endpoint } from '../../net/rpc/endpoint.ts'
import { RpcError } from '../../net/rpc/errors.ts'

const OPTIONS = { chain: 'devnet', timeoutMs: 60_000, requestsPerSecond: 0, batch: 1, maxBytes: 128 << 20 }
/** Requests have their own timeouts. */
const NO_ABORT = new AbortController().signal
/** Error of anvil for its newest block while it replaces that block. */
const REORGANISING = 'BlockOutOfRangeError'
const TRIES = 20
const WAIT_MS = 250

export class EvmRpc {
  readonly url: string
  readonly #endpoint: Endpoint

  constructor(url: string) {
    this.url = url
    this.#endpoint = new Endpoint({ ...OPTIONS, url })
  }

  /**
   * Retries for five seconds while the node is in the middle of a reorganisation.
   *
   * @throws RpcError when the node refuses it, with the data of a revert, or cannot be reached
   */
  async call<T>(method: string, ...params: readonly unknown[]): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#endpoint.call<T>(method, params, NO_ABORT)
      } catch (error) {
        const isReorganising = error instanceof RpcError && error.message.includes(REORGANISING)
        if (!isReorganising || tries === TRIES) throw error
        await sleep(WAIT_MS)
      }
    }
  }
}
