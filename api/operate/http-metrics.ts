// Metrics of HTTP requests, by route and status. The route is the registered path with its parameters' names, so the
// number of series does not depend on clients.
import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** Upper bounds of request durations, seconds: answers from memory take a tenth of a millisecond. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
/** Route of requests that no route answers. */
const UNROUTED = 'none'
/** Status of a request whose client closed the connection before it had the whole answer. */
const CLIENT_LEFT = 499

/** Measures the requests of all routes that are registered later. Upgrades to the stream are not requests here. */
export function httpMetrics(app: FastifyInstance): Registry {
  const registry = new Registry()
  const labelNames = ['route', 'method', 'status'] as const
  const registers = [registry]
  const requests = new Counter({
    name: 'headwater_http_requests_total',
    help: 'Answered HTTP requests.',
    labelNames,
    registers,
  })
  const durations = new Histogram({
    name: 'headwater_http_seconds',
    help: 'Time from the request to the end of its answer.',
    labelNames: ['route'] as const,
    buckets: SECONDS,
    registers,
  })
  const running = new Gauge({ name: 'headwater_http_running', help: 'HTTP requests without an answer yet.', registers })
  app.addHook('onRequest', (request, reply, done) => {
    const started = performance.now()
    running.inc()
    // `close` also follows when the client leaves before the answer.
    reply.raw.once('close', () => {
      running.dec()
      const route = request.routeOptions.url ?? UNROUTED
      const status = reply.raw.writableFinished ? reply.raw.statusCode : CLIENT_LEFT
      requests.inc({ route, method: request.method, status })
      durations.observe({ route }, (performance.now() - started) / 1000)
    })
    done()
  })
  return registry
}
