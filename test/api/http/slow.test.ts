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
