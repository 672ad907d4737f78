// The subscriptions of the benchmark's readers, and the messages expected for a block, computed from a separate market
// without the stream.

import { crc32 } from 'node:zlib'
import { midText } from '../../api/kit/values.ts'
import type { MarketState } from '../../api/live-market/model.ts'
import { bookWithOrdersText } from '../../api/market/order-book.ts'
import { poolText } from '../../api/market/pool.ts'
import { required } from '../../core/required.ts'

/** Size of the benchmark's market. */
export const SIZE = { tokens: 4200, pools: 6300, books: 500 }

export type Topic =
  | { channel: 'pool'; id: number }
  | { channel: 'orderbook'; id: number }
  | { channel: 'price'; base: string; quote: string }

/** Expected messages of a block to all readers together. */
export interface Expected {
  messages: number
  bytes: number
  /** Sum of the CRC-32 of all messages. */
  digest: number
}

/** Topics of a reader: pool 0, which all readers share; then pools, markets and pairs shared by some readers. */
export function topicsOf({ pools }: MarketState, reader: number, count: number): Topic[] {
  const pick = (k: number, from: number) => (reader * 31 + k * 977) % from
  const topics: Topic[] = [{ channel: 'pool', id: 0 }]
  for (let k = 1; topics.length < count; k++) {
    if (k % 5 === 0) topics.push({ channel: 'orderbook', id: pick(k, SIZE.books) })
    // The pool of a token and the system token has the token's number as id.
    else if (k % 5 === 1)
      topics.push({
        channel: 'price',
        base: required(pools.get(pick(k, SIZE.tokens)), 'pool').b.id,
        quote: 'wax-eosio.token',
      })
    else topics.push({ channel: 'pool', id: 1 + pick(k, SIZE.pools - 1) })
  }
  return topics
}

export class Watched {
  private readonly state: MarketState
  private readonly topics = new Map<string, { topic: Topic; readers: number; text: string }>()

  /** @param all  topics of all readers, concatenated */
  constructor(state: MarketState, all: readonly Topic[]) {
    this.state = state
    for (const topic of all) {
      const key = JSON.stringify(topic)
      const known = this.topics.get(key)
      if (known === undefined) this.topics.set(key, { topic, readers: 1, text: this.textOf(topic) })
      else known.readers++
    }
  }

  get size(): number {
    return this.topics.size
  }

  /** Subscribed pools or markets, including the pools of subscribed pairs. */
  ids(channel: 'pool' | 'orderbook'): number[] {
    const ids = new Set<number>()
    for (const { topic } of this.topics.values()) {
      if (topic.channel === channel) ids.add(topic.id)
      if (topic.channel === 'price' && channel === 'pool')
        for (const { id } of this.state.poolsOf.get(topic.base) ?? []) ids.add(id)
    }
    return [...ids]
  }

  /** The messages expected for the last block. */
  expected(): Expected {
    const sum = { messages: 0, bytes: 0, digest: 0 }
    for (const watched of this.topics.values()) {
      const { topic, readers } = watched
      const text = this.textOf(topic)
      if (watched.text === text) continue
      watched.text = text
      const message = `{"channel":"${topic.channel}","block":${this.state.at.block},${text}}`
      sum.messages += readers
      sum.digest += readers * crc32(message)
      sum.bytes += readers * Buffer.byteLength(message)
    }
    return sum
  }

  /** The members of a message after its block. */
  private textOf(topic: Topic): string {
    const { pools, books, prices } = this.state
    if (topic.channel === 'pool')
      return `"id":${topic.id},"pool":${poolText(this.state, required(pools.get(topic.id), 'pool'))}`
    if (topic.channel === 'orderbook')
      return `"id":${topic.id},"orderbook":${bookWithOrdersText(required(books.get(topic.id), 'book'))}`
    const mid = midText(prices, topic.base, topic.quote)
    return `"base":"${topic.base}","quote":"${topic.quote}","mid":${JSON.stringify(mid)}`
  }
}
