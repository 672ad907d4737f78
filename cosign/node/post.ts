// Posts JSON over connections that are kept open. Every transaction is tried on a node: `fetch` would take twice as much
// of the processor for each question.
import * as plain from 'node:http'
import * as secure from 'node:https'

export interface Bounds {
  /** Milliseconds for one answer. */
  timeoutMs: number
  /** Largest answer, bytes. */
  mostBytes: number
}

export interface Answer {
  status: number
  text: string
}

/** Connections without a request for so long are closed, milliseconds. */
const IDLE_MS = 30_000
const MOST_IDLE = 32
const kept = { keepAlive: true, maxFreeSockets: MOST_IDLE, timeout: IDLE_MS }
const PLAIN = new plain.Agent(kept)
const SECURE = new secure.Agent(kept)

/**
 * For questions that change nothing: one whose connection the server has closed meanwhile is asked once more. Redirects are
 * answers like others.
 *
 * @throws Error without an answer in time, or with one that is too large
 */
export function post(url: string, body: string, { timeoutMs, mostBytes }: Bounds): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs)
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const options = { method: 'POST', headers, signal }
    const fail = (error: Error) => reject(signal.aborted ? new Error(`no answer in ${timeoutMs} ms`) : error)

    function read(response: plain.IncomingMessage): void {
      const parts: Buffer[] = []
      let size = 0
      response.on('data', (part: Buffer) => {
        size += part.length
        if (size > mostBytes) response.destroy(new Error(`more than ${mostBytes} bytes`))
        else parts.push(part)
      })
      response.once('error', fail)
      response.once('end', () => {
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') })
      })
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
