// A channel: the messages of one topic. Its text and frames are made once and shared by all subscribers.
import type { MarketState } from '../../live-market/model.ts'
import type { FrameMemory } from './frame-memory.ts'
import type { Topic } from './topic.ts'

/** Listener of a channel. */
export interface Subscriber {
  /** Called when a channel has a new version. The subscriber sends it once its connection can take it. */
  markChanged(channel: Channel): void
}

/** Seen version of a subscriber that has received nothing yet. */
export const NOTHING = -1

export interface Channel {
  readonly topic: Topic
  readonly subscribers: Set<Subscriber>
  /** Increases with every change. */
  readonly version: number
  /**
   * Updates the channel to a new state.
   *
   * @param moved  tokens whose price may have changed; null: any
   * @returns whether the channel has changed
   */
  refresh(state: MarketState, moved: ReadonlySet<string> | null): boolean
  /**
   * Frames of the newest state for a subscriber; empty if it has the newest version. The caller must send them at once
   * or copy them.
   *
   * @param seen  the subscriber's version, or NOTHING
   */
  frames(state: MarketState, seen: number): readonly Buffer[]
}

/** Content of a channel's messages: JSON members before the state, and the state as JSON. */
export interface Shown {
  names: string
  describe(state: MarketState): string
}

/** A channel whose messages contain its whole state. */
export class StateChannel implements Channel {
  readonly topic: Topic
  readonly subscribers = new Set<Subscriber>()
  version = 0
  private readonly names: string
  private readonly describe: (state: MarketState) => string
  private text: string
  private readonly memory: FrameMemory
  /** Frames of the current block; valid while `epoch` equals the memory's. */
  private made: readonly Buffer[] = []
  private epoch = -1

  /** @param memory  memory that is cleared at every block */
  constructor(topic: Topic, memory: FrameMemory, { names, describe }: Shown, state: MarketState) {
    this.topic = topic
    this.memory = memory
    this.names = names
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
    if (this.epoch !== this.memory.epoch) {
      const head = `{"channel":"${this.topic.channel}","block":${at.block},${this.names}`
      this.made = this.memory.frames(`${head}${this.text}}`)
      this.epoch = this.memory.epoch
    }
    return this.made
  }
}
