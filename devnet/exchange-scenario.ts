// The exchange on a devnet chain: its set-up in the first blocks, then its traders.
// History is thinner than live trading: a block holds about as much, however long it took.

import { buildExchange } from './contracts/exchange.ts'
import { telosProfile, waxProfile } from './contracts/profile.ts'
import { Trader } from './contracts/trader.ts'
import { type NetworkName, networks } from './networks.ts'
import { Random } from './random.ts'
import type { OpenBlock, Scenario } from './scenario.ts'

const SET_UP_PER_BLOCK = 4
/** Transactions of a block, in the daily mean, when blocks are sparse and when they come every half second. */
const PER_SPARSE_BLOCK = 3
const PER_LIVE_BLOCK = 1
const SPARSE_SECONDS = 1

const profiles = { wax: waxProfile, telos: telosProfile } as const

export function exchangeScenario(chain: NetworkName, seed: number): Scenario {
  const profile = profiles[chain]
  const { contracts, genesis } = buildExchange(profile)
  const firstStep = networks[chain].firstBlock + 1
  const setUpBlocks = Math.ceil(genesis.length / SET_UP_PER_BLOCK)
  const random = new Random(`${chain}/${seed}`)
  const activity = { profile, random: () => random.next(), rate: 0 }
  const trader = new Trader(activity)
  let last = 0

  function setUp(block: OpenBlock, step: number): void {
    for (const calls of genesis.slice(step, step + SET_UP_PER_BLOCK)) {
      const result = block.push(calls)
      if (!result.ok) throw new Error(`${chain}: the exchange cannot be set up: ${result.error}`)
    }
  }

  return {
    contracts,
    fill(block, state) {
      const blocks = block.num - firstStep
      if (blocks < setUpBlocks) return setUp(block, blocks * SET_UP_PER_BLOCK)
      const seconds = (block.now - last) / 1000
      last = block.now
      activity.rate = (seconds > SPARSE_SECONDS ? PER_SPARSE_BLOCK : PER_LIVE_BLOCK) / seconds
      for (const calls of trader.next(block.now, (account) => state.tables(account))) block.push(calls)
    },
  }
}
