// GET requests at even intervals, each sent at its time even when earlier ones have no answer yet. A response time counts
// from the time at which the request was due, so waiting for a connection and delays of the generator are part of it.
import http from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

/** Concurrent connections. */
const CONNECTIONS = 16

export interface EvenLoad {
  port: number
  host: string
  /** Requests a second. */
  rate: number
  seconds: number
  /** Kind and path of each request, in turn. */
  paths: readonly (readonly [kind: string, path: string])[]
}

export interface Sent {
  kind: string
  /** Milliseconds from the start of the load to the time at which the request was due. */
  due: number
  /** Milliseconds from then to the last byte of the answer. */
  ms: number
  /** Milliseconds from then until the request was handed to a connection's queue. */
  late: number
  /** 0 when the connection failed. */
  status: number
}

/** @returns all requests in the order of their answers */
export async function evenLoad({ port, host, rate, seconds, paths }: EvenLoad): Promise<Sent[]> {
  // First in, first out: the requests take the connections in turn, and so the processes of a balancer.
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS, scheduling: 'fifo' })
  const sent: Sent[] = []
  const ask = (path: string, end: (status: number) => void) =>
    new Promise<void>((resolve) => {
      const finish = (status: number) => {
        end(status)
        resolve()
      }
      http
        .get({ host: '127.0.0.1', port, path, agent, headers: { host } }, (response) => {
          response.on('end', () => finish(response.statusCode ?? 0))
          response.on('error', () => finish(0))
          response.resume()
        })
        .on('error', () => finish(0))
    })
  // Opens all connections.
  await Promise.all(Array.from({ length: CONNECTIONS }, () => ask(paths[0]?.[1] ?? '/', () => {})))
  const begun = performance.now()
  const answers: Promise<void>[] = []
  for (let i = 0; i < rate * seconds; i++) {
    const due = (i * 1000) / rate
    const early = begun + due - performance.now()
    if (early > 0.5) await delay(early)
    const [kind, path] = paths[i % paths.length] as readonly [string, string]
    const late = performance.now() - begun - due
    answers.push(ask(path, (status) => sent.push({ kind, due, ms: performance.now() - begun - due, late, status })))
  }
  await Promise.all(answers)
  agent.destroy()
  return sent
}
