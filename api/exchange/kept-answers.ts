// Answers that were read from the database, kept as bytes until what they speak of changes: most clients ask for the same.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ChainContext } from '../chain-context.ts'
import { mark } from '../http/freshness.ts'
import { sendBytes } from '../http/json-text.ts'
import type { BlockMark } from '../market/model.ts'
import { marketOf } from './parameters.ts'

const MOST_ANSWERS = 5000
const MOST_BYTES = 64 * 1024 * 1024
/** One client's long answer is not worth many short ones. */
const LONGEST = 4 * 1024 * 1024
const MINUTE = 60_000

interface Kept {
  /** Block of the last change of what it speaks of. */
  since: string
  /** Minute of chain time: "now" is part of some answers. */
  minute: number
  body: Buffer
  /** Where the next page is. */
  link: string | undefined
}

class KeptAnswers {
  private readonly answers = new Map<string, Kept>()
  private bytes = 0

  get(url: string, since: BlockMark, now: number): Kept | null {
    const kept = this.answers.get(url)
    if (kept === undefined || kept.since !== since.id || kept.minute !== Math.floor(now / MINUTE)) return null
    // The one asked for last goes to the end; those that nobody has asked for longest are given up.
    this.answers.delete(url)
    this.answers.set(url, kept)
    return kept
  }

  put(url: string, since: BlockMark, now: number, body: Buffer, link: string | undefined): void {
    if (body.length > LONGEST) return
    this.forget(url)
    this.answers.set(url, { since: since.id, minute: Math.floor(now / MINUTE), body, link })
    this.bytes += body.length
    for (const oldest of this.answers.keys()) {
      if (this.answers.size <= MOST_ANSWERS && this.bytes <= MOST_BYTES) break
      this.forget(oldest)
    }
  }

  private forget(url: string): void {
    this.bytes -= this.answers.get(url)?.body.length ?? 0
    this.answers.delete(url)
  }
}

const chains = new WeakMap<ChainContext, KeptAnswers>()

/**
 * Answers from what is kept, or with what `make` returns, which is kept when it is of the block that the market is at.
 *
 * @param since  block of the last change of what the answer speaks of; null when the market does not know it
 * @param make   the answer, its block marked on the reply; null when the reply is sent already
 */
export async function keepAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  since: () => BlockMark | null,
  make: () => Promise<Buffer | readonly object[] | null>,
): Promise<FastifyReply> {
  const context = request.chain
  let answers = chains.get(context)
  if (answers === undefined) chains.set(context, (answers = new KeptAnswers()))
  const known = since()
  const { at } = marketOf(context)
  // Addresses of this server in an answer are those that the client asked.
  const url = `${request.protocol}://${request.host}${request.url}`
  const kept = known && answers.get(url, known, at.time)
  if (kept) {
    mark(request, reply, at)
    if (kept.link !== undefined) reply.header('link', kept.link)
    return sendBytes(reply, kept.body)
  }
  const answer = await make()
  if (answer === null) return reply
  const body = Buffer.isBuffer(answer) ? answer : Buffer.from(reply.serialize(answer) as string)
  // The database may be ahead of the market, or on another branch: then nobody can tell how long the answer holds.
  const now = marketOf(context).at
  const unchanged = since()
  const link = reply.getHeader('link') as string | undefined
  if (unchanged !== null && request.at?.id === now.id) answers.put(url, unchanged, now.time, body, link)
  return sendBytes(reply, body)
}
