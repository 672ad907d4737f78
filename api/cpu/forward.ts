// Hands a request on to the cosigner, which holds the key; this process has none.
import { request, withoutTrailingSlash } from '../../net/http.ts'

export interface Forwarded {
  status: number
  /** JSON. */
  body: string
}

/** Milliseconds: longer than the cosigner waits for a node and a database. */
const TIMEOUT_MS = 12_000
/** Size limit of an answer, bytes. */
const MAX_BYTES = 64 << 10

/**
 * @param url      of the cosigner
 * @param body     as it came
 * @param headers  what the body is, and whose request it is
 * @returns null when the cosigner gives no answer
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
