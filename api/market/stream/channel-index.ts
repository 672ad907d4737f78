// Index of channels by pool, book and token, so that a block finds the channels that it may have changed without
// visiting the others.
import type { Channel } from './channel.ts'
import { type Topic, topicKey } from './topic.ts'

export class ChannelIndex {
  private readonly channels = new Map<string, Channel>()
  private readonly pools = new Map<number, Channel>()
  private readonly books = new Map<number, Channel>()
  /** Pairs by either of their tokens. */
  private readonly pairs = new Map<string, Set<Channel>>()

  get size(): number {
    return this.channels.size
  }

  all(): Iterable<Channel> {
    return this.channels.values()
  }

  of(topic: Topic): Channel | undefined {
    return this.channels.get(topicKey(topic))
  }

  pool(id: number): Channel | undefined {
    return this.pools.get(id)
  }

  book(id: number): Channel | undefined {
    return this.books.get(id)
  }

  pairsOf(token: string): Iterable<Channel> {
    return this.pairs.get(token) ?? []
  }

  /** Adds a channel. There must be no channel of its topic yet. */
  add(channel: Channel): void {
    const { topic } = channel
    this.channels.set(topicKey(topic), channel)
    if (topic.channel === 'pool') this.pools.set(topic.id, channel)
    if (topic.channel === 'orderbook') this.books.set(topic.id, channel)
    for (const token of tokensOf(topic)) {
      let pairs = this.pairs.get(token)
      if (pairs === undefined) this.pairs.set(token, (pairs = new Set()))
      pairs.add(channel)
    }
  }

  remove(channel: Channel): void {
    const { topic } = channel
    if (this.of(topic) !== channel) return
    this.channels.delete(topicKey(topic))
    if (topic.channel === 'pool') this.pools.delete(topic.id)
    if (topic.channel === 'orderbook') this.books.delete(topic.id)
    for (const token of tokensOf(topic)) {
      const pairs = this.pairs.get(token)
      pairs?.delete(channel)
      if (pairs?.size === 0) this.pairs.delete(token)
    }
  }
}

/** Tokens of a topic. */
export function tokensOf(topic: Topic): string[] {
  return topic.channel === 'price' ? [topic.base, topic.quote] : []
}
