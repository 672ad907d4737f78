// All visible rows of a chain, read by one statement and so as of one moment.
import pg from 'pg'
import { type Image, LEDGER, OWN_WORDS, STATE } from './oracle.ts'

export interface Visible {
  /** Null when nothing is indexed. */
  position: { num: number; id: string; lib: number } | null
  head: Image
  /** As of the last irreversible block. */
  final: Image
  orphaned: string[]
}

/** Timeout for a server to come back, ms. */
const PATIENCE = 240_000

const TABLES = [...LEDGER.map((name) => `ledger.${name}`), ...STATE.map((name) => `state.${name}`), 'derive.candles']

export class Observer {
  private client: pg.Client
  private readonly url: string
  private readonly text: string
  private readonly emptiness: string

  private constructor(client: pg.Client, url: string, text: string, emptiness: string) {
    this.client = client
    this.url = url
    this.text = text
    this.emptiness = emptiness
  }

  static async open(url: string, chain: string): Promise<Observer> {
    const client = await connect(url)
    const columns = await readColumns(client)
    const parts = TABLES.flatMap((table) => {
      const settled = `settled.${table.split('.')[1]}`
      const line = lineSql(columns.get(table)!)
      return [
        `select '${table}' as relation, ${line} as line from ${table} where chain = '${chain}'`,
        `select '${settled}', ${line} from ${settled} where chain = '${chain}'`,
      ]
    })
    parts.push(
      `select 'position', concat_ws(' ', block_num, block_id, lib_num) from meta.position where chain = '${chain}'`,
      `select 'orphaned', encode(block_id, 'hex') from ledger.orphaned_blocks where chain = '${chain}'`,
    )
    const others = [...columns.keys()].filter((table) => !TABLES.includes(table) && table !== 'ledger.orphaned_blocks')
    const counts = others.map((table) => `select '${table}' as relation from ${table} where chain = '${chain}'`)
    return new Observer(client, url, parts.join(' union all '), counts.join(' union all '))
  }

  async look(): Promise<Visible> {
    const rows = await this.rows()
    const found = new Map<string, string[]>()
    for (const [relation, line] of rows) {
      const list = found.get(relation)
      if (list) list.push(line)
      else found.set(relation, [line])
    }
    const image = (names: readonly string[]): Image =>
      new Map(names.map((name, index) => [TABLES[index]!, (found.get(name) ?? []).sort()]))
    const [num, id, lib] = found.get('position')?.[0]?.split(' ') ?? []
    return {
      position: id === undefined ? null : { num: Number(num), id, lib: Number(lib) },
      head: image(TABLES),
      final: image(TABLES.map((table) => `settled.${table.split('.')[1]}`)),
      orphaned: (found.get('orphaned') ?? []).sort(),
    }
  }

  /** Waits while the server is down. */
  private async rows(): Promise<[string, string][]> {
    for (const deadline = Date.now() + PATIENCE; ; ) {
      try {
        const query = { name: 'look', text: this.text, rowMode: 'array' }
        return (await this.client.query<[string, string]>(query)).rows
      } catch (error) {
        if (Date.now() > deadline) throw error
        await new Promise((resolve) => setTimeout(resolve, 50))
        this.client = await connect(this.url).catch(() => this.client)
      }
    }
  }

  /** Tables that must be empty in the simulation but are not. */
  async strays(): Promise<string[]> {
    const { rows } = await this.client.query<{ relation: string }>(this.emptiness)
    return rows.map((row) => row.relation)
  }

  async close(): Promise<void> {
    await this.client.end()
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Columns that are not compared: `chain`, and those that only before-images fill. */
const NOT_COMPARED: ReadonlySet<string> = new Set(['chain', 'undo_block', 'existed'])

interface Column {
  name: string
  type: string
}

async function readColumns(client: pg.Client): Promise<Map<string, Column[]>> {
  const { rows } = await client.query<{ table: string; columns: Column[] }>(`
    select n.nspname || '.' || c.relname as table, json_agg(json_build_object('name', a.attname, 'type', t.typname)) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    where c.relkind = 'p' and n.nspname in ('ledger', 'state', 'derive') group by 1`)
  return new Map(rows.map(({ table, columns }) => [table, columns.filter(({ name }) => !NOT_COMPARED.has(name))]))
}

const AS_TEXT: Record<string, (column: string) => string> = {
  timestamptz: (column) => `to_char("${column}" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  bytea: (column) => `encode("${column}", 'hex')`,
}

/** SQL for the line of a row, equal to `lineOf`. */
function lineSql(columns: readonly Column[]): string {
  return columns
    .filter(({ name }) => !OWN_WORDS.has(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, type }) => `'${name}=' || coalesce(${AS_TEXT[type]?.(name) ?? `"${name}"::text`}, '∅')`)
    .join(` || '|' || `)
}
