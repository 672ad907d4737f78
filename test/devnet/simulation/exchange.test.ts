import t from 'tap'
import { ETHEREUM_DOMAIN } from '../../../devnet/contracts/bridge/domains.ts'
import { packBlocksResult } from '../../../devnet/ship/protocol.ts'
import { ExchangeSimulation } from '../../../devnet/simulation/exchange-simulation.ts'
import { Auditor } from '../audit.ts'
import { decodeResult, type Plain } from '../wharf.ts'
import { DAY, openSimulation, START } from './open-simulation.ts'
import { RecordedSimulation } from './record.ts'

const NAMES = ['wax', 'telos'] as const
const options = { days: 1, interval: 300_000 }

t.test('both chains trade and bridge, and their blocks pass an independent audit', async (t) => {
  const { simulation, lines, until } = openSimulation((setting) => new RecordedSimulation(setting), {
    seed: 5,
    ...options,
  })
  await until(START + DAY / 3)
  t.ok(simulation.accepted > 400, `${simulation.accepted} transactions`)
  t.ok(simulation.refused.length < simulation.accepted / 10, `${simulation.refused.length} refused`)
  for (const name of NAMES) {
    const { chain } = lines[name]
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
    const own = name === 'wax' ? 'bridge.svc::deplog' : 'gateway.wax::credit'
    for (const action of ['swap.svc::logpool', 'swap.svc::logswap', 'swap.svc::logmint', own])
      t.ok(names.has(action), `${name}: ${action}`)
    for (const table of ['swap.svc/pools', 'swap.svc/positions', 'swap.svc/ticks', 'eosio.token/accounts'])
      t.ok(tables.has(table), `${name}: ${table}`)
  }
})

t.test('the same seed gives the same chains', async (t) => {
  const heads = async (seed: number) => {
    const { lines, until } = openSimulation((setting) => new ExchangeSimulation(setting), { seed, ...options })
    await until(START + DAY / 2)
    return NAMES.map((name) => lines[name].chain.head.id)
  }
  const first = await heads(1)
  t.same(await heads(1), first)
  const other = await heads(2)
  t.ok(NAMES.every((_, i) => other[i] !== first[i]))
})

t.test('history made in two steps equals history made in one', async (t) => {
  const heads = async (stops: number[]) => {
    const { lines, until } = openSimulation((setting) => new ExchangeSimulation(setting), { seed: 3, ...options })
    for (const stop of stops) await until(START + stop)
    return NAMES.map((name) => lines[name].chain.head.id)
  }
  t.same(await heads([DAY / 4, DAY / 3, DAY / 2]), await heads([DAY / 2]))
})

t.test('telos alone: the EVM side works, and journeys to wax have no backing and bounce', async (t) => {
  const days = 4
  const options = { seed: 1, days, interval: 1_200_000, chains: ['telos'] as const }
  const { simulation, until } = openSimulation((setting) => new RecordedSimulation(setting), options)
  await until(START + days * DAY)
  const on = (name: string) => simulation.entries('telos', 'bridge.svc', name).map(({ data }) => data)
  t.ok(on('settlelog').some(({ released }) => released))
  t.ok(on('wdlog').every(({ domain }) => domain === ETHEREUM_DOMAIN))
  t.ok(on('bouncelog').length > 2)
  t.ok(simulation.refused.some(({ error }) => error === 'the route has too little backing'))
})
