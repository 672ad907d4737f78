// Chains of a devnet in a process of their own, so that history is made on all cores: the first chain in the main thread,
// the second in another one. Tells its parent the addresses, then that history is made. The chains then go on live.
// Ends with its parent.

import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { NetworkName } from './networks.ts'
import { type ChainAddress, type PartMessage, type PartTask, playPart } from './world-part.ts'

export interface WorldTask extends Omit<PartTask, 'chain' | 'port'> {
  /** One or two. */
  chains: readonly NetworkName[]
}

export interface WorldMessage {
  chains: ChainAddress[]
  ready: boolean
}

const { chains, ...task } = JSON.parse(process.argv[2]!) as WorldTask
process.once('disconnect', () => process.exit(0))

const parts: (PartMessage | undefined)[] = chains.map(() => undefined)

/** Tells the addresses once all are known, and that history is made once it is so on all chains. */
function heard(i: number, part: PartMessage): void {
  parts[i] = part
  if (parts.includes(undefined)) return
  const all = parts as PartMessage[]
  const ready = all.every((other) => other.ready)
  const message: WorldMessage = { chains: all.map(({ address }) => address), ready }
  if (ready || !part.ready) process.send!(message)
}

function startThread(i: number, chain: NetworkName, port: MessagePort): void {
  const workerData: PartTask = { ...task, chain, port }
  const thread = new Worker(new URL('./world-thread.js', import.meta.url), { workerData, transferList: [port] })
  thread.on('message', (message: PartMessage) => heard(i, message))
}

const [first, second] = chains as [NetworkName, NetworkName?]
const { port1, port2 } = new MessageChannel()
if (second) startThread(1, second, port2)
await playPart({ ...task, chain: first, port: second ? port1 : null }, (message) => heard(0, message))
