// Requests to a node: over one connection, bounded in time and size, repeated once when the server closed the
// connection.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { post } from '../../net/post.ts'

const BOUNDS = { timeoutMs: 2000, maxBytes: 1000 }

async function serve(t: Test, answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const sockets: Socket[] = []
  const server = createServer((request, response) => {
    request.resume().once('end', () => answer(request, response))
  }).on('connection', (socket: Socket) => void sockets.push(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, sockets }
}

t.test('consecutive requests share one connection', async (t) => {
  const { url, sockets } = await serve(t, (request, response) => response.end(`{"path":"${request.url}"}`))
  for (let i = 0; i < 3; i++) t.same(await post(`${url}${i}`, '{}', BOUNDS), { status: 200, text: `{"path":"/${i}"}` })
  t.equal(sockets.length, 1)
})

t.test('a request is repeated if the server closed the idle connection', async (t) => {
  let count = 0
  const { url, sockets } = await serve(t, (_request, response) => {
    // The server closes the connection before the second request.
    if (++count === 2) sockets.at(-1)?.resetAndDestroy()
    else response.end('{}')
  })
  t.equal((await post(url, '{}', BOUNDS)).status, 200)
  t.equal((await post(url, '{}', BOUNDS)).status, 200)
  t.equal(count, 3)
})

t.test('a request on a new connection that closes is not repeated', async (t) => {
  const { url, sockets } = await serve(t, () => sockets.at(-1)?.resetAndDestroy())
  await t.rejects(post(url, '{}', BOUNDS), { code: 'ECONNRESET' })
  t.equal(sockets.length, 1, 'asked once')
})

t.test('errors for a late, an interrupted and a too large answer', async (t) => {
  const { url } = await serve(t, (request, response) => {
    if (request.url === '/large') response.end('x'.repeat(1001))
    if (request.url === '/stops') {
      response.writeHead(200, { 'content-length': '10' }).write('x')
      void sleep(50).then(() => response.destroy())
    }
  })
  await t.rejects(post(`${url}silent`, '{}', { ...BOUNDS, timeoutMs: 50 }), { message: 'no answer in 50 ms' })
  await t.rejects(post(`${url}large`, '{}', BOUNDS), { message: 'an answer of more than 1000 bytes' })
  await t.rejects(post(`${url}stops`, '{}', BOUNDS), { code: 'ECONNRESET' })
})

t.test('redirects are not followed', async (t) => {
  let count = 0
  const { url } = await serve(t, (_request, response) => {
    count++
    response.writeHead(307, { location: '/other' }).end()
  })
  t.equal((await post(url, '{}', BOUNDS)).status, 307)
  t.equal(count, 1)
})
