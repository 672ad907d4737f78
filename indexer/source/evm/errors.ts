// What goes wrong with a JSON-RPC endpoint. All of it passes, or another endpoint does better.
import { RetryableError } from '../../../core/errors.ts'

/** The endpoint cannot be reached, refuses, or answers with something else than asked for. */
export class RpcError extends RetryableError {
  /** Milliseconds for which the endpoint wants to be left alone. */
  readonly pauseMs: number

  constructor(
    code: string,
    chain: string,
    url: string,
    what: string,
    options: { cause?: unknown; pauseMs?: number } = {},
  ) {
    super(code, `${chain}: ${withoutSecrets(url)}: ${what}`, { place: { chain }, cause: options.cause })
    this.pauseMs = options.pauseMs ?? 0
  }
}

/** A query over too many blocks or with too many logs: smaller ones may pass. */
export class TooMuchError extends RpcError {}

/** Addresses of providers carry keys in path and query: logs show the host alone. */
export function withoutSecrets(url: string): string {
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}
