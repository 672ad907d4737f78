// Writes recordings: the blocks of a source in the order received, including forks, in the format of `recording.ts`. An
// unfinished file keeps the name `FILE.part`.
import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { UserError } from '../../core/errors.ts'
import { toFrame } from './packed-block.ts'
import type { ShipOptions } from './ship/options.ts'
import { ShipSource } from './ship/source.ts'
import type { BlockSource, PackedBlock, StartPosition } from './source.ts'

/** A source of packed blocks that has its node's ABI text once a block was yielded. */
export interface RecordableSource extends BlockSource {
  readonly abi: string | undefined
  blocks(start: StartPosition, signal: AbortSignal): AsyncIterable<PackedBlock>
}

export interface RecordOptions extends Omit<ShipOptions, 'urls'> {
  from: number
  /** Last block, inclusive; without it until `signal` is aborted. */
  to?: number
  signal?: AbortSignal
  onBlock?: (block: PackedBlock) => void
}

/**
 * Writes the blocks of `source` to `path`, gzipped.
 *
 * @returns number of blocks written
 * @throws UserError NOTHING_RECORDED when there was none (no file is left); errors of the source
 */
export async function record(
  source: RecordableSource,
  start: StartPosition,
  path: string,
  signal: AbortSignal,
  onBlock: (block: PackedBlock) => void = () => {},
): Promise<number> {
  let count = 0
  async function* messages(): AsyncGenerator<Uint8Array> {
    for await (const block of source.blocks(start, signal)) {
      if (count++ === 0) yield withLength(Buffer.from(source.abi ?? ''))
      yield withLength(toFrame(block))
      onBlock(block)
    }
  }
  const part = `${path}.part`
  await pipeline(Readable.from(messages(), { objectMode: true }), createGzip(), createWriteStream(part))
  if (count === 0) throw new UserError('NOTHING_RECORDED', `no block came, ${path} is not written`)
  await rename(part, path)
  return count
}

/** Records from the state-history node at `url`; see `record`. */
export async function recordFrom(url: string, path: string, options: RecordOptions): Promise<number> {
  const { from, to, signal = new AbortController().signal, onBlock, ...ship } = options
  return await record(new ShipSource({ ...ship, urls: [url] }), { from, have: [], to }, path, signal, onBlock)
}

function withLength(bytes: Uint8Array): Uint8Array {
  const message = Buffer.allocUnsafe(4 + bytes.length)
  message.writeUInt32LE(bytes.length, 0)
  message.set(bytes, 4)
  return message
}
