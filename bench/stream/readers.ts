// The load generator's process: opens connections, subscribes, and for each round reports when messages came.
import { Reader } from './reader.ts'

export type Order =
  | { kind: 'open'; port: number; subscriptions: object[][]; mute: object[][] }
  /** A block comes: so many messages are to be received. */
  | { kind: 'round'; expected: number }

export type Report =
  | { kind: 'opened'; messages: number }
  /** Nanoseconds of the system's clock at which messages came, sorted; the sum of their hashes. */
  | { kind: 'received'; times: number[]; digest: number }

let count = 0
let digest = 0
let expected = Number.POSITIVE_INFINITY
let times: number[] = []
const origin = Number(process.argv[2])
const mute: Reader[] = []

function onMessage(hash: number): void {
  count++
  digest += hash
  times.push(Number(process.hrtime.bigint() - BigInt(origin)))
  if (count >= expected) finish()
}

function finish(): void {
  report({ kind: 'received', times, digest })
  count = 0
  digest = 0
  times = []
  expected = Number.POSITIVE_INFINITY
}

function report(message: Report): void {
  process.send?.(message)
}

async function openAll({ port, subscriptions, mute: silent }: Order & { kind: 'open' }): Promise<void> {
  const all: Promise<void>[] = []
  for (const [i, channels] of [...subscriptions, ...silent].entries()) {
    const isMute = i >= subscriptions.length
    const reader = new Reader(port, isMute ? () => {} : onMessage)
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
  while (count < wanted) await new Promise((resolve) => setTimeout(resolve, 10))
  const messages = count
  count = 0
  digest = 0
  times = []
  report({ kind: 'opened', messages })
}

process.on('message', (order: Order) => {
  if (order.kind === 'open') void openAll(order)
  else {
    expected = order.expected
    if (count >= expected) finish()
  }
})
