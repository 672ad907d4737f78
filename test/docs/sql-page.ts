/** A worked query of docs/data/sql.md. */
export interface WorkedQuery {
  title: string
  sql: string
  columns: string[]
}

/** Each heading with a query: the query and the documented columns. */
export function workedQueries(markdown: string): WorkedQuery[] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const sql = /^```sql\n([\s\S]*?)^```$/m.exec(section)?.[1]
      if (sql === undefined) return []
      const columns = /^Columns: (.*)$/m.exec(section)?.[1] ?? ''
      return [
        {
          title: section.slice(0, section.indexOf('\n')),
          sql,
          columns: [...columns.matchAll(/`([a-z0-9_]+)`/g)].map((match) => match[1] as string),
        },
      ]
    })
}
