// JSON-RPC to the EVM node of a devnet.

import { setTimeout as sleep } from 'node:timers/promises'

/** What anvil says of its newest block while it replaces it. */
const REORGANISING = 'BlockOutOfRangeError'
const TRIES = 20
const WAIT_MS = 250

interface Answer {
  result?: unknown
  error?: { message: string; data?: unknown }
}

/** A request that the node has refused. */
export class RpcError extends Error {
  /** What a contract reverted with; null when that is not known. */
  readonly data: string | null

  constructor(message: string, data: unknown) {
    super(message)
    this.data = typeof data === 'string' ? data : null
  }
}

export class EvmRpc {
  readonly url: string

  constructor(url: string) {
    this.url = url
  }

  /**
   * Asks again for a while when the node is in the middle of a reorganisation.
   *
   * @throws RpcError when the node refuses it; as `fetch` when it is not there
   */
  async call<T>(method: string, ...params: readonly unknown[]): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.once<T>(method, params)
      } catch (error) {
        const isReorganising = error instanceof RpcError && error.message.includes(REORGANISING)
        if (!isReorganising || tries === TRIES) throw error
        await sleep(WAIT_MS)
      }
    }
  }

  private async once<T>(method: string, params: readonly unknown[]): Promise<T> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(this.url, { method: 'POST', headers, body })
    const { result, error } = (await response.json()) as Answer
    if (error) throw new RpcError(`${method}: ${error.message}`, error.data)
    return result as T
  }
}
