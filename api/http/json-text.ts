// JSON that is text or bytes already.
import type { FastifyReply } from 'fastify'

export function sendJson(reply: FastifyReply, text: string): FastifyReply {
  return sendBytes(reply, Buffer.from(text))
}

/** Sends JSON that is bytes already: those are not serialised again. */
export function sendBytes(reply: FastifyReply, json: Buffer): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(json)
}
