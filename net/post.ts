// Posts JSON over keep-alive connections. The cosigner tries every transaction on a node, and `fetch` would need twice
// the CPU time for each request.
import * as plain from 'node:http'
import * as secure from 'node:https'
import { readText } from './http.ts'

export interface Bounds {
  /** Timeout of one answer, ms. */
  timeoutMs: number
  /** Size limit of the answer, bytes. */
  maxBytes: number
}

export interface Answer {
  status: number
  text: string
}

/** Time after which an idle connection is closed, ms. */
const IDLE_MS = 30_000
const MAX_IDLE = 32
const kept = { keepAlive: true, maxFreeSockets: MAX_IDLE, timeout: IDLE_MS }
const PLAIN = new plain.Agent(kept)
const SECURE = new secure.Agent(kept)

/**
 * For idempotent requests only: repeats a request once when the server had closed the reused connection. Does not
 * follow redirects.
 *
 * @throws HttpError `too-large`; Error when the request times out or fails
 */
export function post(url: string, body: string, { timeoutMs, maxBytes }: Bounds): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs)
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const options = { method: 'POST', headers, signal }
    const fail = (error: Error) => reject(signal.aborted ? new Error(`no answer in ${timeoutMs} ms`) : error)

    function read(response: plain.IncomingMessage): void {
      readText(response, maxBytes).then((text) => resolve({ status: response.statusCode ?? 0, text }), fail)
    }

    function send(isAgain: boolean): void {
      const sent = url.startsWith('https:')
        ? secure.request(url, { ...options, agent: SECURE }, read)
        : plain.request(url, { ...options, agent: PLAIN }, read)
      sent.once('error', (error: NodeJS.ErrnoException) => {
        if (!isAgain && sent.reusedSocket && error.code === 'ECONNRESET') send(true)
        else fail(error)
      })
      sent.end(body)
    }
    send(false)
  })
}
