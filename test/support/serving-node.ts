// A state-history node that keeps some blocks and sends them as they are.
import { toFrame } from '../../indexer/source/packed-block.ts'
import { ReplaySource } from '../../indexer/source/replay.ts'
import type { PackedBlock } from '../../indexer/source/source.ts'
import { type ReceivedRequest, ShipServer } from './ship-server.ts'

const small = new URL('../fixtures/recordings/small.ship.gz', import.meta.url).pathname

/** The used part of a tap test. */
interface Test {
  teardown(work: () => unknown): unknown
}

/** @returns the node's address; it is stopped at the end of the test */
export async function nodeServing(t: Test, blocks: readonly PackedBlock[], chainId: string): Promise<string> {
  const first = blocks[0]!.num
  const { num, id } = blocks.at(-1)!
  const range = { begin: first, end: num + 1 }
  const head = { num, id }
  const replay = new ReplaySource(small)
  for await (const _ of replay.blocks({ from: 0, have: [], to: 2 }, new AbortController().signal)) break
  const server = await ShipServer.start({
    ...{ abi: replay.abi!, version: 1 },
    status: () => ({ head, lib: head, chainId, traces: range, deltas: range, finality: range }),
    *blocks({ start, end }: ReceivedRequest) {
      for (const block of blocks.slice(start - first, end - first))
        yield { raw: toFrame({ ...block, head, lib: head }) }
    },
  })
  t.teardown(() => server.stop())
  return server.url
}
