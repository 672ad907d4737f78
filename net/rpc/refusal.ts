// The reason of a refusal. JSON-RPC has no codes for it: each provider uses its own codes, HTTP statuses and texts. The
// ones below are from the documentation of providers and nodes, and from reports of their users.
import type { Call } from './endpoint.ts'

/** `error` of an answer. */
export interface JsonRpcError {
  code?: number
  message?: string
  data?: unknown
}

export type Meaning =
  /** A smaller query may succeed. */
  | { code: 'EVM_TOO_MUCH' }
  /** The same query may succeed after a pause, ms. */
  | { code: 'EVM_RATE_LIMIT'; pauseMs: number }
  | { code: 'EVM_NO_METHOD' }
  | { code: 'EVM_RPC' }

/** Texts about the size of an answer. */
const LARGE = /response (size|is too)|too large/i
/** Texts about a query for logs that covers too many blocks, or finds too many logs, or takes too long. */
const RANGE =
  /more than \d+ results|too many (results|logs|blocks)|ranges? .*(limit|exceed|too|max|high|wide|over|work)|ranges? over|exceed.*(range|limit|size)|limit(ed)? (to|exceeded)|max\w* .*range|less than|up to|at most|time(d )?out|deadline/i
/** "Limit exceeded" of EIP-1474: a query that is too large, unless the text matches LOAD. */
const LIMIT_EXCEEDED = -32005
/** "Invalid request", "invalid params" and one provider's code. Our queries are valid, so the range is refused. */
const REFUSED_RANGE: ReadonlySet<unknown> = new Set([-32600, -32602, -32614])
const NO_METHOD = -32601
const NO_METHOD_TEXT =
  /\bmethod\b.*\b(not (found|supported|available|allowed|whitelisted)|does not exist)|unsupported method/i
const TOO_MANY_REQUESTS = 429
const LOAD = /\brate\b|too many requests|capacity|compute units|per second|daily/i
/** Data of a revert. */
const HEX = /^0x/
const TOO_LARGE = 413
/** Statuses that say more than the body does. Without a valid key (401, 403), every request is invalid. */
const EXPLICIT: ReadonlySet<number> = new Set([401, 403, TOO_LARGE, TOO_MANY_REQUESTS])
/** HTTP statuses of a gateway whose server did not answer in time. */
const TIMEOUTS: ReadonlySet<number> = new Set([408, 504, 524])
const DEFAULT_PAUSE_MS = 1000
const MAX_PAUSE_MS = 120_000

/** Meaning of an answer's error. @param call  undefined: a whole batch, which is too large unless the load is */
export function meaningOfError({ code, message = '', data }: JsonRpcError, call?: Call): Meaning {
  if (call === undefined)
    return isLoad(code, message) ? { code: 'EVM_RATE_LIMIT', pauseMs: pauseOf(data) } : { code: 'EVM_TOO_MUCH' }
  if (code === NO_METHOD || NO_METHOD_TEXT.test(message)) return { code: 'EVM_NO_METHOD' }
  // A contract chooses the text of its revert.
  if (typeof data === 'string' && HEX.test(data)) return { code: 'EVM_RPC' }
  if (isLoad(code, message)) return { code: 'EVM_RATE_LIMIT', pauseMs: pauseOf(data) }
  if (code === LIMIT_EXCEEDED || LARGE.test(message)) return { code: 'EVM_TOO_MUCH' }
  if (!isRangeOfLogs(call)) return { code: 'EVM_RPC' }
  // Some providers give the reason in the data.
  const text = `${message} ${JSON.stringify(data ?? '')}`
  return { code: REFUSED_RANGE.has(code) || RANGE.test(text) ? 'EVM_TOO_MUCH' : 'EVM_RPC' }
}

/** Meaning of an HTTP status other than 2xx whose body is no error of JSON-RPC (`errorOfBody`). */
export function meaningOfStatus(status: number, headers: Headers, call?: Call): Meaning {
  if (status === TOO_MANY_REQUESTS)
    return { code: 'EVM_RATE_LIMIT', pauseMs: boundedPause(Number(headers.get('retry-after'))) }
  const isTooMuch = status === TOO_LARGE || (TIMEOUTS.has(status) && isRangeOfLogs(call))
  return { code: isTooMuch ? 'EVM_TOO_MUCH' : 'EVM_RPC' }
}

/** The error in the body of an HTTP status other than 2xx, or of its first answer; null when the status says more. */
export function errorOfBody(status: number, text: string): JsonRpcError | null {
  if (EXPLICIT.has(status)) return null
  try {
    const body = JSON.parse(text) as { error?: unknown } | { error?: unknown }[]
    const { error } = Array.isArray(body) ? (body[0] ?? {}) : body
    return typeof error === 'object' ? (error as JsonRpcError | null) : null
  } catch {
    return null
  }
}

function isLoad(code: unknown, message: string): boolean {
  return code === TOO_MANY_REQUESTS || LOAD.test(message)
}

/** Whether a call asks for the logs of several blocks. */
export function isRangeOfLogs(call: Call | undefined): boolean {
  if (call?.method !== 'eth_getLogs') return false
  const { fromBlock, toBlock } = call.params[0] as { fromBlock?: string; toBlock?: string }
  return fromBlock !== undefined && fromBlock !== toBlock
}

/** Pause that an error's data ask for (`rate.backoff_seconds`), ms. */
function pauseOf(data: unknown): number {
  const { rate } = (data ?? {}) as { rate?: { backoff_seconds?: unknown } }
  return boundedPause(Number(rate?.backoff_seconds))
}

function boundedPause(seconds: number): number {
  return seconds > 0 ? Math.min(seconds * 1000, MAX_PAUSE_MS) : DEFAULT_PAUSE_MS
}
