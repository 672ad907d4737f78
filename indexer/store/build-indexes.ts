// Builds a chain's secondary indexes. Nothing may write to the chain meanwhile.
import type pg from 'pg'
import { onConnection } from './connection.ts'
import { literal } from './literal.ts'
import { BUILD_INDEX, INDEX_SESSION, MISSING_INDEXES } from './sql.ts'

/**
 * Size from which a table's indexes are built one by one, in several sessions, bytes. An index of an empty table takes about
 * half a millisecond, and a statement for each would add half of that.
 */
const LARGE_TABLE = 2 ** 20

export interface IndexBuild {
  chain: string
  databaseUrl: string
  /** Sessions that build indexes of large tables at once. Default: 2. */
  sessions?: number
  /** `Lease.check`: a process that has lost the chain begins no index, and none takes the chain while one is built. */
  check?: string
}

/** Builds the missing indexes and commits each large one. Does not mark the chain as indexed. */
export async function buildEachIndex({ chain, databaseUrl, sessions = 2, check }: IndexBuild): Promise<void> {
  const connected = <T>(work: (client: pg.Client) => Promise<T>) =>
    onConnection({ databaseUrl, name: 'build indexes', chain, session: INDEX_SESSION }, work)
  await connected(async (first) => {
    const { rows } = await first.query<MissingIndex>(MISSING_INDEXES, [chain, LARGE_TABLE])
    const small = rows.filter(({ isLarge }) => !isLarge)
    const groups = [
      ...rows.filter(({ isLarge }) => isLarge).map((index) => [index]),
      ...(small.length > 0 ? [small] : []),
    ]
    // Sent as one message, which is one transaction: it ends without the process, which may hang or be killed.
    const left = groups.map((indexes) => `${check === undefined ? '' : `${check}; `}${buildStatement(chain, indexes)}`)
    const build = async (client: pg.Client) => {
      try {
        for (let statement = left.shift(); statement; statement = left.shift()) await client.query(statement)
      } catch (error) {
        // The other sessions end after their present statement.
        left.length = 0
        throw error
      }
    }
    const others = Math.max(0, Math.min(sessions, left.length) - 1)
    const building = [build(first), ...Array.from({ length: others }, () => connected(build))]
    await Promise.allSettled(building)
    await Promise.all(building)
  })
}

interface MissingIndex {
  relation: string
  name: string
  isLarge: boolean
}

function buildStatement(chain: string, indexes: readonly MissingIndex[]): string {
  const rows = indexes.map(({ relation, name }) => `(${literal(relation)}, ${literal(name)})`)
  return `${BUILD_INDEX}(${literal(chain)}, relation, name) from (values ${rows.join(', ')}) missing(relation, name)`
}
