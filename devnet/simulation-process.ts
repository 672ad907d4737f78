// Chains of a devnet in a separate process, so that all cores make history: the first chain in the main thread, the
// second in another thread. Reports the addresses to its parent, then the end of history. Then the chains go live. Ends
// with its parent.

import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { required } from '../core/required.ts'
import type { NetworkName } from './networks.ts'
import { type ChainAddress, type PartMessage, type PartTask, playPart } from './simulation-part.ts'

export interface SimulationTask extends Omit<PartTask, 'chain' | 'port'> {
  /** One or two. */
  chains: readonly NetworkName[]
}

export interface SimulationMessage {
  chains: ChainAddress[]
  ready: boolean
}

const { chains, ...task } = JSON.parse(required(process.argv[2], 'task')) as SimulationTask
process.once('disconnect', () => process.exit(0))

const parts: (PartMessage | undefined)[] = chains.map(() => undefined)

/** Reports the addresses once all are known, and the end of history once all chains have reached it. */
function receive(i: number, part: PartMessage): void {
  parts[i] = part
  if (parts.includes(undefined)) return
  const all = parts as PartMessage[]
  const ready = all.every((other) => other.ready)
  const message: SimulationMessage = { chains: all.map(({ address }) => address), ready }
  if (ready || !part.ready) process.send?.(message)
}

function startThread(i: number, chain: NetworkName, port: MessagePort): void {
  const workerData: PartTask = { ...task, chain, port }
  const thread = new Worker(new URL('./simulation-thread.js', import.meta.url), { workerData, transferList: [port] })
  thread.on('message', (message: PartMessage) => receive(i, message))
}

const [first, second] = chains as [NetworkName, NetworkName?]
const { port1, port2 } = new MessageChannel()
if (second) startThread(1, second, port2)
await playPart({ ...task, chain: first, port: second ? port1 : null }, (message) => receive(0, message))
