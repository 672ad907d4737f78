// The cosigner's HTTP server; the API forwards requests to it. Errors are `{error}`: 400 for errors that the
// sender can correct, 503 for temporary failures.
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify'
import { RetryableError } from '../core/errors.ts'
import { closerOfUnused } from '../net/unused-connections.ts'
import { addressBucket, addressMark } from './address.ts'
import { MAX_BODY, readBody, readSignatures } from './body.ts'
import type { Cosigner } from './cosigner.ts'
import type { Log } from './log.ts'
import type { CosignMetrics } from './metrics.ts'
import { type ProviderContext, provideTransaction } from './provider/request-transaction.ts'
import { transactionJson } from './provider/transaction-json.ts'
import { Refusal, Unavailable } from './refusal.ts'

export interface CosignServerOptions {
  cosigner: Cosigner
  metrics: CosignMetrics
  /** Context of the resource-provider interface. */
  provider: ProviderContext
  log: Log
  /** Proxies whose client addresses are trusted. */
  trustProxy: readonly string[]
}

/** Deadline for receiving a whole request, ms. */
const MAX_MS = 5000

/** Answer to a body that Fastify rejects, such as a truncated or too long one. */
const REFUSED_BODY = new Refusal('body', `The body must be JSON of at most ${MAX_BODY} bytes`)

export function createCosignServer({
  cosigner,
  metrics,
  provider,
  log,
  trustProxy,
}: CosignServerOptions): FastifyInstance {
  const app = fastify({
    bodyLimit: MAX_BODY,
    trustProxy: trustProxy.length > 0 ? [...trustProxy] : false,
    forceCloseConnections: 'idle',
    requestTimeout: MAX_MS,
    // Node applies the longer of the two timeouts to the whole request.
    http: { headersTimeout: MAX_MS, requestTimeout: MAX_MS, connectionsCheckingInterval: 1000 },
  })
  const closeUnused = closerOfUnused(app.server)
  app.addHook('preClose', async () => closeUnused())
  // The routes parse bodies themselves, whatever the content type.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const status = error.statusCode ?? 500
    if (status < 500) return reply.code(400).send({ error: REFUSED_BODY.message })
    log.error('a request failed', { url: request.url, reason: error.stack ?? error.message })
    return reply.code(503).send({ error: 'CPU is not sponsored at present' })
  })
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'There is nothing at this address' }))

  app.post('/api/v2/cpu/status', async () => cosigner.status())

  app.post('/api/v2/cpu/cosign', async (request, reply) => {
    const began = performance.now()
    const address = addressMark(addressBucket(request.ip))
    try {
      const { serializedTransaction, signatures } = readBody(request)
      const own = readSignatures(signatures)
      const { transaction, user, ...answer } = await cosigner.cosign(serializedTransaction, request.ip, own)
      const ms = performance.now() - began
      metrics.note('signed', ms)
      log.info('signed', { transaction, user, address, us: Math.round(ms * 1000) })
      return reply.code(201).send(answer)
    } catch (error) {
      return answerFailure(reply, error, { metrics, log, address, began })
    }
  })

  // The standard resource-provider interface: returns the transaction with the noop added as its first action.
  app.post('/v1/resource_provider/request_transaction', async (request, reply) => {
    const began = performance.now()
    const address = addressMark(addressBucket(request.ip))
    try {
      const { hex, transaction } = await provideTransaction(readBody(request), provider)
      const { signature, transaction: id, user } = await cosigner.cosign(hex, request.ip)
      const ms = performance.now() - began
      metrics.note('signed', ms)
      log.info('signed', { transaction: id, user, address, us: Math.round(ms * 1000) })
      const data = { request: ['transaction', transactionJson(transaction)], signatures: [signature] }
      return { code: 200, data }
    } catch (error) {
      return answerFailure(reply, error, { metrics, log, address, began }, (status, text) => ({
        code: status,
        message: text,
        error: text,
        data: {},
      }))
    }
  })

  operateRoutes(app, cosigner, metrics)
  return app
}

function operateRoutes(app: FastifyInstance, cosigner: Cosigner, { registry }: CosignMetrics): void {
  app.get('/health/live', async () => ({ live: true }))
  app.get('/health/ready', async (_request, reply) => {
    const { available } = await cosigner.status()
    return reply.code(available ? 200 : 503).send({ ready: available })
  })
  app.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()))
}

interface FailedRequest extends Pick<CosignServerOptions, 'metrics' | 'log'> {
  /** Mark of the client's address, for the log. */
  address: string
  /** `performance.now()` at the start of the request, ms. */
  began: number
}

/** Answers 400 to a refusal and 503 to any other error. @param bodyOf  makes the body */
function answerFailure(
  reply: FastifyReply,
  error: unknown,
  { metrics, log, address, began }: FailedRequest,
  bodyOf: (status: number, text: string) => object = (_status, text) => ({ error: text }),
): FastifyReply {
  const ms = performance.now() - began
  if (error instanceof Refusal) {
    metrics.note(error.reason, ms)
    log.info('refused', { reason: error.reason, text: error.message, address, us: Math.round(ms * 1000) })
    return reply.code(400).send(bodyOf(400, error.message))
  }
  metrics.note('unavailable', ms)
  const isKnown = error instanceof Unavailable || error instanceof RetryableError
  if (isKnown) log.warn('cannot sign', { reason: error.message })
  else log.error('a request failed', { reason: (error as Error).stack ?? String(error) })
  const text = error instanceof Unavailable ? error.message : 'CPU is not sponsored at present: try again in a moment'
  return reply.code(503).header('retry-after', '5').send(bodyOf(503, text))
}
