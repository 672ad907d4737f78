// A TCP proxy that can go wrong as networks do: it stops passing bytes on while every socket stays open, or it passes
// one direction only, or it cuts all connections.

import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

export interface ProxyTarget {
  host?: string
  port?: number
  /** A Unix socket. */
  path?: string
}

export interface Proxy {
  port: number
  /** Connections so far. */
  readonly accepted: number
  /** Keeps connections open and passes nothing on, neither way; new connections are accepted and passed on. */
  halfOpen(): void
  /** Passes on what the client sends, and drops what the server answers. */
  dropAnswers(): void
  /** Ends every connection. */
  cut(): void
  stop(): Promise<void>
}

interface Link {
  client: Socket
  server: Socket
  passes: { requests: boolean; answers: boolean }
}

/** Listens on 127.0.0.1, any free port. */
export async function startProxy(target: ProxyTarget): Promise<Proxy> {
  const links = new Set<Link>()
  let accepted = 0
  const listener = createServer((client) => {
    accepted++
    const server = target.path ? connect(target.path) : connect(target.port!, target.host ?? '127.0.0.1')
    const link: Link = { client, server, passes: { requests: true, answers: true } }
    links.add(link)
    client.on('data', (data) => link.passes.requests && server.write(data))
    server.on('data', (data) => link.passes.answers && client.write(data))
    const end = () => {
      // A half-open connection tells neither side that the other one is gone.
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
    halfOpen: () => pass(false, false),
    dropAnswers: () => pass(true, false),
    cut,
    async stop() {
      cut()
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}
