// The chains of a devnet in a process of their own, which ends with this one.
import { fork } from 'node:child_process'
import { BugError } from '../core/errors.ts'
import type { ChainAddress } from '../devnet/world-part.ts'
import type { WorldMessage, WorldTask } from '../devnet/world-process.ts'

export interface SimulatedChains {
  chains: ChainAddress[]
  /** Resolves when history is made; the chains then go on live. */
  ready: Promise<void>
  stop(): void
}

/** Collecting garbage on the other threads as well takes time that they need. */
const COLLECTION = '--single-threaded-gc'

/** Starts chains; resolves when they serve blocks, while their history is still being made. */
export async function startSimulatedChains(task: WorldTask): Promise<SimulatedChains> {
  const script = new URL('../devnet/world-process.ts', import.meta.url)
  // A group of its own: Ctrl-C on the terminal is for us, who stop reading before the chains end.
  const child = fork(script, [JSON.stringify(task)], { execArgv: [COLLECTION, '--import', 'tsx'], detached: true })
  const ended = new Promise<never>((_, reject) => {
    child.once('exit', (code, signal) =>
      reject(new BugError('DEVNET_ENDED', `the simulated chains ended (${signal ?? code})`)),
    )
  })
  ended.catch(() => {})
  const message = (): Promise<WorldMessage> =>
    Promise.race([
      new Promise<WorldMessage>((resolve) => child.once('message', (value) => resolve(value as never))),
      ended,
    ])
  const { chains } = await message()
  const ready = message().then(() => {})
  ready.catch(() => {})
  return { chains, ready, stop: () => child.kill('SIGKILL') }
}
