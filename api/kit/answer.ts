// Answers read from the database. Each is marked with its block.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { busy } from '../http/failures.ts'
import { mark } from '../http/freshness.ts'
import type { BlockMark } from '../live-market/model.ts'

/**
 * Marks a reply with the block of the read data. Its entity tag is computed from its content.
 *
 * @returns the data; null, after a 503, when the chain has just been removed
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
  // The block of the last change of database rows is unknown.
  request.taggedByContent = true
  return read
}
