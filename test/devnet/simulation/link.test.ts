// Two parts of a simulation in different threads: they stay in step, and make the same chains as one thread.
import { MessageChannel } from 'node:worker_threads'
import t from 'tap'
import { ExchangeSimulation } from '../../../devnet/simulation/exchange-simulation.ts'
import { Link, type Port } from '../../../devnet/simulation/link.ts'
import { DAY, openSimulation, START } from './open-simulation.ts'

const options = { seed: 6, days: 9, interval: 1_800_000 }

t.test('chains made in two threads equal chains made in one', async (t) => {
  const together = openSimulation((setting) => new ExchangeSimulation(setting), options)
  const { port1, port2 } = new MessageChannel()
  t.teardown(() => port1.close())
  const wax = openSimulation((setting) => new ExchangeSimulation(setting, { port: port1 }), {
    ...options,
    chains: ['wax'] as const,
  })
  const telos = openSimulation((setting) => new ExchangeSimulation(setting, { port: port2 }), {
    ...options,
    chains: ['telos'] as const,
  })
  for (const days of [1, 8.5, 9]) {
    await together.until(START + days * DAY)
    await Promise.all([wax.until(START + days * DAY), telos.until(START + days * DAY)])
    t.equal(wax.lines.wax.chain.head.id, together.lines.wax.chain.head.id, `wax after ${days} days`)
    t.equal(telos.lines.telos.chain.head.id, together.lines.telos.chain.head.id, `telos after ${days} days`)
  }
  const { chain } = telos.lines.telos
  t.ok(chain.tables('gateway.wax').rows('credited', 'gateway.wax').length > 10)
})

/** Both ends of a channel that delivers messages on request. */
function channel() {
  const ends = [0, 1].map(() => ({ queue: [] as unknown[], listener: (_: unknown) => {} }))
  const port = (i: number): Port => ({
    postMessage: (value) => ends[1 - i]!.queue.push(structuredClone(value)),
    on: (_, listener) => {
      ends[i]!.listener = listener
    },
  })
  const deliver = (i: number) => {
    for (const value of ends[i]!.queue.splice(0)) ends[i]!.listener(value)
  }
  return { ports: [port(0), port(1)] as const, deliver, waiting: (i: number) => ends[i]!.queue.length }
}

t.test('a part advances no further than the other promised and than replies may arrive', async (t) => {
  const { ports, deliver, waiting } = channel()
  const heard: { at: number }[] = []
  const here = new Link<{ at: number }, { at: number }>(ports[0], { lag: 20, partnerLag: 70 }, () => {})
  const there = new Link<{ at: number }, { at: number }>(ports[1], { lag: 70, partnerLag: 20 }, (m) => heard.push(m))
  t.equal(here.horizon, Number.NEGATIVE_INFINITY, 'nothing is promised yet')

  here.promise(1_000_000, true)
  there.promise(2_000_000, true)
  deliver(0)
  deliver(1)
  t.equal(here.horizon, 1_000_090, 'an answer to what this part sends in its next block')
  t.equal(there.horizon, 1_000_020, 'what the other part sends in its next block')

  here.promise(1_500_000, true)
  here.send({ at: 1_500_020 })
  t.equal(here.horizon, 1_500_090, 'an answer to the message')
  here.promise(9_000_000, true)
  t.equal(here.horizon, 1_500_090, 'as long as the message may not be seen')
  deliver(1)
  t.same(heard, [{ at: 1_500_020 }])
  t.equal(there.horizon, 1_500_110, 'what comes of its own answer')
  there.promise(1_700_000, true)
  deliver(0)
  t.equal(here.horizon, 1_700_070, 'seen: now its promise holds')

  const changed = there.changed()
  here.promise(9_001_000, false)
  t.equal(waiting(1), 0, 'not worth a packet')
  here.promise(9_500_000, false)
  deliver(1)
  await changed
  t.equal(there.horizon, 1_700_090)
})
