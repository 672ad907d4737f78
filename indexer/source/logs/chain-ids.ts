// The chain to which each folder of logs belongs: its id is in the block log, and in the first table deltas of a node.
import { dirname } from 'node:path'
import { DeltaSplitter, type RowFilter } from '../../../core/antelope/logs/delta-splitter.ts'
import { chainIdOfProperties, PROPERTIES_TABLE } from '../../../core/antelope/logs/properties.ts'
import { HeadwaterError, UserError } from '../../../core/errors.ts'
import { BlockLogFile } from './block-log-file.ts'
import type { FoundFile, FoundLogs } from './find.ts'
import { HistoryFile } from './history-file.ts'

export interface FileChain {
  path: string
  /** 64 hex digits. */
  chainId: string
}

/**
 * Chain ids of the block logs: of each head file, and of one partition in each folder, because the blocks of a log link
 * by their ids.
 *
 * @throws UserError as BlockLogFile.open, for head files
 */
export async function blockLogChains({ blocks }: FoundLogs): Promise<FileChain[]> {
  const heads = blocks.filter(({ named }) => named === null)
  const partitions = firstOfFolders(blocks.filter(({ named }) => named !== null))
  const chains: FileChain[] = []
  for (const { path, named } of [...partitions, ...heads]) {
    const opened = BlockLogFile.open(path)
    // A partition that cannot be opened is an error when it is read.
    const file = await (named === null ? opened : opened.catch(nullOfFault))
    await file?.close()
    if (file?.chainId) chains.push({ path, chainId: file.chainId })
  }
  return chains
}

/**
 * Chain ids of the logs of deltas, from the first entry in each folder. Only a log that begins with the whole state has
 * one for certain. A file that cannot be read has none here: its fault is an error when it is read.
 *
 * @param maxBytes  size limit of an entry's content, bytes
 */
export async function deltaChains({ chain_state_history: files }: FoundLogs, maxBytes: number): Promise<FileChain[]> {
  const chains: FileChain[] = []
  for (const { path } of firstOfFolders(files)) {
    const chainId = await firstChainId(path, maxBytes).catch(nullOfFault)
    if (chainId !== null) chains.push({ path, chainId })
  }
  return chains
}

/** @returns the chain id of all; null if there are none. @throws UserError OTHER_CHAIN when they differ */
export function requireOneChain(files: readonly FileChain[]): string | null {
  const [first] = files
  const other = files.find(({ chainId }) => chainId !== first?.chainId)
  if (first === undefined || other === undefined) return first?.chainId ?? null
  const ids = [...new Set(files.map(({ chainId }) => chainId))]
  const chains = ids.map((id) => {
    const paths = files.filter(({ chainId }) => chainId === id).map(({ path }) => path)
    return `${paths.join(', ')} ${paths.length === 1 ? 'is' : 'are'} of chain ${id}`
  })
  throw new UserError('OTHER_CHAIN', `the logs are of ${ids.length} chains: ${chains.join('; ')}`, {
    hint: 'give the folders of one chain',
    place: { file: other.path, offset: 0 },
  })
}

/** @param files  in the order of their blocks */
function firstOfFolders(files: readonly FoundFile[]): FoundFile[] {
  const folders = new Set<string>()
  return files.filter(({ path }) => {
    const folder = dirname(path)
    return !folders.has(folder) && folders.add(folder)
  })
}

async function firstChainId(path: string, maxBytes: number): Promise<string | null> {
  const file = await HistoryFile.open(path, maxBytes)
  try {
    if (!file?.range) return null
    let chainId: string | null = null
    const filter: RowFilter = (table, data, start, end) => {
      if (table === PROPERTIES_TABLE) chainId ??= chainIdOfProperties(data, start, end)
      return false
    }
    const { content } = await file.readDeltas(file.range.from, filter)
    // Of large deltas, the rows were filtered while they were read, and the content is empty.
    const splitter = new DeltaSplitter({ tables: new Set([PROPERTIES_TABLE]), filter, onPart: () => {} })
    splitter.push(content)
    splitter.end()
    return chainId
  } finally {
    await file?.close()
  }
}

function nullOfFault(error: unknown): null {
  if (error instanceof HeadwaterError) return null
  throw error
}
