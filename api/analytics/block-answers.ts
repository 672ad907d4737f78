// Answers as of the market's block, as bytes, compressed once. Equal requests share one answer, even while it is being
// made. An answer is cached from its second request within two blocks. If a new answer takes long because the database
// is busy, requests get the answer of the previous block. A fork drops all answers.

import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { perObject } from '../../core/cache.ts'
import type { ChainContext } from '../chain-context.ts'
import { type Body, bodyOf, sendBody } from '../http/body-cache.ts'
import { mark, notModified } from '../http/freshness.ts'
import { RecentKeys } from '../http/recent-keys.ts'
import { marketOf, originOf } from '../kit/parameters.ts'
import type { LiveMarket } from '../live-market/live-market.ts'
import type { BlockMark } from '../live-market/model.ts'

/** Limits of cached answers of a block. */
const MAX_ANSWERS = 5000
const MAX_BYTES = 64 * 1024 * 1024
/** Limit of requested addresses remembered for a block. */
const MAX_ADDRESSES = 10_000

interface BlockAnswer {
  /** The block of the answer. */
  at: BlockMark
  body: Body
}

/** Time to wait for a new answer when the previous block's answer is cached, milliseconds. */
const WAIT_MS = 15
/** Maximum age of the previous block's answer, milliseconds of chain time. */
const MAX_AGE_MS = 60_000

class BlockAnswers {
  private answers = new Map<string, Promise<BlockAnswer>>()
  /** Finished answers of the previous block. */
  private before = new Map<string, BlockAnswer>()
  private made = new Map<string, BlockAnswer>()
  private readonly requested = new RecentKeys(MAX_ADDRESSES)
  /** Addresses requested again, perhaps while their answer was being made. */
  private repeated = new Set<string>()
  private block = ''
  private bytes = 0

  constructor(market: LiveMarket) {
    market.listen((_state, changes) => {
      if (changes === null || changes.forkedAfter !== null) this.begin('')
    })
  }

  /** @param at  the market's block */
  of(at: BlockMark, url: string, make: () => Promise<BlockAnswer>): Promise<BlockAnswer> {
    if (this.block !== at.id) this.begin(at.id)
    if (this.requested.note(url)) this.repeated.add(url)
    let answer = this.answers.get(url)
    if (answer === undefined) {
      answer = make()
      if (this.answers.size < MAX_ANSWERS && this.bytes < MAX_BYTES) this.keep(at, url, answer)
    }
    const before = this.before.get(url)
    if (before === undefined || isOld(before.at, at) || this.made.has(url)) return answer
    return Promise.race([answer, this.afterWait(url, before, answer)])
  }

  /** After the timeout, the previous block's answer, unless a fork or a new block has dropped it. */
  private async afterWait(url: string, before: BlockAnswer, answer: Promise<BlockAnswer>): Promise<BlockAnswer> {
    await delay(WAIT_MS, undefined, { ref: false })
    return this.before.get(url) === before ? before : answer
  }

  /** @param block  '' to drop all answers, also those of the previous block */
  private begin(block: string): void {
    this.before = block === '' ? new Map() : this.made
    this.made = new Map()
    this.answers = new Map()
    this.requested.begin()
    this.repeated = new Set()
    this.block = block
    this.bytes = 0
  }

  private keep(at: BlockMark, url: string, made: Promise<BlockAnswer>): void {
    this.answers.set(url, made)
    made.then(
      (answer) => {
        if (this.block !== at.id) return
        if (!this.repeated.has(url)) return void this.answers.delete(url)
        this.bytes += answer.body.length
        this.made.set(url, answer)
      },
      // Requests waiting for it get the error; the next request tries again.
      () => {
        if (this.answers.get(url) === made) this.answers.delete(url)
      },
    )
  }
}

/** The old answer must be of the previous block and within `MAX_AGE_MS`: chains may stand still for hours. */
function isOld(before: BlockMark, at: BlockMark): boolean {
  return before.block < at.block - 1 || at.time - before.time > MAX_AGE_MS
}

const answersOf = perObject(({ market }: ChainContext) => new BlockAnswers(market))

/** Sends the cached answer of the market's block, else the result of `make`. */
export async function sendBlockAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  make: () => Promise<{ at: BlockMark; pieces: readonly Buffer[] }>,
): Promise<FastifyReply> {
  const context = request.chain
  const answers = answersOf(context)
  // The server's address appears in answers, so host and chain prefix are part of the key.
  const url = `${originOf(request)}${request.url}`
  const { at, body } = await answers.of(marketOf(context).at, url, async () => {
    const made = await make()
    return { at: made.at, body: bodyOf(made.at.id, made.pieces) }
  })
  return mark(request, reply, at) ? notModified(reply) : sendBody(request, reply, body)
}
