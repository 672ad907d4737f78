// Error responses. Bad input is 400, an overload is 503 with Retry-After. No response reveals internals.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from './log.ts'
import { wantsPage } from './pages.ts'

/**
 * Class 53: out of connections or memory. 57014: a statement timed out. 57P0x: the server stops or starts. 080:
 * connection. 40001, 40P01: a standby cancelled the statement, because it conflicts with the replay.
 */
const OVERLOAD = /^(53|57|080|40001|40P01)/
/** The last one: the server ended the session between two statements of a transaction. */
const NO_CONNECTION =
  /NO_SUITABLE_SERVER|ECONN|EPIPE|ETIMEDOUT|timeout exceeded when trying to connect|Connection terminated|not queryable/

/** SQLSTATE of a NUL byte or invalid text in a statement's parameter. */
const INVALID_TEXT = '22021'

/** An error response of an endpoint: status and text for the client. */
export class HttpError extends Error {
  readonly statusCode: number
  constructor(statusCode: number, message: string) {
    super(message)
    this.statusCode = statusCode
  }
}

/** Answers a request for a page that does not exist. */
export type SendNotFound = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/**
 * Answers every error with `{statusCode, error, message}`.
 *
 * @param sendNotFoundPage  answers a browser at an unknown address; without it, it gets JSON too
 */
export function answerFailures(app: FastifyInstance, log: Log, sendNotFoundPage?: SendNotFound): void {
  app.setNotFoundHandler((request, reply) =>
    sendNotFoundPage !== undefined && wantsPage(request)
      ? sendNotFoundPage(request, reply)
      : fail(reply, 404, `${request.method} ${request.url.split('?')[0]} is not here`),
  )
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (isOverload(error)) {
      log.warn('a request had to be turned away', { url: request.url, reason: error.message })
      return busy(reply, 'The database is busy. Try again in a moment.')
    }
    if (error.code === INVALID_TEXT) return fail(reply, 400, 'a parameter holds characters that no name or text has')
    const code = error.statusCode ?? 500
    if (code < 500) return fail(reply, code, error.message)
    if (code === 503) return busy(reply, error.message)
    log.error('a request failed', { url: request.url, reason: error.stack ?? error.message })
    return fail(reply, 500, 'The server made a mistake.')
  })
}

/**
 * Answers a malformed address. Fastify detects it before routing and hooks, so this sets the headers itself.
 *
 * @param reply  a FastifyReply; untyped, because its generics belong to no route
 */
export function failUnrouted(error: FastifyError, _request: unknown, reply: unknown): void {
  const answer = reply as FastifyReply
  answer.header('access-control-allow-origin', '*').header('cache-control', 'no-store')
  fail(answer, error.statusCode ?? 400, error.message)
}

/** 503 with Retry-After of one second. */
export function busy(reply: FastifyReply, message: string): FastifyReply {
  return fail(reply.header('retry-after', '1'), 503, message)
}

/**
 * Sends an error whose text the documents do not specify.
 *
 * @param more  further members that the endpoint's clients expect
 */
export function fail(reply: FastifyReply, statusCode: number, message: string, more: object = {}): FastifyReply {
  return reply
    .code(statusCode)
    .type('application/json; charset=utf-8')
    .send({ statusCode, error: titleOf(statusCode), message, ...more })
}

/** Sends an error whose text the documents specify, as plain text. */
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
  409: 'Conflict',
  413: 'Payload Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  426: 'Upgrade Required',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

/** Reason phrase of an HTTP status. */
export function titleOf(statusCode: number): string {
  return TITLES[statusCode] ?? `Error ${statusCode}`
}
