// Plugins of the server: CORS and compression for all routes, rate limit and load shedding for the API.
import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import cors from '@fastify/cors'
import rateLimit from '@fastify/rate-limit'
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { busy, HttpError } from './failures.ts'

export interface GuardOptions {
  /** Requests per minute from one address; 0: no limit. */
  rateLimit: number
  /** Event-loop delay above which requests get 503, milliseconds; 0: never. */
  maxDelay: number
}

/** Default of `maxDelay`. */
export const MAX_DELAY = 1500
const COMPRESS_FROM = 1024

const EXPOSED_HEADERS = [
  'x-block-num',
  'x-block-time',
  'x-feed-refreshed-at',
  'etag',
  'link',
  'retry-after',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
]

/** For the whole server: CORS for any site, compression of answers above 1 kB. */
export function openToAll(app: FastifyInstance): void {
  app.register(cors, {
    origin: '*',
    methods: ['GET', 'HEAD', 'POST', 'OPTIONS'],
    // A client that is not a browser gets the same answer to OPTIONS.
    strictPreflight: false,
    maxAge: 86_400,
    exposedHeaders: EXPOSED_HEADERS,
  })
  app.register(compress, {
    threshold: COMPRESS_FROM,
    encodings: ['br', 'gzip'],
    // A live answer is sent once, so a better ratio would cost more time than it saves.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    zlibOptions: { level: 4 },
  })
}

/** For the routes of `api` only, so that health and metrics answer under any load. */
export function guard(api: FastifyInstance, options: GuardOptions): void {
  if (options.maxDelay > 0)
    api.register(underPressure, {
      maxEventLoopDelay: options.maxDelay,
      pressureHandler: (_request, reply) => {
        busy(reply, 'The server is busy. Try again in a moment.')
      },
    })
  if (options.rateLimit === 0) return
  api.register(rateLimit, {
    max: options.rateLimit,
    timeWindow: '1 minute',
    enableDraftSpec: true,
    errorResponseBuilder: () => new HttpError(429, `More than ${options.rateLimit} requests a minute.`),
  })
}
