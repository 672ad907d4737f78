// Forwards a request to the cosigner, which holds the payer's key. This process has no key.
import { request, withoutTrailingSlash } from '../../net/http.ts'

export interface Forwarded {
  status: number
  /** JSON. */
  body: string
}

/** Timeout, milliseconds: longer than the cosigner's own timeouts for a node and the database. */
const TIMEOUT_MS = 12_000
/** Size limit of an answer, bytes. */
const MAX_BYTES = 64 << 10

/**
 * @param url      base URL of the cosigner
 * @param body     unchanged body of the request
 * @param headers  type and encoding of the body, address of the client
 * @returns null when the cosigner gives no valid answer
 */
export async function forward(
  url: string,
  path: string,
  body: Buffer,
  headers: Record<string, string>,
): Promise<Forwarded | null> {
  try {
    const { status, text } = await request(`${withoutTrailingSlash(url)}${path}`, {
      body: new Uint8Array(body),
      headers,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      redirect: 'error',
    })
    JSON.parse(text)
    return { status, body: text }
  } catch {
    return null
  }
}
