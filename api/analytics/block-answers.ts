// Answers of the block that the market is at, as bytes: whoever asks for the same is sent the same, also while it is being
// made, compressed once. The next block gives them all up.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ChainContext } from '../chain-context.ts'
import { marketOf } from '../exchange/parameters.ts'
import { type Body, sendBody } from '../http/body-cache.ts'
import { mark, notModified } from '../http/freshness.ts'
import type { BlockMark } from '../market/model.ts'

/** So much is kept of one block at most. */
const MOST_ANSWERS = 5000
const MOST_BYTES = 64 * 1024 * 1024

interface BlockAnswer {
  /** The block that the answer is of. */
  at: BlockMark
  body: Body
}

class BlockAnswers {
  private readonly answers = new Map<string, Promise<BlockAnswer>>()
  private block = ''
  private bytes = 0

  /** @param at  the block that the market is at */
  of(at: BlockMark, url: string, make: () => Promise<BlockAnswer>): Promise<BlockAnswer> {
    if (this.block !== at.id) {
      this.answers.clear()
      this.block = at.id
      this.bytes = 0
    }
    const known = this.answers.get(url)
    if (known !== undefined) return known
    const made = make()
    if (this.answers.size < MOST_ANSWERS && this.bytes < MOST_BYTES) this.keep(at, url, made)
    return made
  }

  private keep(at: BlockMark, url: string, made: Promise<BlockAnswer>): void {
    this.answers.set(url, made)
    made.then(
      ({ body }) => {
        if (this.block === at.id) this.bytes += body.length
      },
      // Whoever waits for it hears of it; the next one tries again.
      () => {
        if (this.answers.get(url) === made) this.answers.delete(url)
      },
    )
  }
}

const chains = new WeakMap<ChainContext, BlockAnswers>()

/** Sends what is kept of the market's block, else what `make` returns. */
export async function sendBlockAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  make: () => Promise<{ at: BlockMark; pieces: readonly Buffer[] }>,
): Promise<FastifyReply> {
  const context = request.chain
  let answers = chains.get(context)
  if (answers === undefined) chains.set(context, (answers = new BlockAnswers()))
  // Addresses of this server in an answer are those that the client asked.
  const url = `${request.protocol}://${request.host}${request.url}`
  const { at, body } = await answers.of(marketOf(context).at, url, async () => {
    const made = await make()
    const length = made.pieces.reduce((sum, piece) => sum + piece.length, 0)
    return { at: made.at, body: { version: made.at.id, pieces: made.pieces, length, link: undefined, encoded: {} } }
  })
  return mark(request, reply, at) ? notModified(reply) : sendBody(request, reply, body)
}
