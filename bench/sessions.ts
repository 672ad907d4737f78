// Blocks a second of one state-history node by its number of sessions. Like a real node, the devnet's serves all sessions
// from one thread; a block takes two milliseconds of it.
// Usage: node --import tsx bench/sessions.ts [blocks]
import { Chain } from '../devnet/chain/chain.ts'
import { startShip } from '../devnet/ship/server.ts'
import { CatchUpSource } from '../indexer/source/ship/catch-up.ts'
import { ShipSource } from '../indexer/source/ship/source.ts'
import { hardware } from './support/hardware.ts'

const count = Number(process.argv[2] || 2000)
const BLOCK_MS = 2

console.log(hardware())
const startTime = Date.parse('2026-01-01T00:00:00Z')
const chain = new Chain({ chainId: 'ab'.repeat(32), seed: 'sessions', startTime, contracts: [], legacyLag: 4 })
for (let i = 0; i < count; i++) chain.produce()
const node = await startShip(chain, { blockMs: BLOCK_MS })
for (const sessions of [1, 2, 4, 8]) {
  const ship = new ShipSource({ urls: [node.url], chain: 'wax' })
  const source = sessions === 1 ? ship : new CatchUpSource(ship, { sessions, queueBytes: 32 << 20 })
  const started = performance.now()
  let blocks = 0
  const start = { from: 2, have: [], to: chain.lib.num }
  for await (const _ of source.blocks(start, new AbortController().signal)) blocks++
  const seconds = (performance.now() - started) / 1000
  console.log(`${sessions} sessions: ${Math.round(blocks / seconds)} blocks/s`)
}
await node.stop()
