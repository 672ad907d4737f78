// HTTP requests with a timeout and a size limit. All HTTP requests of the program use this module or `post.ts`, so that
// no server can block a request forever or exhaust the memory.

export interface HttpRequest {
  /** Default: GET, or POST when there is a body. */
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Sent unchanged. The default content type is JSON. */
  body?: string | Uint8Array<ArrayBuffer>
  headers?: Readonly<Record<string, string>>
  /** Timeout of the whole answer, ms. */
  timeoutMs: number
  /** Size limit of the answer, bytes. */
  maxBytes: number
  /** Aborts the request. */
  signal?: AbortSignal
  /** Default: redirects are followed. `manual`: a redirect is an answer. */
  redirect?: 'follow' | 'error' | 'manual'
}

export interface HttpAnswer {
  status: number
  headers: Headers
  text: string
}

export class HttpError extends Error {
  /** `too-large`: the answer exceeds the limit. `no-answer`: unreachable, aborted, or timed out. */
  readonly reason: 'too-large' | 'no-answer'
  /** Whether the server took too long. */
  readonly isTimeout: boolean

  constructor(reason: HttpError['reason'], message: string, cause?: unknown, isTimeout = false) {
    super(message, { cause })
    this.reason = reason
    this.isTimeout = isTimeout
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
    throw deadline.aborted && !(error instanceof HttpError) ? noAnswer(timeoutMs, error) : failureOf(error)
  }
}

function noAnswer(timeoutMs: number, cause?: unknown): HttpError {
  return new HttpError('no-answer', `no answer in ${timeoutMs / 1000} s`, cause, true)
}

function failureOf(error: unknown): HttpError {
  if (error instanceof HttpError) return error
  // `fetch` puts the reason into the cause.
  const { message, cause } = error as Error
  const text = cause instanceof Error ? `${message}: ${cause.message}` : message
  const shown = withoutUrls(text)
  // A cause that quotes the URL would be printed with its stack.
  return new HttpError('no-answer', shown, shown === text ? error : undefined)
}

/** `fetch` quotes a URL that it cannot use, with its name and password. */
function withoutUrls(text: string): string {
  return text.replace(/\b\w+:\/\/\S+/g, (url) => (URL.canParse(url) ? withoutSecrets(url) : '***'))
}

export interface StreamRequest {
  headers?: Readonly<Record<string, string>>
  /** Timeout of the headers, and of each further piece of the body while it is waited for, ms. */
  idleMs: number
  signal?: AbortSignal
  redirect?: HttpRequest['redirect']
}

export interface StreamAnswer {
  status: number
  headers: Headers
  /** Read it to its end, or leave its loop: that closes the connection. @throws HttpError */
  body: AsyncGenerator<Uint8Array>
}

/**
 * Sends a GET request and returns the body as a stream, of any size: the reader sets the pace.
 *
 * @throws HttpError `no-answer`
 */
export async function requestStream(url: string, options: StreamRequest): Promise<StreamAnswer> {
  const { headers = {}, idleMs, signal, redirect = 'follow' } = options
  const silent = new AbortController()
  const both = signal ? AbortSignal.any([signal, silent.signal]) : silent.signal
  const within = async <T>(work: Promise<T>): Promise<T> => {
    const timer = setTimeout(() => silent.abort(), idleMs)
    try {
      return await work
    } catch (error) {
      throw silent.signal.aborted ? noAnswer(idleMs, error) : failureOf(error)
    } finally {
      clearTimeout(timer)
    }
  }
  const response = await within(fetch(url, { headers, redirect, signal: both }))
  return { status: response.status, headers: response.headers, body: pieces(response.body, within) }
}

async function* pieces(
  body: ReadableStream<Uint8Array> | null,
  within: <T>(work: Promise<T>) => Promise<T>,
): AsyncGenerator<Uint8Array> {
  if (body === null) return
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await within(reader.read())
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
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

type Body = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** Reads a body as UTF-8. @throws HttpError `too-large` once it exceeds `maxBytes` */
export async function readText(body: Body, maxBytes: number): Promise<string> {
  return (await readBytes(body, maxBytes)).toString('utf8')
}

/** Reads a body. @throws HttpError `too-large` once it exceeds `maxBytes` */
export async function readBytes(body: Body, maxBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body) {
    size += part.length
    if (size > maxBytes) throw new HttpError('too-large', `an answer of more than ${maxBytes} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts)
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
