// The subscribed channels of one chain. After each block, updates the channels that it may have changed and notifies
// the subscribers of the changed ones.
import type { ChainContext } from '../../chain-context.ts'
import { midText } from '../../kit/values.ts'
import { listPieces } from '../../lists/live-list.ts'
import type { Changes } from '../../live-market/advance.ts'
import type { MarketState } from '../../live-market/model.ts'
import { findBook, findPool, findToken } from '../find.ts'
import { TOKENS } from '../lists.ts'
import { bookWithOrdersText } from '../order-book.ts'
import { poolText } from '../pool.ts'
import { type Channel, type Shown, StateChannel } from './channel.ts'
import { ChannelIndex, tokensOf } from './channel-index.ts'
import { FrameMemory } from './frame-memory.ts'
import { TokensChannel } from './tokens-channel.ts'
import type { ChannelName, Topic } from './topic.ts'

export class Hub {
  readonly chain: string
  /** Called when a block's changes were given to subscribers. @param at  time of the block, Unix milliseconds */
  onChanges: (at: number) => void = () => {}
  private readonly market: ChainContext['market']
  private readonly channels = new ChannelIndex()
  private readonly memory = new FrameMemory()
  private readonly stop: () => void

  constructor({ chain, market }: ChainContext) {
    this.chain = chain
    this.market = market
    this.stop = market.listen((state, changes) => this.advance(state, changes))
  }

  get state(): MarketState | null {
    return this.market.state
  }

  /** Subscriptions of all connections by channel name. */
  *counts(): Generator<[name: ChannelName, subscriptions: number]> {
    for (const { topic, subscribers } of this.channels.all()) yield [topic.channel, subscribers.size]
  }

  /** The channel of a topic; made if absent. @throws MarketRequestError for an unknown pool, market or token */
  open(topic: Topic, state: MarketState): Channel {
    check(topic, state)
    let channel = this.channels.of(topic)
    if (channel === undefined) {
      channel = this.make(topic, state)
      this.channels.add(channel)
    }
    return channel
  }

  find(topic: Topic): Channel | undefined {
    return this.channels.of(topic)
  }

  /** Removes a channel without subscribers. */
  release(channel: Channel): void {
    if (channel.subscribers.size === 0) this.channels.remove(channel)
  }

  close(): void {
    this.stop()
  }

  private make(topic: Topic, state: MarketState): Channel {
    if (topic.channel === 'tokens') return new TokensChannel(state, (now) => listPieces(this.market, now, TOKENS))
    return new StateChannel(topic, this.memory, shownOf(topic), state)
  }

  private advance(state: MarketState, changes: Changes | null): void {
    this.memory.clear()
    if (this.channels.size === 0) return
    const all = changes === null || changes.everything
    const moved = all ? null : changes.tokens
    let changed = 0
    for (const channel of all ? this.channels.all() : this.touched(state, changes)) {
      if (!channel.refresh(state, moved)) continue
      changed++
      for (const subscriber of channel.subscribers) subscriber.markChanged(channel)
    }
    if (changed > 0) this.onChanges(state.at.time)
  }

  /**
   * Channels that a block may have changed. A pool's message has its value, so the prices of its tokens change it too.
   */
  private touched(state: MarketState, { pools, books, tokens }: Changes): Iterable<Channel> {
    const { channels } = this
    // If more has changed than there are channels, updating all of them is less work.
    if (pools.size + tokens.size > channels.size) return channels.all()
    const found = new Set<Channel>()
    const add = (channel: Channel | undefined) => {
      if (channel !== undefined) found.add(channel)
    }
    for (const id of pools) add(channels.pool(id))
    for (const id of books) add(channels.book(id))
    for (const token of tokens) {
      for (const { id } of state.poolsOf.get(token) ?? []) add(channels.pool(id))
      for (const channel of channels.pairsOf(token)) found.add(channel)
    }
    if (tokens.size > 0) add(channels.of({ channel: 'tokens' }))
    return found
  }
}

function check(topic: Topic, state: MarketState): void {
  if (topic.channel === 'pool') findPool(state, topic.id)
  if (topic.channel === 'orderbook') findBook(state, topic.id)
  for (const token of tokensOf(topic)) findToken(state, token)
}

/** Content of a topic's messages. */
function shownOf(topic: Exclude<Topic, { channel: 'tokens' }>): Shown {
  if (topic.channel === 'price') {
    const { base, quote } = topic
    const names = `"base":${JSON.stringify(base)},"quote":${JSON.stringify(quote)},"mid":`
    return { names, describe: ({ prices }) => quoted(midText(prices, base, quote)) }
  }
  const { id } = topic
  if (topic.channel === 'pool') {
    const describe = (state: MarketState) => {
      const pool = state.pools.get(id)
      return pool === undefined ? 'null' : poolText(state, pool)
    }
    return { names: `"id":${id},"pool":`, describe }
  }
  const describe = (state: MarketState) => {
    const book = state.books.get(id)
    return book === undefined ? 'null' : bookWithOrdersText(book)
  }
  return { names: `"id":${id},"orderbook":`, describe }
}

/** JSON of a price, which needs no escapes. */
function quoted(text: string | null): string {
  return text === null ? 'null' : `"${text}"`
}
