// A server of the files of a folder over HTTP, which can fail on purpose.
import { createReadStream, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Test } from 'tap'

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

export interface WebServer {
  url: string
  requests: IncomingMessage[]
  /**
   * Answers instead of the file, one for each request in order. An answer that sends nothing is replaced by the file.
   */
  script: Answer[]
  hasRanges: boolean
}

export async function serveFolder(t: Test, folder: string): Promise<WebServer> {
  const server = createServer((request, response) => {
    web.requests.push(request)
    web.script.shift()?.(request, response)
    sendFile(request, response)
  })
  const sendFile = (request: IncomingMessage, response: ServerResponse) => {
    // A scripted answer ends the response itself.
    if (response.headersSent || response.destroyed) return
    const path = join(folder, decodeURIComponent(new URL(request.url!, 'http://host').pathname))
    const size = statSync(path, { throwIfNoEntry: false })?.size
    if (size === undefined) return void response.writeHead(404).end('not found')
    const start = web.hasRanges ? Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0) : 0
    const headers = { etag: `"${size}"`, 'content-length': size - start }
    if (start === 0) response.writeHead(200, headers)
    else response.writeHead(206, { ...headers, 'content-range': `bytes ${start}-${size - 1}/${size}` })
    // The folder may be removed while an aborted read is answered.
    createReadStream(path, { start })
      .on('error', () => response.destroy())
      .pipe(response)
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const web: WebServer = { url, requests: [], script: [], hasRanges: true }
  return web
}
