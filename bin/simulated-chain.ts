// A chain of a devnet in a process of its own, which ends with this one.
import { fork } from 'node:child_process'
import { BugError } from '../core/errors.ts'
import type { ChainAddress, ChainMessage, ChainTask } from '../devnet/chain-process.ts'

export interface SimulatedChain {
  address: ChainAddress
  /** Resolves when history is made; the chain then goes on live. */
  ready: Promise<void>
  stop(): void
}

/** Starts a chain; resolves when it serves blocks, while its history is still being made. */
export async function startSimulatedChain(task: ChainTask): Promise<SimulatedChain> {
  const script = new URL('../devnet/chain-process.ts', import.meta.url)
  // A group of its own: Ctrl-C on the terminal is for us, who stop reading before the chain ends.
  const child = fork(script, [JSON.stringify(task)], { execArgv: ['--import', 'tsx'], detached: true })
  const ended = new Promise<never>((_, reject) => {
    child.once('exit', (code, signal) =>
      reject(new BugError('DEVNET_ENDED', `the simulated chain ${task.chain} ended (${signal ?? code})`)),
    )
  })
  ended.catch(() => {})
  const message = async (): Promise<ChainMessage> =>
    new Promise((resolve) => child.once('message', (value) => resolve(value as ChainMessage)))
  const { address } = await Promise.race([message(), ended])
  const ready = Promise.race([message(), ended]).then(() => {})
  ready.catch(() => {})
  return { address, ready, stop: () => child.kill('SIGKILL') }
}
