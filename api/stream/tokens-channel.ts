// All tokens at first, then those whose price has moved: what a subscriber gets depends on what it has seen. Those who
// keep up share one message a block; one that has fallen behind gets all that moved meanwhile in one message.

import type { MarketState } from '../market/model.ts'
import { priceText, tokenText } from '../market-api/token.ts'
import { type Channel, NOTHING, type Subscriber } from './channel.ts'
import { textFrames, textFramesOf } from './frame.ts'

export class TokensChannel implements Channel {
  readonly topic = { channel: 'tokens' } as const
  readonly subscribers = new Set<Subscriber>()
  version = 0
  /** Prices as clients see them; a token without one is not here. */
  private readonly shown = new Map<string, string>()
  /** Version with which a token's price moved last; those that have moved last stand last. */
  private readonly movedAt = new Map<string, number>()
  /** Frames of one block, by what their readers have seen. */
  private made = new Map<number, readonly Buffer[]>()
  private block = ''
  private readonly all: (state: MarketState) => readonly Buffer[]

  /** @param all  the JSON array of all tokens in pieces, as the market API lists them */
  constructor(state: MarketState, all: (state: MarketState) => readonly Buffer[]) {
    this.all = all
    for (const token of state.tokens.keys()) this.look(state, token)
  }

  refresh(state: MarketState, moved: ReadonlySet<string> | null): boolean {
    const found = [...(moved ?? new Set([...state.tokens.keys(), ...this.shown.keys()]))]
    const changed = found.filter((token) => this.look(state, token))
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

  /** Takes notice of a token's price. @returns whether it is another one */
  private look(state: MarketState, token: string): boolean {
    const text = priceText(state, token) ?? undefined
    if (this.shown.get(token) === text) return false
    if (text === undefined) this.shown.delete(token)
    else this.shown.set(token, text)
    return true
  }

  private snapshot(state: MarketState): Buffer[] {
    return textFramesOf(Buffer.concat([Buffer.from(opening(state)), ...this.all(state), Buffer.from('}')]))
  }

  /** None when a fork took away what moved, with its price: then there is nothing to tell of it. */
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
