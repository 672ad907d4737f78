// The load generator's process: opens connections, subscribes, and for each round reports when messages came.
import { setTimeout as delay } from 'node:timers/promises'
import { Arrivals } from './arrivals.ts'
import { Reader } from './reader.ts'

export type Order =
  | { kind: 'open'; port: number; subscriptions: object[][]; mute: object[][] }
  /** A block has come: so many messages are to be received. */
  | { kind: 'round'; expected: number }

export type Report =
  | { kind: 'opened'; messages: number }
  /** Nanoseconds of the system's clock at which messages came, sorted; the sum of their hashes. */
  | { kind: 'received'; times: number[]; digest: number }

const origin = BigInt(process.argv[2] as string)
const arrivals = new Arrivals<Reader>(() => Number(process.hrtime.bigint() - origin))
const mute: Reader[] = []
let digest = 0
let times: number[] = []

function onMessage(hash: number, time: number): void {
  digest += hash
  times.push(time)
}

/** Waits for so many messages, and a little for any that should not come. */
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

async function openAll({ port, subscriptions, mute: silent }: Order & { kind: 'open' }): Promise<void> {
  const all: Promise<void>[] = []
  for (const [i, channels] of [...subscriptions, ...silent].entries()) {
    const isMute = i >= subscriptions.length
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
  const wanted = subscriptions.reduce((sum, channels) => sum + channels.length, 0)
  report({ kind: 'opened', messages: (await received(wanted)).times.length })
}

process.on('message', async (order: Order) => {
  if (order.kind === 'open') await openAll(order)
  else report({ kind: 'received', ...(await received(order.expected)) })
})
