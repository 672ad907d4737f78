// Hands a request on to the cosigner, which holds the key; this process has none.

export interface Forwarded {
  status: number
  /** JSON. */
  body: string
}

/** Milliseconds: longer than the cosigner waits for a node and a database. */
const TIMEOUT_MS = 12_000
/** Longest answer, characters. */
const LONGEST = 64 << 10

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
    const response = await fetch(`${url.replace(/\/+$/, '')}${path}`, {
      method: 'POST',
      body: new Uint8Array(body),
      headers,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
    })
    const text = await response.text()
    if (text.length > LONGEST) return null
    JSON.parse(text)
    return { status: response.status, body: text }
  } catch {
    return null
  }
}
