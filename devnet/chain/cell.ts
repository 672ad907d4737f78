// A value beside the tables that belongs to a chain's history all the same: forks take it back and bring it again, as
// they do rows. What the world around a chain remembers from block to block is kept so.

import type { ChainState, Change } from './state.ts'

export class Cell<T> {
  private readonly state: ChainState
  private current: T

  constructor(state: ChainState, initial: T) {
    this.state = state
    this.current = initial
  }

  get value(): T {
    return this.current
  }

  /** Replaces the value as part of the block in hand; the old one must not be changed in place. */
  set value(next: T) {
    const before = this.current
    const assign = (value: T) => {
      this.current = value
    }
    this.state.apply({ undo: () => assign(before), redo: () => assign(next) } satisfies Change)
  }
}
