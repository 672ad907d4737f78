// Answers that were read from the database, kept as bytes until what they speak of changes: most clients ask for the same.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { perObject } from '../../core/cache.ts'
import type { ChainContext } from '../chain-context.ts'
import { type Body, BodyCache, sendBody } from '../http/body-cache.ts'
import { contentTag, isUnchangedContent, mark, notModified } from '../http/freshness.ts'
import { sendBytes } from '../http/json-text.ts'
import type { BlockMark } from '../market/model.ts'
import { marketOf } from './parameters.ts'

const LIMITS = { bodies: 5000, bytes: 64 * 1024 * 1024, longest: 4 * 1024 * 1024 }
const MINUTE = 60_000

const answersOf = perObject((_: ChainContext) => new BodyCache(LIMITS))

/**
 * Answers from what is kept, or with what `make` returns, which is kept when it is of the block that the market is at.
 *
 * @param since  block of the last change of what the answer speaks of; null when the market does not know it
 * @param make   the answer, its block marked on the reply; null when the reply is sent already
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
  // Addresses of this server in an answer are those that the client asked.
  const url = `${request.protocol}://${request.host}${request.url}`
  const kept = known && answers.find(url, versionOf(known, at))
  if (kept) {
    mark(request, reply, at)
    return sendTagged(request, reply, kept)
  }
  const answer = await make()
  if (answer === null) return reply
  const body = Buffer.isBuffer(answer) ? answer : Buffer.from(reply.serialize(answer) as string)
  // The database may be ahead of the market, or on another branch: then nobody can tell how long the answer holds.
  const now = marketOf(context).at
  const unchanged = since()
  const link = reply.getHeader('link') as string | undefined
  if (unchanged === null || request.at?.id !== now.id) return sendBytes(reply, body)
  return sendTagged(request, reply, answers.keep(url, versionOf(unchanged, now), [body], link))
}

function sendTagged(request: FastifyRequest, reply: FastifyReply, body: Body): FastifyReply | Promise<FastifyReply> {
  body.tag ??= contentTag(body.pieces)
  return isUnchangedContent(request, reply, body.tag) ? notModified(reply) : sendBody(request, reply, body)
}

/** The block of the last change, and the minute of chain time: "now" is part of some answers. */
function versionOf(since: BlockMark, { time }: BlockMark): string {
  return `${since.id} ${Math.floor(time / MINUTE)}`
}
