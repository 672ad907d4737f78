// Checks the snapshot of a node with which an empty chain starts: its kind, version, chain and block.
import type { ChainConfig } from '../../config/schema.ts'
import { readSnapshotHead, type SnapshotHead } from '../../indexer/source/snapshot/snapshot.ts'
import { type Finding, fail, failure, ok, warn } from './finding.ts'

/** Newest version whose layout was not tried on a file of a real node. */
export const UNTRIED_VERSION = 6

/**
 * @param indexed  last indexed block of the chain, undefined when nothing is indexed
 * @returns the finding, and the snapshot's block; null when it cannot be used
 */
export async function checkSnapshot(
  { chain, chainId }: ChainConfig,
  path: string,
  indexed: number | undefined,
): Promise<{ finding: Finding; block: number | null }> {
  const subject = `${chain} snapshot ${path}`
  if (indexed !== undefined)
    return { finding: ok(subject, `not read: block ${indexed} of the chain is indexed already`), block: null }
  let head: SnapshotHead
  try {
    head = await readSnapshotHead(path)
  } catch (error) {
    return { finding: failure(subject, error, 'correct source.snapshot'), block: null }
  }
  const { num, time, version } = head
  if (chainId !== undefined && head.chainId !== chainId) {
    const remedy = `correct source.snapshot or chainId of ${chain}`
    return { finding: fail(subject, `is of chain ${head.chainId}`, remedy), block: null }
  }
  const what = `version ${version}, block ${num} of ${new Date(time).toISOString()}: indexing starts at block ${num + 1}`
  if (version > UNTRIED_VERSION) return { finding: ok(subject, what), block: num }
  const remedy = `compare with \`headwater verify --against\` afterwards: version ${version} was not tried on files of real nodes`
  return { finding: warn(subject, what, remedy), block: num }
}
