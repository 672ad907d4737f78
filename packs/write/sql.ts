// SQL of the publisher. It reads as the writer's role and changes nothing.
import { literal } from '../../indexer/store/literal.ts'
import { columnsOf, type PackTable, QUOTES, SCORE_SNAPSHOTS } from '../format/sql.ts'

export const SETTINGS = `set timezone = 'UTC'; set role headwater_writer`
export const SNAPSHOT = 'begin isolation level repeatable read read only'

export const POSITION = `
  select chain_id as "chainId", first_block as "firstBlock", state_block as "stateBlock", lib_num as lib,
    (select encode(b.prev_id, 'hex') from ledger.blocks b where b.chain = p.chain and b.block_num = p.first_block) as "firstParent"
  from meta.position p where p.chain = $1`

export const BLOCK = `
  select encode(block_id, 'hex') as id, block_time as time from ledger.blocks where chain = $1 and block_num = $2`

/** The block in which the first policy became pending. */
export const SAVANNA_GENESIS = `
  select block_num as num from ledger.finalizer_policies where chain = $1 order by block_num, generation limit 1`

/** Ids of blocks $2 to $3, in order. */
export const BLOCK_IDS = `
  select encode(block_id, 'hex') as id from ledger.blocks where chain = $1 and block_num between $2 and $3 order by block_num`

/** Blocks $2 to $3 with certificates that were checked when they were indexed. */
export const VERIFIED = `
  select block_num as num from ledger.certificates
  where chain = $1 and block_num between $2 and $3 and verified order by block_num`

/** Scores of an hour that a block after $2 began: the details of an older hour are then removed. */
export const LATER_SCORES = `
  select exists (select from derive.token_scores where chain = $1 and valid_from > date_trunc('hour', $2::timestamptz, 'UTC')) as found`

/** A range of blocks. The first one has also the rows that were read before the first block. */
export interface RowRange {
  from: number
  to: number
  isFirst: boolean
}

function copyOut(chain: string, table: PackTable, from: string, condition: string, order: readonly string[]): string {
  const by = order.map((name) => `"${name}"`).join(', ')
  return (
    `copy (select ${columnsOf(table)} from ${from} where chain = ${literal(chain)}${condition} order by ${by})` +
    ' to stdout (format binary)'
  )
}

/** Rows of a table that belong to a range, in the order of the chain. */
export function copyRange(chain: string, table: PackTable, { from, to, isFirst }: RowRange): string {
  if (table.id === SCORE_SNAPSHOTS) return copyScores(chain, table, { from, to, isFirst })
  const condition = isFirst ? ` and block_num <= ${to}` : ` and block_num between ${from} and ${to}`
  const order = ['block_num', ...table.key.filter((name) => name !== 'block_num' && name !== 'chain')]
  return copyOut(chain, table, table.id, condition, order)
}

/** Scores of the hours that the blocks of a range began. */
function copyScores(chain: string, table: PackTable, { from, to, isFirst }: RowRange): string {
  const hour = (num: number) =>
    `(select date_trunc('hour', block_time, 'UTC') from ledger.blocks where chain = ${literal(chain)} and block_num = ${num})`
  const condition = ` and valid_from <= ${hour(to)}${isFirst ? '' : ` and valid_from > ${hour(from - 1)}`}`
  return copyOut(chain, table, table.id, condition, keyOf(table))
}

/** Rows of a table as of the last irreversible block. @param time  of that block */
export function copyState(chain: string, table: PackTable, time: Date): string {
  if (table.id === QUOTES) return copyOut(chain, table, table.id, ` and quoted_at <= ${literal(time)}`, keyOf(table))
  return copyOut(chain, table, `settled.${table.id.slice(table.id.indexOf('.') + 1)}`, '', keyOf(table))
}

function keyOf({ key }: PackTable): string[] {
  return key.filter((name) => name !== 'chain')
}
