// The manifest of a pack: the one file that changes. It names all others with their sizes and digests.
import { createHash } from 'node:crypto'
import Type, { type Static } from 'typebox'
import Value from 'typebox/value'
import { CHAIN_NAME_RULE, isChainName } from '../../core/chain-name.ts'
import { UserError } from '../../core/errors.ts'
import { damaged } from './fault.ts'

export const MANIFEST = 'manifest.json'
/** Version of the layout, and the oldest one that is read. A reader refuses others. */
export const FORMAT = 3
const OLDEST_FORMAT = 2
/** From this layout on, the manifest has a digest of itself. Layout 2 is that of today without it. */
const FIRST_WITH_DIGEST = 3

const Id = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const facts = {
  /** Names sort in the order of the chain. */
  name: Type.String({ pattern: '^[0-9a-z][0-9a-z.-]{1,120}$' }),
  bytes: Count,
  sha256: Id,
}
/** Names of tables are printed. */
const TableName = Type.String({ pattern: '^[a-z0-9_.]{1,80}$' })
const PackFile = Type.Object({
  ...facts,
  /** Number of rows by table; of blocks for files of blocks. */
  rows: Type.Record(TableName, Count, { additionalProperties: false }),
})
/** Files with 1,000 ranges each: far more than the blocks of any chain. */
const MAX_PARTS = 10_000

const Range = Type.Object({
  from: Count,
  to: Count,
  /** Id of block `to`. */
  lastId: Id,
  rows: PackFile,
  /** Headers and actions; null when the publisher had no source of them. */
  blocks: Type.Union([PackFile, Type.Null()]),
})

const State = Type.Object({
  block: Count,
  id: Id,
  /** Time of the block, ISO 8601. */
  time: Type.String(),
  rows: PackFile,
  /** Headers of the blocks after it under Savanna; null when there are none. */
  proof: Type.Union([PackFile, Type.Null()]),
  /** Whether a certificate in them makes the block final; null before Savanna, and without blocks. A reader checks it. */
  proved: Type.Union([Type.Boolean(), Type.Null()]),
})

const ManifestSchema = Type.Object({
  format: Type.Integer({ minimum: OLDEST_FORMAT, maximum: FORMAT }),
  /** Version of the program that wrote the manifest last. */
  program: Type.String(),
  chain: Type.String(),
  chainId: Type.Union([Type.String(), Type.Null()]),
  firstBlock: Count,
  /** Id of the parent of the first block. */
  firstParent: Id,
  /** Block from which current rows are exact; null when unknown. */
  stateBlock: Type.Union([Count, Type.Null()]),
  /** Settings that determine the rows. */
  settings: Type.Record(Type.String(), Type.Unknown()),
  /** Where finality begins when it does not begin in the pack: files of `headwater finality --export`. */
  starts: Type.Object({
    savanna: Type.Union([Type.Unknown(), Type.Null()]),
    legacy: Type.Union([Type.Unknown(), Type.Null()]),
  }),
  /** Files with the first ranges, in order. So the size of this file does not grow with the length of the chain. */
  parts: Type.Array(Type.Object(facts), { maxItems: MAX_PARTS }),
  /** The ranges after them. */
  ranges: Type.Array(Range),
  states: Type.Array(State),
})

/** The contents of `manifest.json`. */
export type StoredManifest = Static<typeof ManifestSchema>
/** A manifest with all of its ranges. */
export type Manifest = Omit<StoredManifest, 'parts'>
export type PartFile = StoredManifest['parts'][number]
export type PackFile = Static<typeof PackFile>
export type PackRange = Static<typeof Range>
export type PackState = Static<typeof State>

/** A manifest as text, with the SHA-256 of the text without this member as its last member. */
export function manifestText(manifest: object): Buffer {
  const digest = createHash('sha256').update(textOf(manifest)).digest('hex')
  return textOf({ ...manifest, digest })
}

function textOf(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 1)}\n`)
}

/** Whether no digest protects a manifest of this layout against damage. */
export function isUnprotected({ format }: Pick<Manifest, 'format'>): boolean {
  return format < FIRST_WITH_DIGEST
}

/**
 * Checks the digest in a manifest, whatever its layout says: each later layout has it too, so a damaged number of the
 * layout is found. The text must be the one that the digest was made for, byte by byte.
 *
 * @throws UserError PACK_DAMAGED
 */
function checkDigest(bytes: Buffer, value: unknown): object {
  if (typeof value !== 'object' || value === null) throw damaged(MANIFEST, 'it is no object')
  const { digest, ...rest } = value as Record<string, unknown>
  const isOld = Number.isInteger(rest.format) && Number(rest.format) < FIRST_WITH_DIGEST
  if (isOld && digest === undefined) return rest
  if (manifestText(rest).equals(bytes)) return rest
  throw damaged(MANIFEST, 'its digest is not that of its text')
}

/** @throws UserError PACK_DAMAGED, PACK_NEWER, PACK_OLDER */
export function readManifest(bytes: Buffer): StoredManifest {
  const value = checkDigest(bytes, parsed(bytes, MANIFEST))
  const { format } = value as { format?: unknown }
  if (Number.isInteger(format) && Number(format) > FORMAT) {
    throw new UserError('PACK_NEWER', `the pack has layout ${format}, this program reads up to ${FORMAT}`, {
      hint: 'take a newer version of the program',
    })
  }
  if (Number.isInteger(format) && Number(format) < OLDEST_FORMAT) {
    throw new UserError(
      'PACK_OLDER',
      `the pack has layout ${format}, this program reads ${OLDEST_FORMAT} and later ones`,
      {
        hint: 'the publisher must write it again with a newer version, to another folder or prefix',
      },
    )
  }
  if (!Value.Check(ManifestSchema, value)) {
    const [first] = Value.Errors(ManifestSchema, value)
    throw damaged(MANIFEST, `${first?.instancePath || 'the root'}: ${first?.message ?? 'another layout'}`)
  }
  return value
}

const RangesSchema = Type.Array(Range)

/** Contents of a file of ranges. */
export function rangesText(ranges: readonly PackRange[]): Buffer {
  return Buffer.from(`${JSON.stringify(ranges)}\n`)
}

/** Ranges of a file. @throws UserError PACK_DAMAGED */
export function readRanges(bytes: Buffer, file: string): PackRange[] {
  const value = parsed(bytes, file)
  if (Value.Check(RangesSchema, value)) return value
  const [first] = Value.Errors(RangesSchema, value)
  throw damaged(file, `${first?.instancePath || 'the root'}: ${first?.message ?? 'another layout'}`)
}

function parsed(bytes: Buffer, file: string): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch (error) {
    throw damaged(file, `it is no JSON: ${(error as Error).message}`)
  }
}

/**
 * Checks that the ranges follow each other without a gap, that a state belongs to the end of one, and that indexing
 * began with the state of the first block, of the one before it, or of a later one.
 *
 * @throws UserError PACK_DAMAGED
 */
export function checkOrder({ chain, firstBlock, stateBlock, ranges, states }: Manifest): void {
  if (!isChainName(chain)) throw damaged(MANIFEST, `its chain has no valid name: ${CHAIN_NAME_RULE}`)
  if (stateBlock !== null && stateBlock < firstBlock - 1)
    throw damaged(MANIFEST, `it begins with block ${firstBlock} and the state of block ${stateBlock}`)
  let next = firstBlock
  const ends = new Map<number, string>()
  for (const { from, to, lastId } of ranges) {
    if (from !== next || to < from)
      throw damaged(MANIFEST, `a range of blocks ${from} to ${to} stands where ${next} follows`)
    next = to + 1
    ends.set(to, lastId)
  }
  for (const { block, id } of states) {
    if (ends.get(block) !== id) throw damaged(MANIFEST, `the state of block ${block} is at the end of no range`)
  }
}

/** The last state: the block to which a pack leads. Null while a first run is not complete. */
export function lastState({ states }: Manifest): PackState | null {
  return states.reduce<PackState | null>((last, state) => (last && last.block > state.block ? last : state), null)
}

/** Width of block numbers in names, so that names sort. */
const DIGITS = 10

/** Name of a file. The digest in it makes names of different contents different. */
export function fileName(
  from: number,
  to: number,
  kind: 'rows' | 'blocks' | 'state' | 'proof' | 'ranges',
  sha256: string,
): string {
  const number = (num: number) => String(num).padStart(DIGITS, '0')
  return `${number(from)}-${number(to)}-${kind}-${sha256.slice(0, 16)}.${kind === 'ranges' ? 'json' : 'pack'}`
}
