// After a fork of a chain, the simulation around it is restored as well: traders, agendas, pending tasks.
import t from 'tap'
import { readSignedBlock } from '../../../core/antelope/block.ts'
import { slotToMs } from '../../../core/antelope/time.ts'
import { finalityExtensionOf } from '../../../core/finality/finality-extension.ts'
import type { Line } from '../../../devnet/history.ts'
import type { NetworkName } from '../../../devnet/networks.ts'
import { ExchangeSimulation } from '../../../devnet/simulation/exchange-simulation.ts'
import { readLegs } from './legs.ts'
import { DAY, openSimulation, START } from './open-simulation.ts'
import { RecordedSimulation } from './record.ts'

const HOUR = 3_600_000
const options = { seed: 4, days: 2, interval: 1_200_000 }
const NAMES = ['wax', 'telos'] as const

/** Ids of the reversible blocks of a chain, oldest first. */
function reversible({ chain }: Line): string[] {
  const { num } = chain.lib
  return Array.from({ length: chain.head.num - num }, (_, i) => chain.idOf(num + 1 + i)!)
}

function makeBlock({ chain, player }: Line, time: number, certificate: 'strong' | 'none'): string {
  const block = chain.begin(time)
  player.fill(block)
  return block.finish(certificate).id
}

/** A time when both chains have reversible blocks. */
async function forkable({ lines, until }: Pick<ReturnType<typeof openSimulation>, 'lines' | 'until'>, from: number) {
  for (let time = from; ; time += HOUR) {
    await until(time)
    if (NAMES.every((name) => reversible(lines[name]).length >= 4)) return
  }
}

t.test('a branch with the same block times equals the first one: all state was restored', async (t) => {
  const opened = openSimulation((setting) => new ExchangeSimulation(setting), options)
  await forkable(opened, START + DAY)
  for (const name of NAMES) {
    const line = opened.lines[name]
    const { chain } = line
    const ids = reversible(line)
    const plans = ids.map((_, i) => planOf(line, chain.lib.num + 1 + i))
    chain.fork(ids.length)
    const again = plans.map(({ time, certificate }) => makeBlock(line, time, certificate))
    t.ok(ids.length >= 4)
    t.equal(
      again.findIndex((id, i) => id !== ids[i]),
      -1,
      name,
    )
  }
})

t.test('an abandoned branch leaves no trace on either chain', async (t) => {
  const head = async (disturb: boolean) => {
    const opened = openSimulation((setting) => new ExchangeSimulation(setting), options)
    await forkable(opened, START + DAY)
    for (const name of disturb ? NAMES : []) {
      const line = opened.lines[name]
      const { chain } = line
      const { id } = chain.head
      const depth = reversible(line).length
      const last = chain.headTime
      chain.fork(depth)
      for (let time = chain.headTime + 500; time < last; time += 700_000) makeBlock(line, time, 'none')
      t.not(chain.head.id, id)
      chain.switchTo(id)
    }
    await opened.until(START + 1.5 * DAY)
    return NAMES.map((name) => opened.lines[name].chain.head.id)
  }
  t.same(await head(true), await head(false))
})

t.test('messages of an orphaned branch are delivered again, once', async (t) => {
  const opened = openSimulation((setting) => new RecordedSimulation(setting), options)
  const { simulation, lines, until } = opened
  let undone = 0
  for (let time = START + 6 * HOUR; time < START + 2 * DAY - 2 * HOUR; time += 2 * HOUR) {
    await until(time)
    for (const name of NAMES) undone += forkAway(lines[name])
  }
  await until(START + 2 * DAY)
  t.ok(undone > 100, `${undone} blocks were undone`)
  const once = (chain: NetworkName, account: string, log: string, key: (data: Record<string, unknown>) => string) => {
    const keys = simulation.entries(chain, account, log).map(({ data }) => key(data))
    t.equal(new Set(keys).size, keys.length, `${log} once`)
    return keys
  }
  const nonces = once('wax', 'bridge.svc', 'deplog', ({ nonce }) => String(nonce))
  const paid = once('wax', 'bridge.svc', 'paylog', ({ id }) => String(id))
  const burned = once('telos', 'bridge.svc', 'wdlog', ({ id }) => String(id))
  once('telos', 'gateway.wax', 'credit', ({ nonce }) => String(nonce))
  once('telos', 'gateway.evm', 'credit', ({ nonce }) => String(nonce))
  once('telos', 'hop.svc', 'hoplog', ({ id }) => String(id))
  t.same(nonces, [...nonces.keys()].map(String), 'without gaps')
  t.same(burned, [...burned.keys()].map(String))
  t.ok(
    paid.every((id) => burned.includes(id)),
    'only what is burned on the branch that stayed',
  )
  for (const [key, steps] of readLegs(simulation).deposits) {
    if (key.startsWith('d:1:')) continue
    t.equal(steps[0]?.status, 'seen', `${key} was deposited`)
    if (steps[0]!.time < START + 2 * DAY - HOUR) t.ok(steps.length > 2, `${key} arrived`)
  }
})

/** Replaces all reversible blocks by blocks with slightly larger intervals. @returns number of replaced blocks */
function forkAway(line: Line): number {
  const { chain } = line
  const depth = reversible(line).length
  const last = chain.headTime
  chain.fork(depth)
  for (let time = chain.headTime + 500; time < last; time += 700_000)
    makeBlock(line, time, line.player.waiting ? 'strong' : 'none')
  return depth
}

/** The time of a block and its certificate. */
function planOf({ chain }: Line, num: number) {
  const { header } = readSignedBlock(chain.block(num)!.block)
  const certified = finalityExtensionOf(header)?.claim.blockNum === num - 1
  return { time: slotToMs(header.timestamp), certificate: certified ? ('strong' as const) : ('none' as const) }
}
