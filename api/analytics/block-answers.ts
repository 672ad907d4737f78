// Answers of the block that the market is at, as bytes: whoever asks for the same is sent the same, also while it is being
// made, compressed once. One is kept from the second time on that somebody asks for it within two blocks. What takes long
// to make anew, because the database is busy, is answered as of the block before meanwhile; a fork gives up everything.

import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { perObject } from '../../core/cache.ts'
import type { ChainContext } from '../chain-context.ts'
import { marketOf } from '../exchange/parameters.ts'
import { type Body, bodyOf, sendBody } from '../http/body-cache.ts'
import { mark, notModified } from '../http/freshness.ts'
import { RecentKeys } from '../http/recent-keys.ts'
import type { LiveMarket } from '../market/live-market.ts'
import type { BlockMark } from '../market/model.ts'

/** So much is kept of one block at most. */
const MAX_ANSWERS = 5000
const MAX_BYTES = 64 * 1024 * 1024
/** So many addresses are remembered of a block. */
const MAX_ASKED = 10_000

interface BlockAnswer {
  /** The block that the answer is of. */
  at: BlockMark
  body: Body
}

/** So long is waited for what is being made, when there is an answer of the block before; milliseconds. */
const PATIENCE_MS = 15
/** So far behind the market's block the one before may be, milliseconds of chain time. */
const MAX_BEHIND_MS = 60_000

class BlockAnswers {
  private answers = new Map<string, Promise<BlockAnswer>>()
  /** Those of the block before that were made. */
  private before = new Map<string, BlockAnswer>()
  private made = new Map<string, BlockAnswer>()
  private readonly asked = new RecentKeys(MAX_ASKED)
  /** Those asked for again, maybe while they were made. */
  private wanted = new Set<string>()
  private block = ''
  private bytes = 0

  constructor(market: LiveMarket) {
    market.listen((_state, changes) => {
      if (changes === null || changes.forkedAfter !== null) this.begin('')
    })
  }

  /** @param at  the block that the market is at */
  of(at: BlockMark, url: string, make: () => Promise<BlockAnswer>): Promise<BlockAnswer> {
    if (this.block !== at.id) this.begin(at.id)
    if (this.asked.note(url)) this.wanted.add(url)
    let answer = this.answers.get(url)
    if (answer === undefined) {
      answer = make()
      if (this.answers.size < MAX_ANSWERS && this.bytes < MAX_BYTES) this.keep(at, url, answer)
    }
    const before = this.before.get(url)
    if (before === undefined || isOld(before.at, at) || this.made.has(url)) return answer
    return Promise.race([answer, this.late(url, before, answer)])
  }

  /** The answer of the block before when patience has an end, unless that has been given up by then. */
  private async late(url: string, before: BlockAnswer, answer: Promise<BlockAnswer>): Promise<BlockAnswer> {
    await delay(PATIENCE_MS, undefined, { ref: false })
    return this.before.get(url) === before ? before : answer
  }

  /** @param block  '' when nothing that was made holds any more */
  private begin(block: string): void {
    this.before = block === '' ? new Map() : this.made
    this.made = new Map()
    this.answers = new Map()
    this.asked.begin()
    this.wanted = new Set()
    this.block = block
    this.bytes = 0
  }

  private keep(at: BlockMark, url: string, made: Promise<BlockAnswer>): void {
    this.answers.set(url, made)
    made.then(
      (answer) => {
        if (this.block !== at.id) return
        if (!this.wanted.has(url)) return void this.answers.delete(url)
        this.bytes += answer.body.length
        this.made.set(url, answer)
      },
      // Whoever waits for it hears of it; the next one tries again.
      () => {
        if (this.answers.get(url) === made) this.answers.delete(url)
      },
    )
  }
}

/** Nobody is answered as of a block that is neither the one before nor of the last minute: chains may stand still for hours. */
function isOld(before: BlockMark, at: BlockMark): boolean {
  return before.block < at.block - 1 || at.time - before.time > MAX_BEHIND_MS
}

const answersOf = perObject(({ market }: ChainContext) => new BlockAnswers(market))

/** Sends what is kept of the market's block, else what `make` returns. */
export async function sendBlockAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  make: () => Promise<{ at: BlockMark; pieces: readonly Buffer[] }>,
): Promise<FastifyReply> {
  const context = request.chain
  const answers = answersOf(context)
  // Addresses of this server in an answer are those that the client asked.
  const url = `${request.protocol}://${request.host}${request.url}`
  const { at, body } = await answers.of(marketOf(context).at, url, async () => {
    const made = await make()
    return { at: made.at, body: bodyOf(made.at.id, made.pieces) }
  })
  return mark(request, reply, at) ? notModified(reply) : sendBody(request, reply, body)
}
