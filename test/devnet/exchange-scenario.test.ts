import t from 'tap'
import { Chain } from '../../devnet/chain/chain.ts'
import { exchangeScenario } from '../../devnet/exchange-scenario.ts'
import { makeHistory } from '../../devnet/history.ts'
import { type NetworkName, networks } from '../../devnet/networks.ts'
import type { OpenBlock } from '../../devnet/scenario.ts'
import { packBlocksResult } from '../../devnet/ship/protocol.ts'
import { Auditor } from './audit.ts'
import { decodeResult, type Plain } from './wharf.ts'

const startTime = Date.parse('2026-02-01T00:00:00Z')
const options = {
  end: startTime + 8 * 3_600_000,
  interval: 120_000,
  lastHourInterval: 60_000,
  certificateEvery: 60,
  policyEvery: 150,
}

async function history(name: NetworkName, seed: number) {
  const { contracts, fill } = exchangeScenario(name, seed)
  const count = { done: 0, refused: 0 }
  const counted = (block: OpenBlock, state: Chain) => {
    const push: OpenBlock['push'] = (calls) => {
      const result = block.push(calls)
      count[result.ok ? 'done' : 'refused']++
      return result
    }
    fill({ num: block.num, now: block.now, push }, state)
  }
  const chain = new Chain({ ...networks[name], seed: String(seed), startTime, contracts })
  await makeHistory(chain, { contracts, fill: (block, state) => counted(block, state as Chain) }, options)
  return { chain, count }
}

for (const name of ['wax', 'telos'] as const) {
  t.test(`${name}: the exchange trades, its blocks stand by themselves`, async (t) => {
    const { chain, count } = await history(name, 5)
    t.ok(count.done > 300, `${count.done} transactions`)
    t.ok(count.refused < count.done / 5, `${count.refused} refused`)
    const auditor = new Auditor(t, chain.firstBlock, 3)
    const names = new Set<string>()
    const tables = new Set<string>()
    for (let num = chain.firstBlock; num <= chain.firstBlock + 80; num++) {
      const { id, prevId, ...parts } = chain.block(num)!
      const prevBlock = prevId === null ? null : { num: num - 1, id: prevId }
      const { head, lib } = chain
      const result = decodeResult(packBlocksResult({ head, lib, thisBlock: { num, id }, prevBlock, ...parts }, 1))
      auditor.check(result)
      const traces = result.traces.flatMap(([, trace]: Plain) => trace.action_traces)
      for (const [, { act }] of traces) names.add(`${act.account}::${act.name}`)
      for (const { data } of result.deltas.find(([, x]: Plain) => x.name === 'contract_row')?.[1].rows ?? []) {
        tables.add(`${data[1].code}/${data[1].table}`)
      }
    }
    for (const action of ['swap.svc::logpool', 'swap.svc::logswap', 'swap.svc::logmint'])
      t.ok(names.has(action), action)
    for (const table of ['swap.svc/pools', 'swap.svc/positions', 'swap.svc/ticks', 'eosio.token/accounts']) {
      t.ok(tables.has(table), table)
    }
  })
}

t.test('the same seed gives the same chain', async (t) => {
  const [one, same, other] = await Promise.all([history('telos', 1), history('telos', 1), history('telos', 2)])
  t.equal(one.chain.head.id, same.chain.head.id)
  t.not(one.chain.head.id, other.chain.head.id)
})
