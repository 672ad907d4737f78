import type pg from 'pg'
import { TimePoint } from '../../core/antelope/time-point.ts'

/** The pool's current row in the form that the store takes; null when there is no such pool. */
export async function poolRow(
  client: pg.Client,
  chain: string,
  poolId: number,
): Promise<Record<string, unknown> | null> {
  const { rows, fields } = await client.query('select * from state.pools where chain = $1 and pool_id = $2', [
    chain,
    poolId,
  ])
  if (rows[0] === undefined) return null
  const row: Record<string, unknown> = {}
  for (const { name, dataTypeID } of fields) {
    const member = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    const value = rows[0][name]
    if (name === 'chain') continue
    // int8 and numeric arrive as text.
    const isWide = dataTypeID === 20 || dataTypeID === 1700
    row[member] =
      value instanceof Date ? TimePoint.ofMs(value.getTime()) : isWide && value !== null ? BigInt(value) : value
  }
  return row
}
