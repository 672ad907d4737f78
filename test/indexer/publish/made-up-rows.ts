// Adds a row to each table that a recording leaves empty, so that every view has rows.
import type pg from 'pg'

type Ask = (sql: string, ...values: unknown[]) => Promise<pg.QueryResultRow[]>

const VALUES: Record<string, string> = {
  bool: 'true',
  bytea: `'\\x0102030405060708090a0b0c0d0e0f1011121314'`,
  int2: '1',
  int4: '1',
  int8: '1',
  numeric: '1',
  text: `'made'`,
  _text: `'{made}'`,
  jsonb: `'{"made": [1]}'`,
}

/** @param block  an irreversible block, to which the rows belong */
export async function makeUpRows(ask: Ask, chain: string, block: number): Promise<string[]> {
  const tables = await ask(
    `select n.nspname || '.' || c.relname as name, (select json_agg(json_build_object('name', a.attname, 'type', t.typname) order by a.attnum)
       from pg_attribute a join pg_type t on t.oid = a.atttypid where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
         and not (n.nspname = 'state' and a.atthasdef)) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'p' and n.nspname in ('ledger', 'state', 'derive') and c.relname <> 'orphaned_blocks' order by 1`,
  )
  const made: string[] = []
  for (const { name, columns } of tables) {
    const [found] = await ask(`select exists (select from ${name}) as any`)
    if (found?.any) continue
    const row = (columns as { name: string; type: string }[]).map((column) => madeUp(column))
    await ask(
      `insert into ${name} (${columns.map((column: { name: string }) => `"${column.name}"`).join(', ')})
       select ${row.join(', ')} from ledger.blocks b where b.chain = $1 and b.block_num = $2`,
      chain,
      block,
    )
    made.push(name)
  }
  await ask(`insert into meta.usd_quotes (chain, quoted_at, usd, source) values ($1, now(), 1, 'made')`, chain)
  return made
}

function madeUp({ name, type }: { name: string; type: string }): string {
  if (name === 'chain') return 'b.chain'
  if (name === 'block_num') return 'b.block_num'
  // The last complete hour: final views omit the current one.
  if (type === 'timestamptz' && (name === 'hour' || name === 'valid_from'))
    return `date_trunc('hour', b.block_time, 'UTC') - interval '1 hour'`
  if (type === 'timestamptz') return 'b.block_time'
  const value = VALUES[type]
  if (value === undefined) throw new Error(`no value is known for ${name}, which is ${type}`)
  return value
}
