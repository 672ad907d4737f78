// Answers to what goes wrong. Bad input is 400, an overload is 503 with Retry-After, and nothing tells of our insides.
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify'
import type { Log } from './log.ts'
import { sendNotFoundPage, wantsPage } from './pages.ts'

/** Class 53: out of connections or memory. 57014: a statement timed out. 57P0x: the server stops or starts. 080: connection. */
const OVERLOAD = /^(53|57|080)/
const NO_CONNECTION = /ECONN|EPIPE|ETIMEDOUT|timeout exceeded when trying to connect|Connection terminated/

/** A NUL byte, or bytes that are no text, in a parameter of a statement. */
const NO_SUCH_TEXT = '22021'

/** Errors that endpoints throw on purpose: the status and the text for the client. */
export class HttpError extends Error {
  readonly statusCode: number
  constructor(statusCode: number, message: string) {
    super(message)
    this.statusCode = statusCode
  }
}

/** Gives every error its answer: `{statusCode, error, message}`. */
export function answerFailures(app: FastifyInstance, log: Log): void {
  app.setNotFoundHandler((request, reply) =>
    wantsPage(request)
      ? sendNotFoundPage(reply)
      : fail(reply, 404, `${request.method} ${request.url.split('?')[0]} is not here`),
  )
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (isOverload(error)) {
      log.warn('a request had to be turned away', { url: request.url, reason: error.message })
      return busy(reply, 'The database is busy. Try again in a moment.')
    }
    if (error.code === NO_SUCH_TEXT) return fail(reply, 400, 'a parameter holds characters that no name or text has')
    const code = error.statusCode ?? 500
    if (code < 500) return fail(reply, code, error.message)
    if (code === 503) return busy(reply, error.message)
    log.error('a request failed', { url: request.url, reason: error.stack ?? error.message })
    return fail(reply, 500, 'The server made a mistake.')
  })
}

/**
 * The answer to an address that is none: found out before any route or hook is looked for.
 *
 * @param reply  a FastifyReply, whose generics are those of no route
 */
export function failUnrouted(error: FastifyError, _request: unknown, reply: unknown): void {
  const answer = reply as FastifyReply
  answer.header('access-control-allow-origin', '*').header('cache-control', 'no-store')
  fail(answer, error.statusCode ?? 400, error.message)
}

/** 503: the client may come back after a second. */
export function busy(reply: FastifyReply, message: string): FastifyReply {
  return fail(reply.header('retry-after', '1'), 503, message)
}

/** The body of every error that the documents name no text for. `more` is what clients of an endpoint expect beside. */
export function fail(reply: FastifyReply, statusCode: number, message: string, more: object = {}): FastifyReply {
  return reply
    .code(statusCode)
    .type('application/json; charset=utf-8')
    .send({ statusCode, error: titleOf(statusCode), message, ...more })
}

/** An error whose text the documents give: plain text, nothing around it. */
export function failPlain(reply: FastifyReply, statusCode: number, text: string): FastifyReply {
  return reply.code(statusCode).type('text/plain; charset=utf-8').send(text)
}

function isOverload(error: Error & { code?: string }): boolean {
  return OVERLOAD.test(error.code ?? '') || NO_CONNECTION.test(`${error.code ?? ''} ${error.message}`)
}

const TITLES: Record<number, string> = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  413: 'Payload Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  426: 'Upgrade Required',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

/** Name of an HTTP status. */
export function titleOf(statusCode: number): string {
  return TITLES[statusCode] ?? `Error ${statusCode}`
}
