// The EVM node of a devnet: anvil with Prague rules on the loopback interface; blocks are final two below the head.
// Mines no block by itself before `goLive`. Ends with the process that started it.

import { type ChildProcess, spawn } from 'node:child_process'
import { BugError } from '../../core/errors.ts'
import { ADDRESSES } from './accounts.ts'
import { EvmRpc } from './rpc.ts'

const EVM_CHAIN_ID = 1
/** Seconds between live blocks. */
export const BLOCK_SECONDS = 2
/** Balance of each account. */
const ETHER = 1_000_000
/** Number of recent states that can be queried; events and receipts of all blocks are kept. */
const MAX_STATES = 64
const START_MS = 30_000
/** Limit of captured output, characters. */
const MAX_TEXT = 100_000

/** Runs a program until its standard input closes. That happens when the parent process ends, however it ends. */
const GUARD = [
  'exec 3<&0',
  '"$0" "$@" & program=$!',
  '{ while read -r _ <&3; do :; done; kill $program; } & guard=$!',
  'wait $program; code=$?',
  'kill $guard 2>/dev/null',
  'exit $code',
].join('\n')

export interface EvmNode {
  /** `http://127.0.0.1:…` */
  url: string
  stop(): Promise<void>
}

export interface EvmNodeOptions {
  /** Path of the program (program.ts). */
  path: string
  /** Unix milliseconds of the first block. */
  start: number
}

/** @throws BugError DEVNET_EVM when it does not start serving */
export async function startEvmNode({ path, start }: EvmNodeOptions): Promise<EvmNode> {
  const flags: readonly (readonly string[])[] = [
    ['--host', '127.0.0.1'],
    ['--port', '0'],
    ['--chain-id', `${EVM_CHAIN_ID}`],
    ['--hardfork', 'prague'],
    ['--slots-in-an-epoch', '1'],
    ['--accounts', `${ADDRESSES.length}`],
    ['--balance', `${ETHER}`],
    ['--timestamp', `${Math.floor(start / 1000)}`],
    ['--prune-history', `${MAX_STATES}`],
    ['--order', 'fifo'],
    ['--no-mining'],
  ]
  const guard = process.platform === 'win32' ? [path] : ['sh', '-c', GUARD, path]
  const [program, ...leading] = guard as [string, ...string[]]
  const child = spawn(program, [...leading, ...flags.flat()], { detached: process.platform !== 'win32' })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  // The process may end before its input closes.
  child.stdin.on('error', () => {})
  const stop = async () => {
    child.stdin.end()
    if (process.platform === 'win32') child.kill()
    await ended
  }
  try {
    return { url: `http://127.0.0.1:${await listeningPort(child)}`, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Starts mining by the clock. */
export async function goLive(url: string): Promise<void> {
  const rpc = new EvmRpc(url)
  await setTimeToNow(rpc)
  await rpc.call('evm_setIntervalMining', BLOCK_SECONDS)
}

/** Sets the node's clock. */
export async function setTimeToNow(rpc: EvmRpc): Promise<void> {
  await rpc.call('evm_setTime', Math.floor(Date.now() / 1000))
}

/** Port from anvil's output. */
function listeningPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = ''
    const fail = (what: string) => {
      clearTimeout(timer)
      reject(new BugError('DEVNET_EVM', `anvil ${what}: ${text.slice(-1000)}`))
    }
    const timer = setTimeout(() => fail('does not serve'), START_MS)
    const read = (chunk: Buffer) => {
      if (text.length > MAX_TEXT) return
      text += chunk
      const port = /Listening on [^\s:]+:(\d+)/.exec(text)?.[1]
      if (!port) return
      clearTimeout(timer)
      resolve(Number(port))
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('error', (error) => fail(error.message))
    child.once('exit', (code) => fail(`ended with ${code}`))
  })
}
