// One measurement of a node's logs in this process: processor seconds and wall time.
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { toHex } from '../../core/hex.ts'
import { sha256 } from '../../core/sha256.ts'
import { AbiBook } from '../../indexer/decode/abi-book.ts'
import { decodeBlock } from '../../indexer/decode/decode-block.ts'
import { Watch } from '../../indexer/decode/watch.ts'
import { Projector } from '../../indexer/project/projector.ts'
import { LogSource } from '../../indexer/source/logs/source.ts'
import type { BlockRange } from '../../indexer/source/ranges.ts'
import type { BlockSource, PackedBlock } from '../../indexer/source/source.ts'
import { exchangeAbis } from '../blocks/chain.ts'
import { processorMs } from '../decode/processor.ts'
import { DEV } from '../support/profile.ts'

export interface Measured {
  blocks: number
  /** Seconds of processor time of this process, and of the clock. */
  cpu: number
  wall: number
  /** Wanted actions and rows. */
  actions: number
  rows: number
}

async function timed(work: () => Promise<Omit<Measured, 'cpu' | 'wall'>>): Promise<Measured> {
  const [cpu, wall] = [processorMs(), performance.now()]
  const counts = await work()
  return { ...counts, cpu: (processorMs() - cpu) / 1000, wall: (performance.now() - wall) / 1000 }
}

/**
 * Reads, decodes and checks blocks as the indexer does: ids and links always.
 *
 * @param checksActions  whether the digests and roots of the actions are checked too
 */
export function decodeAll(source: BlockSource, { from, to }: BlockRange, checksActions: boolean): Promise<Measured> {
  const projector = new Projector({ chain: 'wax', accounts: DEV.accounts, tokenContracts: DEV.tokenContracts })
  const watch = new Watch({ ...projector.wanted, system: 'eosio' })
  const abis = new AbiBook()
  const seeds = [...exchangeAbis()].map(([account, abi]) => ({ account, abi, hash: toHex(sha256(abi)) }))
  abis.load(seeds.map((seed) => ({ ...seed, blockNum: 0, globalSeq: 0n })))
  return timed(async () => {
    const found = { blocks: 0, actions: 0, rows: 0 }
    for await (const block of source.blocks({ from, have: [], to }, new AbortController().signal)) {
      const decoded = decodeBlock(block as PackedBlock, watch, abis, { checksActions })
      found.blocks++
      found.actions += decoded.actions.length
      found.rows += decoded.rows.length
      source.release?.(block)
    }
    return found
  })
}

export function decodeLogs(folder: string, range: BlockRange, checksActions: boolean): Promise<Measured> {
  return decodeAll(new LogSource({ folders: [folder], chain: 'wax' }), range, checksActions)
}

const WINDOW = 8 << 20

/** The files, walked entry by entry by their sizes, inflated where compressed. No entry is decoded. */
export function barePass(folder: string, isCompressed: boolean, blocks: number): Promise<Measured> {
  return timed(async () => {
    for (const name of ['trace_history', 'chain_state_history', 'finality_data_history']) {
      const path = join(folder, 'state-history', `${name}.log`)
      for await (const entry of entriesOf(path)) {
        if (isCompressed) inflateSync(entry.subarray(60, entry.length - 8))
        else walkStored(entry)
      }
    }
    const file = await open(join(folder, 'blocks', 'blocks.log'), 'r')
    const window = Buffer.allocUnsafe(WINDOW)
    while ((await file.read(window, 0, WINDOW)).bytesRead > 0);
    await file.close()
    return { blocks, actions: 0, rows: 0 }
  })
}

async function* entriesOf(path: string): AsyncGenerator<Buffer> {
  const file = await open(path, 'r')
  let window: Buffer = Buffer.alloc(0)
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafeSlow(WINDOW)
      const { bytesRead } = await file.read(chunk, 0, WINDOW)
      if (bytesRead === 0) return
      window =
        window.length === 0 ? chunk.subarray(0, bytesRead) : Buffer.concat([window, chunk.subarray(0, bytesRead)])
      let at = 0
      while (at + 48 <= window.length) {
        const end = at + 56 + Number(window.readBigUInt64LE(at + 40))
        if (end > window.length) break
        yield window.subarray(at, end)
        at = end
      }
      window = window.subarray(at)
    }
  } finally {
    await file.close()
  }
}

/** Walks the stored blocks of an entry's zlib stream. */
function walkStored(entry: Buffer): void {
  for (let at = 62; at < entry.length - 12; ) at += 5 + entry.readUInt16LE(at + 1)
}
