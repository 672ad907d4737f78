// Writes the logs of a node from blocks, entry by entry, with the independent writer.
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { PackedBlock } from '../../indexer/source/source.ts'
import { entryOf, payloadOf, type Style, u64, writeBlockLog } from '../../test/support/log-writer.ts'

class LogWriter {
  readonly #path: string
  readonly #file: number
  readonly #index: number[] = []
  #position = 0

  constructor(folder: string, name: string) {
    mkdirSync(folder, { recursive: true })
    this.#path = join(folder, name)
    this.#file = openSync(`${this.#path}.log`, 'w')
  }

  add(bytes: (position: number) => Uint8Array): void {
    this.#index.push(this.#position)
    this.write(bytes(this.#position))
  }

  /** Bytes without a place in the index. */
  write(bytes: Uint8Array): void {
    writeSync(this.#file, bytes)
    this.#position += bytes.length
  }

  close(): number {
    closeSync(this.#file)
    writeFileSync(`${this.#path}.index`, Buffer.concat(this.#index.map(u64)))
    return this.#position
  }
}

export interface WrittenLogs {
  blocks: number
  /** Bytes of the blocks' contents, and of the log files. */
  content: number
  files: number
}

/** Writes `state-history/` and `blocks/` into a folder. */
export async function writeLogs(
  folder: string,
  blocks: AsyncIterable<PackedBlock>,
  style: Style,
  chainId: string,
): Promise<WrittenLogs> {
  const history = (name: string) => new LogWriter(join(folder, 'state-history'), name)
  const logs = {
    traces: history('trace_history'),
    deltas: history('chain_state_history'),
    finality: history('finality_data_history'),
  }
  const packed = new LogWriter(join(folder, 'blocks'), 'blocks')
  const written: WrittenLogs = { blocks: 0, content: 0, files: 0 }
  for await (const block of blocks) {
    if (written.blocks++ === 0) packed.write(preamble(block, chainId))
    packed.add((position) => Buffer.concat([block.block, u64(position)]))
    written.content += block.block.length
    for (const name of ['traces', 'deltas', 'finality'] as const) {
      const content = block[name]
      if (!content) continue
      logs[name].add((position) => entryOf(block.id, payloadOf(content, style), position))
      written.content += content.length
    }
  }
  for (const log of [...Object.values(logs), packed]) written.files += log.close()
  return written
}

function preamble(first: PackedBlock, chainId: string): Uint8Array {
  const { log } = writeBlockLog([{ num: first.num, block: new Uint8Array() }], Buffer.from(chainId, 'hex'))
  return log.subarray(0, log.length - 8)
}
