import t from 'tap'
import { Chain } from '../../devnet/chain/chain.ts'
import { startDevnet } from '../../devnet/devnet.ts'
import { makeHistory } from '../../devnet/history.ts'
import { type Scenario, type Simulation, simplePlayer } from '../../devnet/scenario.ts'
import { packBlocksResult } from '../../devnet/ship/protocol.ts'
import { Auditor } from './audit.ts'
import { add, counter } from './counter.ts'
import { ShipClient } from './ship/client.ts'
import { decodeResult, type Plain } from './wharf.ts'

const end = Date.parse('2026-03-10T15:30:00Z')
const scenario = (seed: number): Scenario => ({
  contracts: [counter],
  play: () =>
    simplePlayer((block) => {
      block.push([add(['alice', 'bob', 'carol'][(block.num + seed) % 3]!, 1n)])
      block.push([add('dave', 0n)])
    }),
})
const ALONE = { externalEvents: null, partner: null }
const base = {
  chains: ['wax', 'telos'] as const,
  simulation: ({ seed }: { seed: number }): Simulation => ({ scenario: () => scenario(seed), ...ALONE }),
  days: 2,
  seed: 7,
  end,
  interval: 600_000,
  lastHourInterval: 60_000,
}

t.test('history: full days, several chains, the same for the same seed and end time', async (t) => {
  const heads = async (seed: number) => {
    const net = await startDevnet({ ...base, seed, live: false })
    await net.ready
    const { chains } = net
    await net.stop()
    for (const { chain } of chains) {
      t.equal(chain.startTime, Date.parse('2026-03-08T00:00:00Z'))
      t.ok(chain.headTime > end - 60_000 && chain.headTime <= end)
    }
    t.same(
      chains.map(({ firstBlock }) => firstBlock),
      [300_000_000, 400_000_000],
    )
    return chains.map(({ chain }) => chain.head.id)
  }
  const first = await heads(7)
  t.same(await heads(7), first)
  t.not((await heads(8))[0], first[0])
  t.not(first[0], first[1])
})

t.test('live blocks follow history, two a second, and irreversibility catches up', async (t) => {
  const net = await startDevnet({ ...base, days: 1, end: Date.now(), chains: ['telos'] })
  t.teardown(() => net.stop())
  await net.ready
  const [telos] = net.chains
  const from = telos!.chain.head.num - 3
  const client = new ShipClient(telos!.ship)
  t.teardown(() => client.close())
  await client.blocks(from)
  const results = await client.results(9)
  const live: Plain[] = results.slice(5).map((result) => result.block)
  const times = live.map(({ timestamp }) => Date.parse(`${timestamp}Z`))
  for (const [i, time] of times.slice(1).entries()) t.equal((time - times[i]!) % 500, 0, 'whole slots')
  t.ok(Math.abs(Date.now() - times.at(-1)!) < 60_000, 'blocks have the time of day')
  const lags = results
    .slice(6)
    .map(({ last_irreversible, this_block }: Plain) => this_block.block_num - last_irreversible.block_num)
  t.ok(lags.includes(2), 'a lag of two blocks')
  t.ok(
    lags.every((blocks: number) => blocks >= 2 && blocks <= 4),
    'a little more where a certificate is missing or weak',
  )
  const info = (await (await fetch(`${telos!.http}/v1/chain/get_info`, { method: 'POST' })).json()) as Plain
  t.equal(info.chain_id, telos!.chainId)
})

t.test('history passes an independent audit across policy changes', async (t) => {
  const { contracts, play } = scenario(1)
  const options = { interval: 60_000, lastHourInterval: 30_000, certificateEvery: 20, policyEvery: 70 }
  const startTime = end - 3 * 3_600_000
  const chain = new Chain({ chainId: '00'.repeat(32), seed: 'history', startTime, contracts, firstBlock: 100 })
  await makeHistory([{ chain, player: play(chain) }], ALONE, { end, ...options })
  t.equal(chain.head.num - 100, 120 + 120)
  const auditor = new Auditor(t, 100, 2)
  const generations = new Set<number>()
  for (let num = 100; num <= chain.head.num; num++) {
    const { id, prevId, ...parts } = chain.block(num)!
    const prevBlock = prevId === null ? null : { num: num - 1, id: prevId }
    const { head, lib } = chain
    const result = decodeResult(packBlocksResult({ head, lib, thisBlock: { num, id }, prevBlock, ...parts }, 1))
    auditor.check(result)
    generations.add(result.finality_data.active_finalizer_policy_generation)
  }
  t.same([...generations], [1, 2, 3, 4])
  t.same(new Set(auditor.certificates.map(({ joint }) => joint)), new Set([false, true]))
})

t.test('a devnet can be stopped during history', async (t) => {
  const net = await startDevnet({ ...base, days: 30, interval: 1000 })
  await net.stop()
  t.ok(net.chains.every(({ chain }) => chain.headTime < end))
})
