// JSON-RPC to the EVM node of a devnet.
import { Endpoint } from '../../net/rpc/endpoint.ts'

const OPTIONS = { chain: 'devnet', timeoutMs: 60_000, requestsPerSecond: 0, batch: 1, maxBytes: 128 << 20 }
/** Requests end by their own deadlines. */
const NEVER = new AbortController().signal

export class EvmRpc {
  readonly url: string
  readonly #endpoint: Endpoint

  constructor(url: string) {
    this.url = url
    this.#endpoint = new Endpoint({ ...OPTIONS, url })
  }

  /** @throws RpcError when the node refuses it, with the data of a revert, or is not there */
  call<T>(method: string, ...params: readonly unknown[]): Promise<T> {
    return this.#endpoint.call(method, params, NEVER)
  }
}
