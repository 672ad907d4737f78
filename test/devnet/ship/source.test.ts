import t from 'tap'
import { Chain } from '../../../devnet/chain/chain.ts'
import { startShip } from '../../../devnet/ship/server.ts'
import { ShipSource } from '../../../indexer/source/ship/source.ts'
import type { PackedBlock } from '../../../indexer/source/source.ts'
import { add, counter } from '../counter.ts'

t.test('the state-history source follows a devnet through forks and broken connections', async (t) => {
  const chain = new Chain({
    chainId: 'cd'.repeat(32),
    seed: 's',
    startTime: Date.parse('2026-01-01'),
    contracts: [counter],
  })
  for (let i = 0; i < 50; i++) chain.produce({ transactions: [[add('alice', 1n)]] })
  const server = await startShip(chain)
  t.teardown(() => server.stop())
  server.faults.disconnect.add(20)
  server.faults.cut.add(40)
  const abort = new AbortController()
  t.teardown(() => abort.abort())
  const source = new ShipSource({ urls: [server.url], chainId: chain.chainId })
  const canonical = new Map<number, string>()
  let forked = false
  for await (const block of source.blocks({ from: 2, have: [] }, abort.signal)) {
    const { num, id, prevId, finality } = block as PackedBlock
    if (canonical.has(num - 1)) t.equal(prevId, canonical.get(num - 1))
    t.ok(finality)
    canonical.set(num, id)
    if (num === 52 && !forked) {
      forked = true
      for (let i = 0; i < 6; i++) chain.produce({ certificate: 'none', transactions: [[add('bob', 1n)]] })
      setTimeout(() => {
        chain.fork(4)
        for (let i = 0; i < 8; i++) chain.produce({ certificate: 'none', transactions: [[add('carol', 1n)]] })
      }, 50)
    }
    if (num === 62) break
  }
  for (let num = 2; num <= 62; num++) t.equal(canonical.get(num), chain.idOf(num), `block ${num}`)
})
