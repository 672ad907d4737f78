// Caches answers read from the database, as bytes, until their data changes: most clients send the same requests.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { perObject } from '../../core/cache.ts'
import type { ChainContext } from '../chain-context.ts'
import { BodyCache, sendTagged } from '../http/body-cache.ts'
import { mark } from '../http/freshness.ts'
import { sendBytes } from '../http/json-text.ts'
import type { BlockMark } from '../live-market/model.ts'
import { marketOf, originOf } from './parameters.ts'

const LIMITS = { bodies: 5000, bytes: 64 * 1024 * 1024, longest: 4 * 1024 * 1024 }
const MINUTE = 60_000

const answersOf = perObject((_: ChainContext) => new BodyCache(LIMITS))

/**
 * Sends the cached answer, else the result of `make`. The result is cached if it is of the market's block.
 *
 * @param since  block of the last change of the answer's data; null when the market does not know it
 * @param make   makes the answer and marks the reply with its block; null when the reply is already sent
 */
export async function cachedAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  since: () => BlockMark | null,
  make: () => Promise<Buffer | readonly object[] | null>,
): Promise<FastifyReply> {
  const context = request.chain
  const answers = answersOf(context)
  const known = since()
  const { at } = marketOf(context)
  // The server's address appears in answers, so host and chain prefix are part of the key.
  const url = `${originOf(request)}${request.url}`
  const cached = known && answers.get(url, versionOf(known, at))
  if (cached) {
    mark(request, reply, at)
    return sendTagged(request, reply, cached)
  }
  const answer = await make()
  if (answer === null) return reply
  const body = Buffer.isBuffer(answer) ? answer : Buffer.from(reply.serialize(answer) as string)
  // If the database is ahead of the market or on another branch, the time of the next change is unknown: the answer is
  // not cached.
  const now = marketOf(context).at
  const unchanged = since()
  const link = reply.getHeader('link') as string | undefined
  if (unchanged === null || request.at?.id !== now.id) return sendBytes(reply, body)
  return sendTagged(request, reply, answers.set(url, versionOf(unchanged, now), [body], link))
}

/** Block of the last change, and minute of chain time, because some answers depend on "now". */
function versionOf(since: BlockMark, { time }: BlockMark): string {
  return `${since.id} ${Math.floor(time / MINUTE)}`
}
