// A value outside the tables that is part of a chain's history: forks undo and redo it like rows. Holds the memory of
// the simulation's players from block to block.

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

  /** Replaces the value as part of the current block; the old value must not be changed in place. */
  set value(next: T) {
    const before = this.current
    const assign = (value: T) => {
      this.current = value
    }
    this.state.apply({ undo: () => assign(before), redo: () => assign(next) } satisfies Change)
  }
}
