// What is pushed of one topic. Its text and its frames are made once and shared by all who are subscribed.
import type { MarketState } from '../market/model.ts'
import { textFrames } from './frame.ts'
import type { ChannelName } from './topic.ts'

/** Who is told that a channel has something new. */
export interface Subscriber {
  /** Has the channel's newest frames sent as soon as the connection takes them. */
  wants(channel: Channel): void
}

/** What a subscriber has seen that has seen nothing yet. */
export const NOTHING = -1

export interface Channel {
  readonly key: string
  readonly name: ChannelName
  readonly subscribers: Set<Subscriber>
  /** Grows with every change. */
  readonly version: number
  /**
   * Looks at a new state.
   *
   * @param moved  tokens whose price may have changed; null: any
   * @returns whether there is something new to push
   */
  refresh(state: MarketState, moved: ReadonlySet<string> | null): boolean
  /**
   * Frames for a subscriber, of the newest state; none when it has seen it all.
   *
   * @param seen  version that the subscriber has, or NOTHING
   */
  frames(state: MarketState, seen: number): readonly Buffer[]
}

/** A channel whose every message is its whole state. */
export class StateChannel implements Channel {
  readonly key: string
  readonly name: ChannelName
  readonly subscribers = new Set<Subscriber>()
  version = 0
  private readonly describe: (state: MarketState) => string
  private text: string
  /** Frames of the block that they name. */
  private made: { block: string; frames: readonly Buffer[] } | null = null

  /** @param describe  the members of a message behind `block`, as JSON without the braces */
  constructor(name: ChannelName, key: string, describe: (state: MarketState) => string, state: MarketState) {
    this.name = name
    this.key = key
    this.describe = describe
    this.text = describe(state)
  }

  refresh(state: MarketState): boolean {
    const text = this.describe(state)
    if (text === this.text) return false
    this.text = text
    this.version++
    return true
  }

  frames({ at }: MarketState): readonly Buffer[] {
    if (this.made?.block !== at.id) {
      const message = `{"channel":"${this.name}","block":${at.block},${this.text}}`
      this.made = { block: at.id, frames: textFrames(message) }
    }
    return this.made.frames
  }
}
