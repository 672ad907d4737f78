// Reads a recording with @wharfkit/antelope and the protocol's ABI: an oracle that shares no decoder with the indexer.
// Only the container (length-prefixed messages) is read by own code.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { ABI, Serializer } from '@wharfkit/antelope'
import { readRecording } from '../../../indexer/source/recording.ts'
import { COMPILED_VARIABLE } from '../../support/compiled-folder.ts'

/** Plain objects in JSON form: names, checksums and wide integers as text, bytes as hexadecimal digits. */
// biome-ignore lint/suspicious/noExplicitAny: shapes are those of the ABI that came with the recording
export type Plain = any

export interface RecordedAction {
  globalSeq: bigint
  trxId: string
  account: string
  name: string
  /** Packed data, hexadecimal digits. */
  data: string
}

export interface RecordedBlock {
  num: number
  id: string
  prevId: string
  lib: number
  /** Unix milliseconds. */
  time: number
  producer: string
  /** Executed actions at their own contract, by global sequence. */
  actions: RecordedAction[]
}

/**
 * Every frame of a recording in file order, including forks and repeats. A run of the tests decodes each recording once:
 * wharfkit takes a second or more for it.
 */
export async function readFrames(path: string): Promise<RecordedBlock[]> {
  const folder = process.env[COMPILED_VARIABLE]
  if (folder === undefined) return await decodeFrames(path)
  const decoded = join(folder, `${encodeURIComponent(path)}.frames`)
  if (existsSync(decoded)) return deserialize(readFileSync(decoded))
  const blocks = await decodeFrames(path)
  // In one step, for other processes.
  const own = `${decoded}.${process.pid}`
  writeFileSync(own, serialize(blocks))
  renameSync(own, decoded)
  return blocks
}

async function decodeFrames(path: string): Promise<RecordedBlock[]> {
  const blocks: RecordedBlock[] = []
  let abi: ABI | undefined
  const keepAbi = (text: string) => {
    abi = ABI.from(text)
  }
  for await (const { bytes } of readRecording(path, keepAbi)) {
    const decode = (type: string, data: string | Uint8Array): Plain =>
      JSON.parse(JSON.stringify(Serializer.decode({ data, type, abi: abi as ABI })))
    blocks.push(toBlock(decode('result', bytes)[1], decode))
  }
  return blocks
}

/** Follows the frames as a client must: a frame replaces the blocks at and above its number. */
export function canonicalBlocks(frames: RecordedBlock[]): RecordedBlock[] {
  const chain: RecordedBlock[] = []
  for (const frame of frames) {
    while (chain.length > 0 && chain[chain.length - 1]!.num >= frame.num) chain.pop()
    chain.push(frame)
  }
  return chain
}

function toBlock(result: Plain, decode: (type: string, data: string) => Plain): RecordedBlock {
  const block = decode('signed_block', result.block)
  const actions: RecordedAction[] = []
  for (const [, trace] of decode('transaction_trace[]', result.traces)) {
    if (trace.status !== 0) continue
    for (const [, { receiver, receipt, act }] of trace.action_traces) {
      if (receiver !== act.account) continue
      const { account, name, data } = act
      actions.push({ globalSeq: BigInt(receipt[1].global_sequence), trxId: trace.id, account, name, data })
    }
  }
  actions.sort((a, b) => (a.globalSeq < b.globalSeq ? -1 : 1))
  return {
    num: result.this_block.block_num,
    id: result.this_block.block_id,
    prevId: result.prev_block.block_id,
    lib: result.last_irreversible.block_num,
    time: Date.parse(`${block.timestamp}Z`),
    producer: block.producer,
    actions,
  }
}
