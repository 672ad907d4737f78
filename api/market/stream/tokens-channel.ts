// The channel of all tokens: a snapshot first, then the tokens whose price has changed since the subscriber's version.
// Subscribers with the same version share one message; one that lags gets all changes since its version in one message.

import type { MarketState } from '../../live-market/model.ts'
import { priceText, tokenText } from '../token.ts'
import { type Channel, NOTHING, type Subscriber } from './channel.ts'
import { textFrames, textFramesOf } from './frame.ts'

export class TokensChannel implements Channel {
  readonly topic = { channel: 'tokens' } as const
  readonly subscribers = new Set<Subscriber>()
  version = 0
  /** Prices of the current version as text, without tokens that have no price. */
  private readonly shown = new Map<string, string>()
  /** Version of each token's last price change, in order of the changes. */
  private readonly movedAt = new Map<string, number>()
  /** Frames of the current block, by the subscribers' seen version. */
  private made = new Map<number, readonly Buffer[]>()
  private block = ''
  private readonly all: (state: MarketState) => readonly Buffer[]

  /** @param all  gives the JSON array of all tokens in pieces, as in the market API */
  constructor(state: MarketState, all: (state: MarketState) => readonly Buffer[]) {
    this.all = all
    for (const token of state.tokens.keys()) this.record(state, token)
  }

  refresh(state: MarketState, moved: ReadonlySet<string> | null): boolean {
    const found = [...(moved ?? new Set([...state.tokens.keys(), ...this.shown.keys()]))]
    const changed = found.filter((token) => this.record(state, token))
    if (changed.length === 0) return false
    this.version++
    for (const token of changed) {
      this.movedAt.delete(token)
      this.movedAt.set(token, this.version)
    }
    return true
  }

  frames(state: MarketState, seen: number): readonly Buffer[] {
    if (seen === this.version) return []
    if (this.block !== state.at.id) {
      this.block = state.at.id
      this.made = new Map()
    }
    let frames = this.made.get(seen)
    if (frames === undefined) {
      frames = seen === NOTHING ? this.snapshot(state) : this.update(state, seen)
      this.made.set(seen, frames)
    }
    return frames
  }

  /** Records a token's current price. @returns whether it has changed */
  private record(state: MarketState, token: string): boolean {
    const text = priceText(state, token) ?? undefined
    if (this.shown.get(token) === text) return false
    if (text === undefined) this.shown.delete(token)
    else this.shown.set(token, text)
    return true
  }

  private snapshot(state: MarketState): Buffer[] {
    return textFramesOf(Buffer.concat([Buffer.from(opening(state)), ...this.all(state), Buffer.from('}')]))
  }

  /** Empty if a fork removed all tokens that have changed. */
  private update(state: MarketState, seen: number): Buffer[] {
    const texts: string[] = []
    for (const [id, version] of this.movedAt) {
      const token = state.tokens.get(id)
      if (version > seen && token !== undefined) texts.push(tokenText(state, token))
    }
    return texts.length === 0 ? [] : textFrames(`${opening(state)}[${texts}]}`)
  }
}

function opening({ at }: MarketState): string {
  return `{"channel":"tokens","block":${at.block},"tokens":`
}
