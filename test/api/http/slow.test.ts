// A request that takes too long releases its database connection.
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import t from 'tap'
import { testApi } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'

t.test('a request that arrives too slowly is ended with 408', async (t) => {
  const { app } = await testApi(t, await testDatabase(t), { requestMs: 500 })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (part) => {
    answer += part
  })
  socket.write('GET /health/live HTTP/1.1\r\nHost: wax.localhost\r\n')
  const started = performance.now()
  const writing = setInterval(() => socket.write('x-slow: 1\r\n'), 100)
  t.teardown(() => clearInterval(writing))
  socket.on('error', () => {})
  await once(socket, 'close')
  t.match(answer, /^HTTP\/1\.1 408 /)
  t.ok(performance.now() - started < 60_000)
})

t.test('a server closes although connections are open on which no request has arrived', async (t) => {
  const { app } = await testApi(t, await testDatabase(t))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const closed = ['', 'GET /health/live HTTP/1.1\r\n'].map(async (sent) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(sent)
    return once(socket, 'close')
  })
  await once(app.server, 'connection')
  t.equal((await fetch(`http://127.0.0.1:${port}/health/live`)).status, 200)
  await app.close()
  await Promise.all(closed)
})
