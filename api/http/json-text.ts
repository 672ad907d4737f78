// Sends JSON that is text already.
import type { FastifyReply } from 'fastify'

export function sendJson(reply: FastifyReply, text: string): FastifyReply {
  // Bytes are not serialised again.
  return reply.type('application/json; charset=utf-8').send(Buffer.from(text))
}
