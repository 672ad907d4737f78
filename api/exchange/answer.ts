// Answers that are read from the database: each says of which block it is.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { busy } from '../http/failures.ts'
import { mark } from '../http/freshness.ts'
import type { BlockMark } from '../market/model.ts'

/**
 * Marks a reply with the block of what was read; its entity tag is that of its content.
 *
 * @returns what was read; null, after 503, when the chain has just been taken away
 */
export function answerAt<T extends { at: BlockMark }>(
  request: FastifyRequest,
  reply: FastifyReply,
  read: T | null,
): T | null {
  if (read === null) {
    busy(reply, `${request.chain.chain}: data is being loaded. Try again in a moment.`)
    return null
  }
  mark(request, reply, read.at)
  // No mark tells when rows of the database changed last.
  request.taggedByContent = true
  return read
}
