// Runs a devnet's chains in a child process that ends with this one.
import { BugError } from '../core/errors.ts'
import { forkSource } from '../devnet/fork-source.ts'
import type { ChainAddress } from '../devnet/simulation-part.ts'
import type { SimulationMessage, SimulationTask } from '../devnet/simulation-process.ts'

export interface SimulatedChains {
  chains: ChainAddress[]
  /** Resolves when the history is complete; the chains are live from then on. */
  ready: Promise<void>
  stop(): void
}

/** Garbage collection on further threads would take CPU time from the other processes. */
const GC_OPTION = '--single-threaded-gc'

/** Starts the chains; resolves when they serve blocks, while their history is still growing. */
export async function startSimulatedChains(task: SimulationTask): Promise<SimulatedChains> {
  const script = new URL('../devnet/simulation-process.ts', import.meta.url)
  // Its own process group, so that Ctrl-C on the terminal reaches only this process, which stops reading first.
  const child = forkSource(script, [JSON.stringify(task)], { execArgv: [GC_OPTION], detached: true })
  const ended = new Promise<never>((_, reject) => {
    child.once('exit', (code, signal) =>
      reject(new BugError('DEVNET_ENDED', `the simulated chains ended (${signal ?? code})`)),
    )
  })
  ended.catch(() => {})
  const message = (): Promise<SimulationMessage> =>
    Promise.race([
      new Promise<SimulationMessage>((resolve) => child.once('message', (value) => resolve(value as never))),
      ended,
    ])
  const { chains } = await message()
  const ready = message().then(() => {})
  ready.catch(() => {})
  return { chains, ready, stop: () => child.kill('SIGKILL') }
}
