// Requests to a node's chain API. A refusal of the node is an answer; no answer is RetryableError.
import { RetryableError } from '../../core/errors.ts'
import { ChainApi, ChainApiError, type Json } from '../../net/chain-api.ts'
import { post } from '../../net/post.ts'

export interface ChainClientOptions {
  url: string
  /** Time for one answer, ms. */
  timeoutMs?: number
  /** Size limit of an answer, bytes. */
  maxBytes?: number
}

const TIMEOUT_MS = 3000
const MAX_BYTES = 4 << 20

export class ChainClient {
  readonly url: string
  private readonly api: ChainApi

  constructor({ url, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES }: ChainClientOptions) {
    this.api = new ChainApi({ url, timeoutMs, maxBytes, send: post })
    this.url = this.api.url
  }

  /** @throws NodeRefusal, RetryableError COSIGN_NODE */
  async ask(path: string, body: Json): Promise<Json> {
    try {
      return await this.api.ask(path, body)
    } catch (error) {
      if (!(error instanceof ChainApiError)) throw error
      throw new RetryableError('COSIGN_NODE', `${this.url} does not answer ${path}: ${error.message}`, {
        hint: 'cosign.node names the chain API of a node of this chain',
      })
    }
  }
}
