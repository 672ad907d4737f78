// A TCP proxy that simulates network failures: it stops forwarding while every socket stays open, forwards one
// direction only, or closes all connections.

import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

export interface ProxyTarget {
  host?: string
  port?: number
  /** Path of a Unix socket. */
  path?: string
}

export interface Proxy {
  port: number
  /** Number of connections so far. */
  readonly accepted: number
  /** Number of pieces of data that were not forwarded so far. */
  readonly dropped: number
  /** Keeps open connections but forwards nothing in either direction; new connections work. */
  halfOpen(): void
  /** Forwards what the client sends, and drops the server's answers. */
  dropAnswers(): void
  /** Closes every connection. */
  cut(): void
  stop(): Promise<void>
}

interface Link {
  client: Socket
  server: Socket
  passes: { requests: boolean; answers: boolean }
}

/** Listens on a free port of 127.0.0.1. */
export async function startProxy(target: ProxyTarget): Promise<Proxy> {
  const links = new Set<Link>()
  let accepted = 0
  let dropped = 0
  const listener = createServer((client) => {
    accepted++
    const server = target.path ? connect(target.path) : connect(target.port!, target.host ?? '127.0.0.1')
    const link: Link = { client, server, passes: { requests: true, answers: true } }
    links.add(link)
    const forward = (passes: boolean, to: Socket, data: Buffer) => {
      if (passes) to.write(data)
      else dropped++
    }
    client.on('data', (data) => forward(link.passes.requests, server, data))
    server.on('data', (data) => forward(link.passes.answers, client, data))
    const end = () => {
      // On a half-open connection neither side learns that the other one is gone.
      if (link.passes.answers) client.destroy()
      if (link.passes.requests) server.destroy()
      links.delete(link)
    }
    for (const socket of [client, server]) socket.on('error', end).on('close', end)
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const pass = (requests: boolean, answers: boolean) => {
    for (const link of links) Object.assign(link.passes, { requests, answers })
  }
  const cut = () => {
    for (const { client, server } of links) {
      client.destroy()
      server.destroy()
    }
  }
  return {
    port: (listener.address() as AddressInfo).port,
    get accepted() {
      return accepted
    },
    get dropped() {
      return dropped
    },
    halfOpen: () => pass(false, false),
    dropAnswers: () => pass(true, false),
    cut,
    async stop() {
      cut()
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}
