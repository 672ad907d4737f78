// Exports a view of facts into a folder, in files of a fixed number of blocks. Final rows never change: the manifest
// lists the exported blocks, so that a later or resumed run writes only the missing files.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type pg from 'pg'
import { UserError } from '../../core/errors.ts'
import { type ChainRange, chainsOf, checkRange, columnsOf, type Format, withClient, writeFile } from './export.ts'
import { makeFolder } from './file.ts'
import { conflict, Manifest } from './manifest.ts'
import { type BlockRange, firstMissing, missingFiles } from './ranges.ts'
import { BLOCK_IDS } from './sql.ts'
import { findView, isFacts, type View } from './view.ts'

export interface PartsOptions {
  url: string
  /** A `final` view whose rows have a block. */
  view: string
  chain: string
  format: Format
  /** Folder; created when missing. */
  out: string
  /** Blocks of a file. Files begin at multiples of it, or where the previous one ended. */
  blocksPerFile: number
  fromBlock?: number
  /** Last block to export, even when it ends a file early. */
  toBlock?: number
  onFile?: (name: string, rows: number) => void
}

export interface Parts {
  written: number
  /** Number of files that already existed. */
  kept: number
  rows: number
  /** First block that is in no file. */
  nextBlock: number
}

/** Digits of a block number in file names, so that names sort by block. */
const DIGITS = 12

/**
 * Writes the missing files, oldest first. Blocks that do not fill a file are left for later, unless `toBlock` is given.
 *
 * @throws UserError EXPORT_PARTS when the view cannot be divided, EXPORT_CONFLICT when the folder has other files, and
 *   the errors of `exportView`
 */
export async function exportParts(options: PartsOptions): Promise<Parts> {
  checkRange(options)
  const { blocksPerFile, chain, format, out } = options
  if (!Number.isSafeInteger(blocksPerFile) || blocksPerFile < 1)
    throw new UserError('EXPORT_PARTS', `a file cannot hold ${blocksPerFile} blocks`, {
      hint: 'give a whole number of at least 1',
    })
  return withClient(options.url, async (client) => {
    const view = await findView(client, options.view)
    if (!view.name.startsWith('final.') || !isFacts(view))
      throw new UserError('EXPORT_PARTS', `${view.name} cannot be divided into files of blocks: its rows may change`, {
        hint: 'export it into one file; views of final with block_num and block_time, and without a status, can be divided',
      })
    const range = (await chainsOf(client, view, chain))[0] as ChainRange
    const wanted = wantedBlocks(options, range)
    makeFolder(out)
    const manifest = await Manifest.open(out, { view: view.name, chain, format, columns: columnsOf(view, format) })
    if (options.fromBlock === undefined) checkBegin(manifest, range)
    await checkBlocks(client, manifest, chain)
    const parts: Parts = { written: 0, kept: manifest.files.length, rows: 0, nextBlock: 0 }
    for (const blocks of missingFiles(manifest.files, wanted, blocksPerFile, options.toBlock === undefined)) {
      const { name, rows } = await writePart(client, view, range, manifest, blocks, options)
      parts.written++
      parts.rows += rows
      options.onFile?.(name, rows)
    }
    parts.nextBlock = firstMissing(manifest.files, wanted.fromBlock)
    return parts
  })
}

/** @throws UserError EXPORT_RANGE */
function wantedBlocks({ chain, fromBlock, toBlock }: PartsOptions, { firstBlock, lastBlock }: ChainRange): BlockRange {
  if (toBlock !== undefined && toBlock > lastBlock)
    throw new UserError(
      'EXPORT_RANGE',
      `block ${toBlock} of ${chain} is not irreversible yet: the last is ${lastBlock}`,
      {
        hint: 'end there, or wait',
      },
    )
  return { fromBlock: Math.max(firstBlock, fromBlock ?? firstBlock), toBlock: toBlock ?? lastBlock }
}

/**
 * Refuses a database that begins after the end of the files: blocks would be missing. @throws UserError EXPORT_CONFLICT
 */
function checkBegin({ files }: Manifest, { chain, firstBlock }: ChainRange): void {
  const before = files.filter(({ fromBlock }) => fromBlock < firstBlock).at(-1)
  if (before !== undefined && before.toBlock + 1 < firstBlock)
    throw conflict(
      `${before.name} ends before block ${firstBlock}, where the database begins with ${chain}`,
      'export from a database with the blocks between; --from-block leaves them out',
    )
}

/** Checks that the files are of the database's chain, by block id. @throws UserError EXPORT_CONFLICT */
async function checkBlocks(client: pg.Client, { files }: Manifest, chain: string): Promise<void> {
  const numbers = files.map(({ toBlock }) => toBlock)
  const { rows } = await client.query<{ num: number; id: string }>(BLOCK_IDS, [chain, numbers])
  const ids = new Map(rows.map(({ num, id }) => [num, id]))
  for (const { name, toBlock, lastBlockId } of files) {
    const id = ids.get(toBlock) ?? null
    if (id !== null && lastBlockId !== null && id !== lastBlockId)
      throw conflict(`${name} ends with another block ${toBlock} than the database has: it is of another chain`)
  }
}

async function writePart(
  client: pg.Client,
  view: View,
  range: ChainRange,
  manifest: Manifest,
  blocks: BlockRange,
  { chain, format, out }: PartsOptions,
): Promise<{ name: string; rows: number }> {
  const name = fileName(view.name, chain, blocks, format)
  const part = `${name}.${randomBytes(4).toString('hex')}.part`
  const { rows: found } = await client.query<{ id: string }>(BLOCK_IDS, [chain, [blocks.toBlock]])
  const lastBlockId = found[0]?.id ?? null
  const rows = await writeFile(client, view, [range], {
    ...{ format, chain, ...blocks },
    out: join(out, name),
    part: join(out, part),
    onComplete: (file, written) => manifest.add({ name, part, ...blocks, rows: written, lastBlockId, ...file }),
  })
  return { name, rows }
}

function fileName(view: string, chain: string, { fromBlock, toBlock }: BlockRange, format: Format): string {
  const [from, to] = [fromBlock, toBlock].map((num) => String(num).padStart(DIGITS, '0'))
  return `${view}-${chain}-${from}-${to}.${format}`
}
