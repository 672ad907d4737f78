// The market stream: time from a block until the last of many readers has its changes, and whether all messages arrive.
// The server is the real one on a market in memory (bench/stream/market.ts); then `ws` sends the same channels
// (bench/stream/ws-server.ts). The readers run in another process, which computes the expected messages from its own
// market. Where the system allows it, each process is pinned to one core.
// Usage, with the program's own options, and garbage collection before memory is measured:
// node --max-semi-space-size=64 --v8-pool-size=1 --expose-gc --import tsx bench/stream.ts
//   [connections] [subscriptions each] [rounds] [readers that never read] [ours|ws ...]

import { CONTENDERS, type Contender } from './stream/contender.ts'
import { type Figures, measure } from './stream/measure.ts'
import { hardware } from './support/hardware.ts'

const [connections = 1000, each = 20, rounds = 100, mute = 100] = process.argv.slice(2, 6).map(Number)
const named = process.argv.slice(6)
const chosen = CONTENDERS.filter((name) => named.length === 0 || named.includes(name))

console.log(hardware())
const results = new Map<Contender, Figures[]>()
for (const contender of chosen) {
  console.log(`\n${contender}`)
  results.set(contender, await measure(contender, { connections, each, rounds, mute }))
}
const [ours, ws] = CONTENDERS.map((name) => results.get(name))
if (ours !== undefined && ws !== undefined) {
  console.log('\nws in terms of ours')
  for (const [i, one] of ours.entries()) {
    const other = ws[i] as Figures
    const times = (key: 'p50' | 'p99' | 'last' | 'work') => (other[key] / one[key]).toFixed(2)
    console.log(
      `${one.name}: received p50 x ${times('p50')}, p99 x ${times('p99')}; last message p50 x ${times('last')}; processor x ${times('work')}`,
    )
  }
}
