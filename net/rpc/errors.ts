// Failures of a JSON-RPC endpoint. All are retryable: later, or with another endpoint.
import { RetryableError } from '../../core/errors.ts'
import { withoutSecrets } from '../http.ts'

export interface RpcErrorOptions {
  cause?: unknown
  pauseMs?: number
  data?: unknown
}

/** The endpoint is unreachable, refuses, or sends an invalid answer. */
export class RpcError extends RetryableError {
  /** Pause that the endpoint requests, ms. */
  readonly pauseMs: number
  /** `error.data` of the answer, such as the data of a revert. */
  readonly data: unknown

  constructor(code: string, chain: string, url: string, what: string, options: RpcErrorOptions = {}) {
    super(code, `${chain}: ${withoutSecrets(url)}: ${what}`, { place: { chain }, cause: options.cause })
    this.pauseMs = options.pauseMs ?? 0
    this.data = options.data
  }
}

/** A query over too many blocks or with too many results: a smaller one may succeed. */
export class TooMuchError extends RpcError {}
