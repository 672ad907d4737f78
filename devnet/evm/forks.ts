// Occasional reorganisations of a live EVM node: its last blocks are replaced by others with the same transactions in
// the same order, as when another proposer's block wins. Final blocks (two below the head) stay.

import { setTimeout as sleep } from 'node:timers/promises'
import { Random } from '../random.ts'
import { BLOCK_SECONDS, setTimeToNow } from './node.ts'
import type { EvmRpc } from './rpc.ts'

/** Number of blocks up to the head that are not final. */
const REVERSIBLE = 2

interface Block {
  number: string
  timestamp: string
  transactions: string[]
}

/** @returns the last blocks, oldest first */
async function lastBlocks(rpc: EvmRpc, count: number): Promise<Block[]> {
  const head = Number(await rpc.call<string>('eth_blockNumber'))
  const numbers = Array.from({ length: count }, (_, i) => head - count + 1 + i)
  return Promise.all(numbers.map((n) => rpc.call<Block>('eth_getBlockByNumber', `0x${n.toString(16)}`, false)))
}

/**
 * Replaces the last blocks of a live node. Pauses its block timer meanwhile.
 *
 * @param depth  at most REVERSIBLE, so that no final block is replaced
 * @throws RpcError when the node refuses; RangeError for another depth
 */
async function reorganise(rpc: EvmRpc, depth: number): Promise<void> {
  if (!(depth >= 1 && depth <= REVERSIBLE)) throw new RangeError(`a reorganisation of ${depth} blocks`)
  await rpc.call('evm_setIntervalMining', 0)
  try {
    // Lets a block in progress finish; a new block of the same second would equal the old one.
    await sleep(1000 * BLOCK_SECONDS * 0.75)
    const lost = await lastBlocks(rpc, depth)
    const kept = await Promise.all(
      lost.flatMap(({ transactions }, place) =>
        transactions.map(async (hash) => [await rpc.call<string>('eth_getRawTransactionByHash', hash), place]),
      ),
    )
    await rpc.call('anvil_reorg', depth, kept)
    // The node continues from the time of the new branch, whose blocks are one second apart.
    await setTimeToNow(rpc)
  } finally {
    await rpc.call('evm_setIntervalMining', BLOCK_SECONDS)
  }
}

export interface EvmForkOptions {
  seed: string
  /** Mean seconds between reorganisations. */
  everySeconds: number
  /** Called when a reorganisation fails; later ones are still tried. */
  onError?: (error: Error) => void
}

/** @returns stops it, and resolves when the current one is over */
export function startEvmForks(
  rpc: EvmRpc,
  { seed, everySeconds, onError = () => {} }: EvmForkOptions,
): () => Promise<void> {
  const ended = new AbortController()
  const { signal } = ended
  const random = new Random(`${seed}/evm forks`)
  const run = async () => {
    while (!signal.aborted) {
      const wait = everySeconds * (0.5 + random.next()) * 1000
      const depth = 1 + random.int(REVERSIBLE)
      await sleep(wait, undefined, { signal }).catch(() => {})
      if (!signal.aborted) await reorganise(rpc, depth).catch(onError)
    }
  }
  const running = run()
  return async () => {
    ended.abort()
    await running
  }
}
