// Exports a view of facts into a folder, a file for each so many blocks. What is final stays as it is: a file that is there
// is done, so that a run that was broken off, or one of a later day, goes on where the files end.
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../core/errors.ts'
import { chainsOf, checkRange, type Format, withClient, writeFile } from './export.ts'
import { findView, isFacts } from './view.ts'

export interface PartsOptions {
  url: string
  /** A view of `final` whose rows belong to blocks. */
  view: string
  chain: string
  format: Format
  /** The folder; it is made when it is missing. */
  out: string
  /** Blocks of a file. Files begin at multiples of it. */
  blocksPerFile: number
  fromBlock?: number
  /** Written up to here even where that ends a file early. */
  toBlock?: number
  onFile?: (name: string, rows: number) => void
}

export interface Parts {
  written: number
  /** Files that were there. */
  kept: number
  rows: number
  /** First block that is in no file yet. */
  nextBlock: number
}

/** Digits of a block number in names, so that names sort as blocks do. */
const DIGITS = 12

/**
 * Writes the files that are missing, oldest first; of blocks that do not fill a file yet, none unless `toBlock` says so.
 *
 * @throws UserError EXPORT_PARTS when the view cannot be divided, and what `exportView` throws
 */
export async function exportParts(options: PartsOptions): Promise<Parts> {
  checkRange(options)
  const { blocksPerFile, chain, format, out } = options
  if (!Number.isSafeInteger(blocksPerFile) || blocksPerFile < 1)
    throw new UserError('EXPORT_PARTS', `files of ${blocksPerFile} blocks cannot be made`, {
      hint: 'give a whole number from 1 on',
    })
  return withClient(options.url, async (client) => {
    const view = await findView(client, options.view)
    if (!view.name.startsWith('final.') || !isFacts(view))
      throw new UserError('EXPORT_PARTS', `${view.name} cannot be divided into files of blocks: its rows may change`, {
        hint: 'export it into one file; views of final with block_num and block_time, and without a status, can be divided',
      })
    const [range] = await chainsOf(client, view, chain)
    const { firstBlock, lastBlock } = range as NonNullable<typeof range>
    const end = Math.min(options.toBlock ?? lastBlock, lastBlock)
    if (options.toBlock !== undefined && options.toBlock > lastBlock)
      throw new UserError(
        'EXPORT_RANGE',
        `block ${options.toBlock} of ${chain} is not irreversible yet: the last is ${lastBlock}`,
        {
          hint: 'end there, or wait',
        },
      )
    mkdirSync(out, { recursive: true })
    const done: Parts = {
      written: 0,
      kept: 0,
      rows: 0,
      nextBlock: Math.max(firstBlock, options.fromBlock ?? firstBlock),
    }
    while (done.nextBlock <= end) {
      const fromBlock = done.nextBlock
      const full = (Math.floor(fromBlock / blocksPerFile) + 1) * blocksPerFile - 1
      if (full > end && options.toBlock === undefined) break
      const toBlock = Math.min(full, end)
      const name = fileName(view.name, chain, fromBlock, toBlock, format)
      if (existsSync(join(out, name))) done.kept++
      else {
        const rows = await writeFile(client, view, [range as NonNullable<typeof range>], {
          ...{ format, chain, fromBlock, toBlock },
          out: join(out, name),
        })
        done.written++
        done.rows += rows
        options.onFile?.(name, rows)
      }
      done.nextBlock = toBlock + 1
    }
    return done
  })
}

function fileName(view: string, chain: string, fromBlock: number, toBlock: number, format: Format): string {
  const [from, to] = [fromBlock, toBlock].map((num) => String(num).padStart(DIGITS, '0'))
  return `${view}-${chain}-${from}-${to}.${format}`
}
