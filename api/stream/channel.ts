// What is pushed of one topic. Its text and its frames are made once and shared by all who are subscribed.
import type { MarketState } from '../market/model.ts'
import type { FrameMemory } from './frame-memory.ts'
import type { Topic } from './topic.ts'

/** Who is told that a channel has something new. */
export interface Subscriber {
  /** A channel that it is subscribed to has a new version: has that sent as soon as the connection takes it. */
  behind(channel: Channel): void
}

/** What a subscriber has seen that has seen nothing yet. */
export const NOTHING = -1

export interface Channel {
  readonly topic: Topic
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
   * Frames for a subscriber, of the newest state; none when it has seen it all. They are to be sent at once, or copied.
   *
   * @param seen  version that the subscriber has, or NOTHING
   */
  frames(state: MarketState, seen: number): readonly Buffer[]
}

/** What a channel shows: its members up to the state, and the state as JSON. */
export interface Shown {
  names: string
  describe(state: MarketState): string
}

/** A channel whose every message is its whole state. */
export class StateChannel implements Channel {
  readonly topic: Topic
  readonly subscribers = new Set<Subscriber>()
  version = 0
  private readonly names: string
  private readonly describe: (state: MarketState) => string
  private text: string
  private readonly memory: FrameMemory
  /** Frames of the present block, when they stand in what the memory holds now. */
  private made: readonly Buffer[] = []
  private epoch = -1

  /** @param memory  cleared with every block */
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
