// Finality in a backfill by workers. A worker does not know the blocks before its range, so it stages the data that
// following needs, without transactions. The process that takes over the range follows its blocks in order.

import type { ClientBase } from 'pg'
import { packSignedBlock, readBlockFrame, readBlockHeader, readSignatures } from '../../core/antelope/block.ts'
import { finalityExtensionOf } from '../../core/finality/finality-extension.ts'
import { hasBridgeLogs } from '../../core/finality/follower.ts'
import { isSavannaHeader } from '../../core/finality/legacy/track.ts'
import { itemAt } from '../../core/required.ts'
import type { DecodedBlock } from '../decode/decoded.ts'
import type { PackedBlock, SourceBlock } from '../source/source.ts'
import type { Catalog } from '../store/catalog.ts'
import { CopyBuffer } from '../store/copy/copy-buffer.ts'
import { copyIn } from '../store/copy/copy-in.ts'
import type { LedgerRow } from '../store/rows.ts'
import { Segment } from '../store/segment.ts'
import type { ChainFollower, FinalityOptions } from './chain-follower.ts'
import { createFollowed, FOLLOWED_COLUMNS, followedName, stagedBlocks } from './sql.ts'

/** Replaces a producer's signature, where finality does not depend on it. */
const NO_SIGNATURE = new Uint8Array(66)
const NO_TRACES = Uint8Array.of(0)
/** Rows that are staged or written together. */
const GROUP = 2000

/** Stages the blocks of a worker's range. */
export class FinalityStage {
  private readonly bridge: string
  private readonly legacy: boolean
  private readonly buffer = new CopyBuffer()
  private isMade = false

  constructor({ bridge, legacy = false }: FinalityOptions) {
    this.bridge = bridge
    this.legacy = legacy
  }

  /** Stages a block. Skips blocks before Savanna unless `legacy` is set. */
  note(source: SourceBlock, decoded: DecodedBlock): void {
    if (source.kind !== 'packed') return
    const { header, length } = readBlockHeader(source.block)
    if (!finalityExtensionOf(header) && !this.legacy) return
    const { extensions } = readBlockFrame(source.block)
    // Before Savanna, producers' signatures make blocks final.
    const isSigned = this.legacy && !isSavannaHeader(header)
    const signature = isSigned ? itemAt(readSignatures(source.block, length), 0) : NO_SIGNATURE
    const lean = packSignedBlock(source.block.subarray(0, length), signature, [], extensions)
    this.buffer.row(FOLLOWED_COLUMNS.length)
    this.buffer.int8(BigInt(source.num))
    this.buffer.bytea(lean)
    if (hasBridgeLogs(decoded, this.bridge)) this.buffer.bytea(source.traces)
    else this.buffer.null()
    if (source.finality) this.buffer.bytea(source.finality)
    else this.buffer.null()
  }

  async write(client: ClientBase, setId: string): Promise<void> {
    if (this.buffer.rows === 0) return
    if (!this.isMade) await client.query(createFollowed(setId))
    this.isMade = true
    await copyIn(client, `staging.${followedName(setId)} (${FOLLOWED_COLUMNS.join(', ')})`, this.buffer)
  }
}

/**
 * Follows the blocks of a staged range and adds their rows, inside the caller's transaction.
 *
 * @param follower  at the parent of the range. If the transaction rolls back, discard it.
 * @param write     adds rows to the range
 * @throws DecodeError as `ChainFollower.follow`
 */
export async function followRange(
  client: ClientBase,
  catalog: Catalog,
  setId: string,
  follower: ChainFollower,
  write: (segment: Segment) => Promise<void>,
): Promise<void> {
  await client.query(`declare staged_finality no scroll cursor for ${stagedBlocks(setId)}`)
  const segment = new Segment(catalog)
  for (;;) {
    const { rows } = await client.query<StagedBlock>(`fetch ${GROUP} from staged_finality`)
    const ledger: LedgerRow[] = rows.flatMap((row) => follower.follow(blockOf(row), row.traces !== null))
    segment.add({ ledger, state: [], candles: [] })
    await write(segment)
    segment.clear()
    if (rows.length < GROUP) return
  }
}

interface StagedBlock {
  num: string
  block: Uint8Array
  traces: Uint8Array | null
  finality: Uint8Array | null
}

/** The head is unknown and irrelevant in a backfill. */
const FAR = { num: Number.MAX_SAFE_INTEGER, id: '' }

/** Staged blocks are irreversible. */
function blockOf({ num, block, traces, finality }: StagedBlock): PackedBlock {
  const { id, header } = readBlockFrame(block)
  const at = { num: Number(num), id }
  const rest = { deltas: null, finality, traces: traces ?? NO_TRACES }
  return { kind: 'packed', ...at, prevId: header.previous, head: FAR, lib: at, block, ...rest }
}
