// Generates docs/data/data-dictionary.md from the comments of the views. The database must have the current schema;
// rows are not read.
import type pg from 'pg'

interface ViewRow {
  name: string
  about: string | null
  columns: { name: string; type: string; about: string | null }[]
  /** Whether `final` has the view too. */
  isFinal: boolean
}

const VIEWS = `
  select c.relname as name, obj_description(c.oid) as about,
    exists (select from pg_class f join pg_namespace fn on fn.oid = f.relnamespace where fn.nspname = 'final' and f.relname = c.relname)
      as "isFinal",
    (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
       'about', col_description(a.attrelid, a.attnum)) order by a.attnum)
     from pg_attribute a where a.attrelid = c.oid and a.attnum > 0) as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relkind in ('v', 'm', 'r') order by 1`

const INTRODUCTION = `# Data dictionary

This page is for readers of the SQL views: it has every view and column. It is made from the comments of the views by \`npm run generate\`.

Every view is there twice: \`head.*\` up to the last indexed block, \`final.*\` up to the last irreversible one. Names,
symbols and token ids are text, times are UTC. Columns \`amount_*\` and \`reserve_*\` are raw integer units, \`quantity_*\` the
same in tokens, exact. Boards, the last sections, are sums over whole irreversible hours
([boards.md](boards.md)). The role \`headwater_reader\` sees these views and nothing else. [sql.md](sql.md) has worked
queries.
`

/** Text of the dictionary. */
export async function dataDictionary(client: pg.ClientBase | pg.Pool): Promise<string> {
  const { rows } = await client.query<ViewRow>(VIEWS, ['head'])
  const { rows: boards } = await client.query<ViewRow>(VIEWS, ['board'])
  return [INTRODUCTION, ...rows.map(section), ...boards.map(boardSection)].join('\n')
}

function boardSection(board: ViewRow): string {
  return section({ ...board, name: `board.${board.name}`, isFinal: true })
}

function section({ name, about, columns, isFinal }: ViewRow): string {
  const lines = columns.map((column) => `| \`${column.name}\` | ${column.type} | ${cell(column.about)} |`)
  const side = isFinal ? '' : ' Only in `head`.'
  return `## ${name}\n\n${about ?? ''}${side}\n\n| Column | Type | |\n|---|---|---|\n${lines.join('\n')}\n`
}

function cell(text: string | null): string {
  return (text ?? '').replaceAll('|', '\\|')
}
