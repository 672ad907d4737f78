// Stands in front of a server of HTTP, and can make it slow, silent, or change its answers.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'

export interface Front {
  url: string
  /** Added to the time of each answer, ms. */
  delayMs: number
  /** Takes requests and answers none. */
  isSilent: boolean
  /** Changes the text of an answer. */
  change: (path: string, body: string) => string
  stop(): void
}

export async function startFront(to: string): Promise<Front> {
  const server = createServer(async (request, response) => {
    try {
      const sent = await text(request)
      await delay(front.delayMs)
      if (front.isSilent) return
      const { method, url: path = '' } = request
      const headers = { 'content-type': request.headers['content-type'] ?? 'application/json' }
      const answer = await fetch(to + path, { method, headers, ...(method === 'POST' ? { body: sent } : {}) })
      const type = answer.headers.get('content-type') ?? 'application/json'
      response.writeHead(answer.status, { 'content-type': type }).end(front.change(path, await answer.text()))
    } catch {
      response.destroy()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const front: Front = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    delayMs: 0,
    isSilent: false,
    change: (_, body) => body,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
  return front
}
