// HTTP requests with a timeout and a size limit. All HTTP requests of the program use this module or `post.ts`, so that
// no server can block a request forever or exhaust the memory.

export interface HttpRequest {
  /** Default: GET, or POST when there is a body. */
  method?: 'GET' | 'POST'
  /** Sent unchanged. The default content type is JSON. */
  body?: string | Uint8Array<ArrayBuffer>
  headers?: Readonly<Record<string, string>>
  /** Timeout of the whole answer, ms. */
  timeoutMs: number
  /** Size limit of the answer, bytes. */
  maxBytes: number
  /** Aborts the request. */
  signal?: AbortSignal
  /** Default: redirects are followed. */
  redirect?: 'follow' | 'error'
}

export interface HttpAnswer {
  status: number
  headers: Headers
  text: string
}

export class HttpError extends Error {
  /** `too-large`: the answer exceeds the limit. `no-answer`: unreachable, aborted, or timed out. */
  readonly reason: 'too-large' | 'no-answer'

  constructor(reason: HttpError['reason'], message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

/**
 * Sends a request and reads the whole answer. Returns answers of any status.
 *
 * @throws HttpError
 */
export async function request(url: string, options: HttpRequest): Promise<HttpAnswer> {
  const { body, timeoutMs, maxBytes, signal, redirect = 'follow' } = options
  const deadline = AbortSignal.timeout(timeoutMs)
  const headers = { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...options.headers }
  try {
    const response = await fetch(url, {
      method: options.method ?? (body === undefined ? 'GET' : 'POST'),
      headers,
      body,
      redirect,
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    })
    return { status: response.status, headers: response.headers, text: await readText(response.body ?? [], maxBytes) }
  } catch (error) {
    if (error instanceof HttpError) throw error
    if (deadline.aborted) throw new HttpError('no-answer', `no answer in ${timeoutMs / 1000} s`, error)
    // `fetch` puts the reason into the cause.
    const { message, cause } = error as Error
    throw new HttpError('no-answer', cause instanceof Error ? `${message}: ${cause.message}` : message, error)
  }
}

/** Requests JSON. @throws HttpError; Error for a status other than 2xx; SyntaxError */
export async function requestJson(url: string, options: HttpRequest): Promise<unknown> {
  const { status, text } = await request(url, {
    ...options,
    headers: { accept: 'application/json', ...options.headers },
  })
  if (status < 200 || status > 299) throw new Error(`answers ${status}`)
  return JSON.parse(text)
}

/** Reads a body as UTF-8. @throws HttpError `too-large` once it exceeds `maxBytes` */
export async function readText(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body) {
    size += part.length
    if (size > maxBytes) throw new HttpError('too-large', `an answer of more than ${maxBytes} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** Scheme and host of a URL. Path and query may contain a provider's key, which logs must not show. */
export function withoutSecrets(url: string): string {
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}

/** A URL without trailing slashes, so that paths can be appended. */
export function withoutTrailingSlash(url: string): string {
  return url.replace(/\/+$/, '')
}
