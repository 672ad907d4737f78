// Checks the folders with a node's logs: which blocks they have, and whether they are of this chain.

import type { ChainConfig } from '../../config/schema.ts'
import { NodeLogs } from '../../indexer/source/logs/node-logs.ts'
import { type Finding, fail, failure, ok, warn } from './finding.ts'

export async function checkLogFolders({ chain, chainId, source, finality }: ChainConfig): Promise<Finding> {
  const subject = `${chain} logs ${source.logs.join(', ')}`
  let logs: NodeLogs
  try {
    logs = await NodeLogs.open(source.logs, source.maxFrameBytes)
  } catch (error) {
    return failure(subject, error, 'correct source.logs')
  }
  try {
    const { begin, end } = logs
    if (begin === null || end === null)
      return fail(subject, 'the block log or the traces have no block', 'give the folders of both')
    if (chainId !== undefined && logs.chainId !== chainId)
      return fail(subject, `are of chain ${logs.chainId}`, `correct source.logs or chainId of ${chain}`)
    const blocks = `blocks ${begin} to ${end}`
    const missing = logs.missing({ from: begin, to: end })
    if (missing.length > 0) {
      const ranges = missing.flatMap(({ log, ranges }) => ranges.map(({ from, to }) => `${from} to ${to} of ${log}`))
      return fail(subject, `${blocks}, without ${ranges.join(', ')}`, 'add the folder of these files to source.logs')
    }
    if (logs.deltas.span === null) return fail(subject, `${blocks}, no table deltas`, 'switch on chain-state-history')
    const from = logs.finality.span?.from
    if (finality && from === undefined)
      return warn(subject, `${blocks}, no finality data`, 'proofs need finality-data-history')
    return ok(subject, `${blocks}${from === undefined ? '' : `, finality data from ${from} on`}`)
  } finally {
    await logs.close()
  }
}
