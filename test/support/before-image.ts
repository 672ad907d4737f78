// Stores current rows as before-images, like a block that changes them.
import type { Pool } from 'pg'

/**
 * @param table  in schema `state`
 * @param block  number of the block that is about to change the rows
 * @param where  SQL condition that selects the rows; default: all
 */
export async function keepBeforeImages(pool: Pool, table: string, block: number, where = 'true'): Promise<void> {
  // Columns with a default exist only in `undo`.
  const { rows } = await pool.query(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
     where attrelid = format('state.%I', $1::text)::regclass and attnum > 0 and not attisdropped and not atthasdef`,
    [table],
  )
  const { columns } = rows[0]
  await pool.query(
    `insert into undo.${table} (undo_block, existed, ${columns}) select $1, true, ${columns} from state.${table} where ${where}`,
    [block],
  )
}
