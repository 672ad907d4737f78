// Checks that blocks are linked without a gap from the first indexed block to the position, and that every ledger row
// belongs to one of them.
import type { ClientBase } from 'pg'
import { type CheckReport, Findings } from './report.ts'
import { BLOCK_RANGE, BROKEN_LINKS, strayRows } from './sql.ts'
import type { VerifiedTable } from './tables.ts'

export interface ChainEnd {
  firstBlock: number
  block: number
  /** 64 hex digits. */
  id: string
  lib: number
}

export async function checkLinkage(
  client: ClientBase,
  chain: string,
  end: ChainEnd,
  tables: VerifiedTable[],
): Promise<CheckReport> {
  const findings = new Findings('linkage')
  const { rows: ends } = await client.query(BLOCK_RANGE, [chain])
  const { first, last, lastId } = ends[0]
  findings.equal('first block', end.firstBlock, Number(first))
  findings.equal('last block', end.block, Number(last))
  findings.equal(`id of block ${end.block}`, end.id, lastId)
  const { rows: broken } = await client.query(BROKEN_LINKS, [chain])
  findings.compared(end.block - end.firstBlock)
  for (const { num, prevId, expectedNum, expectedId } of broken) {
    if (num !== expectedNum) findings.differ(`block after ${Number(expectedNum) - 1}`, expectedNum, num)
    else findings.differ(`parent of block ${num}`, expectedId, prevId)
  }
  for (const { schema, name, columns } of tables) {
    if (schema !== 'ledger' || name === 'blocks' || !columns.includes('block_num') || !columns.includes('block_time'))
      continue
    if (name === 'orphaned_blocks') continue
    const { rows } = await client.query(strayRows(name), [chain])
    for (const { num, count, noBlock } of rows) {
      findings.differ(
        `ledger.${name}, block ${num}`,
        'rows of an indexed block, at its time',
        `${count} ${noBlock ? 'of no block' : 'at another time'}`,
      )
    }
  }
  return findings.finish()
}
