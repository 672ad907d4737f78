// Caches answers read from the database, as bytes, until their data changes: most clients send the same requests.
// Requests for the same answer that come while it is made share it.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache, perObject } from '../../core/cache.ts'
import { required } from '../../core/required.ts'
import type { ChainContext } from '../chain-context.ts'
import { type Body, BodyCache, bodyOf, sendTagged } from '../http/body-cache.ts'
import { mark } from '../http/freshness.ts'
import type { BlockMark } from '../live-market/model.ts'
import { marketOf, originOf } from './parameters.ts'

const LIMITS = { bodies: 5000, bytes: 64 * 1024 * 1024, longest: 4 * 1024 * 1024 }
const EARLY_LIMITS = { max: 1000, maxSize: 16 * 1024 * 1024, maxEntrySize: 1024 * 1024 }

/** An answer with the block of its data. */
interface Made {
  at: BlockMark
  body: Body
}

interface Answers {
  /** Answers of the market's block or of blocks before it, by address. */
  current: BodyCache
  /** Answers of blocks that the market had not reached when they were made: the database is ahead, most of all on a standby. */
  early: LRUCache<string, Made>
  /** Answers that are being made. Null: there is none to share. */
  pending: Map<string, Promise<Made | null>>
}

const answersOf = perObject(
  (_: ChainContext): Answers => ({
    current: new BodyCache(LIMITS),
    early: new LRUCache({ ...EARLY_LIMITS, sizeCalculation: ({ body }) => body.length || 1 }),
    pending: new Map(),
  }),
)

interface Cached {
  /** Block of the last change of the answer's data; null when the market does not know it. */
  since: () => BlockMark | null
  /** Start of the stretch of chain time in which the answer changes only with its data, Unix milliseconds. Default: all time. */
  stretch?: (time: number) => number
}

const always = () => 0

/**
 * Sends the cached answer, else the result of `make`. The result is cached if nothing has changed since its block, or
 * when the market reaches that block.
 *
 * @param make  makes the answer and marks the reply with its block; null when the reply is already sent
 */
export async function cachedAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  { since, stretch = always }: Cached,
  make: () => Promise<Buffer | readonly object[] | null>,
): Promise<FastifyReply> {
  const context = request.chain
  const answers = answersOf(context)
  const { at: asked } = marketOf(context)
  // The server's address appears in answers, so host and chain prefix are part of the key.
  const url = `${originOf(request)}${request.url}`
  const cached = cachedBody(context, answers, url, since(), stretch)
  if (cached !== null) return sendMade(request, reply, { at: asked, body: cached })

  const pendingAnswer = answers.pending.get(url)
  if (pendingAnswer !== undefined) {
    const shared = await pendingAnswer
    if (shared && (shared.at.block >= asked.block || isCurrent(context, shared.at, since(), stretch)))
      return sendMade(request, reply, shared)
  }

  const making = makeAnswer(request, reply, make)
  const pending = making.catch(() => null)
  answers.pending.set(url, pending)
  try {
    const made = await making
    if (made === null) return reply
    keep(context, answers, url, made, since(), stretch)
    return await sendTagged(request, reply, made.body)
  } finally {
    if (answers.pending.get(url) === pending) answers.pending.delete(url)
  }
}

function sendMade(
  request: FastifyRequest,
  reply: FastifyReply,
  { at, body }: Made,
): FastifyReply | Promise<FastifyReply> {
  mark(request, reply, at)
  return sendTagged(request, reply, body)
}

async function makeAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  make: () => Promise<Buffer | readonly object[] | null>,
): Promise<Made | null> {
  const answer = await make()
  if (answer === null) return null
  const at = required(request.at, 'the block of the answer')
  const bytes = Buffer.isBuffer(answer) ? answer : Buffer.from(reply.serialize(answer) as string)
  return { at, body: bodyOf('', [bytes], reply.getHeader('link') as string | undefined) }
}

/** The cached body of an address; null when there is none. */
function cachedBody(
  context: ChainContext,
  { current, early }: Answers,
  url: string,
  since: BlockMark | null,
  stretch: (time: number) => number,
): Body | null {
  if (since === null) return null
  const version = versionOf(since, marketOf(context).at, stretch)
  const made = early.get(url)
  if (made !== undefined && isCurrent(context, made.at, since, stretch)) {
    early.delete(url)
    current.set(url, version, made.body.pieces, made.body.link)
  }
  return current.get(url, version)
}

/** Caches an answer if it is current. If its block is ahead of the market, it may be current later. */
function keep(
  context: ChainContext,
  { current, early }: Answers,
  url: string,
  made: Made,
  since: BlockMark | null,
  stretch: (time: number) => number,
): void {
  const { at } = marketOf(context)
  if (since !== null && isCurrent(context, made.at, since, stretch))
    current.set(url, versionOf(since, at, stretch), made.body.pieces, made.body.link)
  else if (made.at.block > at.block) early.set(url, made)
}

/**
 * Whether an answer of a block is the answer of the market's block: the block is on the market's branch, and neither a later
 * block nor time has changed the answer.
 */
function isCurrent(
  { market }: ChainContext,
  at: BlockMark,
  since: BlockMark | null,
  stretch: (time: number) => number,
): boolean {
  if (since === null || since.block > at.block || !market.hasPassed(at)) return false
  const now = market.state?.at
  return now !== undefined && stretch(now.time) === stretch(at.time)
}

function versionOf(since: BlockMark, { time }: BlockMark, stretch: (time: number) => number): string {
  return `${since.id} ${stretch(time)}`
}
