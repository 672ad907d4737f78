// JSON over HTTP with a deadline and a limit of size.

/** Largest answer: the receipts of a full block have a tenth of it. */
const MAX_BYTES = 128 * 2 ** 20

/** @throws Error that says what went wrong */
export function postJson(url: string, body: unknown, timeoutMs: number): Promise<unknown> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  return fetchJson(url, init, timeoutMs)
}

/** @throws Error that says what went wrong */
export function getJson(url: string, timeoutMs: number): Promise<unknown> {
  return fetchJson(url, { headers: { accept: 'application/json' } }, timeoutMs)
}

/** Addresses of providers carry keys in path and query: errors show the host alone. */
export function withoutSecrets(url: string): string {
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}

async function fetchJson(url: string, init: RequestInit, timeoutMs: number): Promise<unknown> {
  const deadline = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, { ...init, signal: deadline })
    if (!response.ok) throw new Error(`status ${response.status}`)
    const parts: Uint8Array[] = []
    let size = 0
    for await (const part of response.body ?? []) {
      size += part.length
      if (size > MAX_BYTES) throw new Error(`an answer of more than ${MAX_BYTES} bytes`)
      parts.push(part)
    }
    return JSON.parse(Buffer.concat(parts).toString('utf8'))
  } catch (error) {
    if (deadline.aborted) throw new Error(`no answer in ${timeoutMs / 1000} s`, { cause: error })
    const { message, cause } = error as Error
    throw new Error(cause instanceof Error ? `${message}: ${cause.message}` : message, { cause: error })
  }
}
