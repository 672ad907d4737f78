// Which tables a pack holds. The database's catalog knows their columns.
import type { ClientBase } from 'pg'

/** A table with its columns, the chain first. */
export interface PackTable {
  /** `ledger.swaps` */
  id: string
  columns: { name: string; type: string; nullable: boolean }[]
  /** Columns of the primary key, in key order. */
  key: string[]
}

/** Tables with rows of a chain, without columns that have a default in `state`. */
const TABLES = `
  select n.nspname || '.' || c.relname as id, (
      select array_agg(a.attname::text order by k.place) from pg_index i
      cross join lateral unnest(i.indkey) with ordinality k(attnum, place)
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
      where i.indrelid = c.oid and i.indisprimary) as key,
    json_agg(json_build_object('name', a.attname, 'type', t.typname, 'nullable', not a.attnotnull) order by a.attnum) as columns
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and not (n.nspname = 'state' and a.atthasdef)
  join pg_type t on t.oid = a.atttypid
  where n.nspname in ('ledger', 'state', 'derive') and c.relkind = 'p' or n.nspname = 'meta' and c.relname = 'usd_quotes'
  group by n.nspname, c.relname, c.oid
  order by n.nspname || '.' || c.relname`

export async function readPackTables(client: ClientBase): Promise<Map<string, PackTable>> {
  const { rows } = await client.query<PackTable>(TABLES)
  return new Map(rows.map((table) => [table.id, table]))
}

/** Tables of scores and of what they are made of, as of a state. The others of `derive` are computed from the ledger. */
const SCORES = ['token_scores', 'holder_samples', 'token_hours', 'token_trader_hours'].map((name) => `derive.${name}`)
/** Scores of each hour: stored with the blocks that began the hours. */
export const SCORE_SNAPSHOTS = 'derive.score_snapshots'
/** Answers of price servers. */
export const QUOTES = 'meta.usd_quotes'

/** Tables of a range of blocks. Headers of replaced blocks are not part of the chain. */
export function isOfRange(id: string): boolean {
  return (id.startsWith('ledger.') && id !== 'ledger.orphaned_blocks') || id === SCORE_SNAPSHOTS
}

/** Tables outside of the schema `state` that are part of a state. */
export const OF_STATE: readonly string[] = [...SCORES, QUOTES]

/** Tables as of one block. */
export function isOfState(id: string): boolean {
  return id.startsWith('state.') || OF_STATE.includes(id)
}

/** Column list as SQL, without the chain. Names come from the catalog, so they need no escaping. */
export function columnsOf({ columns }: PackTable): string {
  return columns
    .slice(1)
    .map(({ name }) => `"${name}"`)
    .join(', ')
}
