// Writes blocks with swaps from a separate process, as an indexer does, so that the measuring process does nothing
// else.
// Run alone: node --import tsx bench/exchange/blocks-process.ts DATABASE_URL CHAIN POOLS [BLOCK_MS]. It runs until it is stopped.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { SwapBlocks } from './swap-blocks.ts'

const OWN = fileURLToPath(import.meta.url)

export class BlocksProcess {
  private readonly child: ChildProcess

  get pid(): number {
    return this.child.pid ?? 0
  }

  private constructor(child: ChildProcess) {
    this.child = child
  }

  /** Starts the process and waits until it writes. @param blockMs  interval of blocks, ms */
  static async start(url: string, chain: string, pools: number, blockMs = 500): Promise<BlocksProcess> {
    const child = fork(OWN, [url, chain, String(pools), String(blockMs)], { execArgv: ['--import', 'tsx'] })
    await once(child, 'message')
    return new BlocksProcess(child)
  }

  /** @returns number of blocks written */
  async stop(): Promise<number> {
    const told = once(this.child, 'message')
    this.child.send('stop')
    const [written] = await told
    return written as number
  }
}

if (process.argv[1] === OWN && process.send !== undefined) {
  const [url = '', chain = '', pools = '', blockMs = '500'] = process.argv.slice(2)
  const blocks = await SwapBlocks.start(url, chain, Number(pools), Number(blockMs))
  process.send('writes')
  await once(process, 'message')
  await blocks.stop()
  process.send(blocks.written)
  process.disconnect()
}
