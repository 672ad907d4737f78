// Sends JSON that is already serialised.
import type { FastifyReply } from 'fastify'

export function sendJson(reply: FastifyReply, text: string): FastifyReply {
  return sendBytes(reply, Buffer.from(text))
}

/** Sends serialised JSON without serialising it again. */
export function sendBytes(reply: FastifyReply, json: Buffer): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(json)
}
