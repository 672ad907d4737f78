// The load generator's process: opens connections, subscribes, and for each block reports the arrival times of messages
// and whether they are the expected ones.
import { setTimeout as delay } from 'node:timers/promises'
import { testChain } from '../../test/support/api.ts'
import { Arrivals } from './arrivals.ts'
import { BenchMarket, type Touch } from './market.ts'
import { Reader } from './reader.ts'
import { madeVenues } from './venues.ts'
import { SIZE, type Topic, Watched } from './watched.ts'

export type Order =
  | { kind: 'open'; port: number; subscriptions: Topic[][] }
  /** Connect clients that subscribe and never read. */
  | { kind: 'mute'; port: number; subscriptions: object[][] }
  /** Disconnect them. */
  | { kind: 'leave' }
  /** A block will come at once. */
  | { kind: 'wake' }
  /** A block has come. */
  | { kind: 'round'; touch: Touch }

export type Report =
  | { kind: 'opened'; messages: number }
  /**
   * Arrival times of messages, sorted, nanoseconds since the benchmark's start; and whether they are the expected
   * messages.
   */
  | { kind: 'received'; times: number[]; bytes: number; isComplete: boolean }

const origin = BigInt(process.argv[2] as string)
const arrivals = new Arrivals<Reader>(() => Number(process.hrtime.bigint() - origin))
/** A copy of the server's market, so that checking costs the server nothing. */
const market = new BenchMarket(testChain('wax'), madeVenues(SIZE))
const mute: Reader[] = []
let watched = new Watched(market.state, [])
let digest = 0
let times: number[] = []

function onMessage(hash: number, time: number): void {
  digest += hash
  times.push(time)
}

/** Waits for the expected number of messages, and a little longer for unexpected ones. */
async function received(expected: number): Promise<{ times: number[]; digest: number }> {
  const look = () => arrivals.take((reader, bytes, time) => reader.receive(bytes, time))
  for (look(); times.length < expected; look()) await delay(5)
  await delay(5)
  look()
  const found = { times, digest }
  times = []
  digest = 0
  return found
}

function report(message: Report): void {
  process.send?.(message)
}

async function openAll(port: number, subscriptions: readonly object[][], isMute: boolean): Promise<void> {
  const all: Promise<void>[] = []
  for (const [i, channels] of subscriptions.entries()) {
    const reader = new Reader(port, arrivals, isMute ? () => {} : onMessage)
    all.push(
      reader.open.then(() => {
        for (const channel of channels) reader.send({ op: 'subscribe', ...channel })
        if (!isMute) return
        mute.push(reader)
        reader.socket.pause()
      }),
    )
    if (i % 100 === 99) await Promise.all(all)
  }
  await Promise.all(all)
}

async function checkBlock(touch: Touch): Promise<void> {
  market.advance(market.read(touch))
  const expected = watched.expected()
  const found = await received(expected.messages)
  const isComplete = found.times.length === expected.messages && found.digest === expected.digest
  report({ kind: 'received', times: found.times, bytes: expected.bytes, isComplete })
}

process.on('message', async (order: Order) => {
  if (order.kind === 'wake') arrivals.wake()
  else if (order.kind === 'round') await checkBlock(order.touch)
  else if (order.kind === 'leave') for (const { socket } of mute.splice(0)) socket.destroy()
  else {
    const { kind, port, subscriptions } = order
    if (kind === 'open') watched = new Watched(market.state, subscriptions.flat())
    await openAll(port, subscriptions, kind === 'mute')
    const messages = kind === 'open' ? (await received(subscriptions.flat().length)).times.length : 0
    report({ kind: 'opened', messages })
  }
})
