// Metrics of HTTP requests: by route and status, also when the client leaves before the answer.
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import t from 'tap'
import { httpMetrics } from '../../../api/operate/http-metrics.ts'

t.test('requests are counted by route, method and status, and timed', async (t) => {
  const app = fastify()
  t.teardown(() => app.close())
  const registry = httpMetrics(app)
  let arrived: (() => void) | undefined
  app.get('/pools/:id', async () => ({ ok: true }))
  app.get('/fails', async (_request, reply) => reply.code(503).send({}))
  app.get('/never', () => new Promise(() => arrived?.()))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const at = `http://127.0.0.1:${port}`
  for (const path of ['/pools/1', '/pools/2?x=1', '/fails', '/secret/12', '/secret/13']) {
    const answer = await fetch(at + path)
    await answer.text()
  }
  const reached = new Promise<void>((resolve) => {
    arrived = resolve
  })
  const leaving = get(`${at}/never`)
  leaving.on('error', () => {})
  await reached
  t.match(await registry.metrics(), /^headwater_http_running 1$/m)
  leaving.destroy()
  while (!/^headwater_http_running 0$/m.test(await registry.metrics())) await new Promise(setImmediate)
  const text = await registry.metrics()
  for (const line of [
    'headwater_http_requests_total{route="/pools/:id",method="GET",status="200"} 2',
    'headwater_http_requests_total{route="/fails",method="GET",status="503"} 1',
    'headwater_http_requests_total{route="none",method="GET",status="404"} 2',
    'headwater_http_requests_total{route="/never",method="GET",status="499"} 1',
    'headwater_http_seconds_count{route="/pools/:id"} 2',
  ])
    t.ok(text.split('\n').includes(line), line)
})
