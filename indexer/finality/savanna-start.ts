// Starts under Savanna: peaks of the finality tree and finalizer policies, confirmed by a strong certificate.

import { FinalityFollower } from '../../core/finality/follower.ts'
import { type FinalityStart, startToJson } from '../../core/finality/start.ts'
import { keepStart, readFollowed, readStart } from '../../finality-store/savanna.ts'
import type { SourceBlock } from '../source/source.ts'
import type { StartKind, StartWalk } from './start-kind.ts'

class SavannaWalk implements StartWalk<FinalityStart> {
  readonly #follower: FinalityFollower

  constructor(chain: string, start: FinalityStart) {
    this.#follower = new FinalityFollower({ chain, bridge: '', start })
  }

  get last(): number | null {
    return this.#follower.last?.block.blockNum ?? null
  }

  get isConfirmed(): boolean {
    return this.#follower.isConfirmed
  }

  get asStart(): FinalityStart | null {
    return this.#follower.asStart
  }

  follow(block: SourceBlock): boolean {
    this.#follower.follow(block, false)
    return true
  }

  rewind(num: number): void {
    this.#follower.rewind(num)
  }
}

export const savannaStart: StartKind<FinalityStart> = {
  confirmation: 'certificate on a block',
  walk: (chain, start) => new SavannaWalk(chain, start),
  keep: keepStart,
  async isFollowed(client, chain, at) {
    const { blocks } = await readFollowed(client, chain, at)
    return blocks.length > 0
  },
  async exported(client, chain, num) {
    const start = await readStart(client, chain)
    const followed = await readFollowed(client, chain, { num, lib: num })
    const last = new FinalityFollower({ chain, bridge: '', start }, followed).asStart
    return last && startToJson(last)
  },
}
