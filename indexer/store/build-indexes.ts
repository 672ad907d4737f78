// Builds a chain's secondary indexes in several sessions. Nothing may write to the chain meanwhile.
import type pg from 'pg'
import { onConnection } from './connection.ts'
import { literal } from './literal.ts'
import { BUILD_INDEX, INDEX_SESSION, INDEXES } from './sql.ts'

export interface IndexBuild {
  chain: string
  databaseUrl: string
  /** Sessions that build indexes at once. Default: 2. */
  sessions?: number
  /** `Lease.check`: a process that has lost the chain begins no index, and none takes the chain while one is built. */
  check?: string
}

/** Builds the missing indexes, those of large tables first, and commits each. Does not mark the chain as indexed. */
export async function buildEachIndex({ chain, databaseUrl, sessions = 2, check }: IndexBuild): Promise<void> {
  const connected = <T>(work: (client: pg.Client) => Promise<T>) =>
    onConnection({ databaseUrl, name: 'build indexes', chain, session: INDEX_SESSION }, work)
  const { rows: left } = await connected((client) => client.query<SecondaryIndex>(INDEXES, [chain]))
  // Sent as one message, which is one transaction: it ends without the process, which may hang or be killed.
  const statementOf = ({ relation, name }: SecondaryIndex) => {
    const build = `${BUILD_INDEX}(${[chain, relation, name].map(literal).join(', ')})`
    return check === undefined ? build : `${check}; ${build}`
  }
  const build = async (client: pg.Client) => {
    try {
      for (let index = left.shift(); index; index = left.shift()) await client.query(statementOf(index))
    } catch (error) {
      // The other sessions end after their present index.
      left.length = 0
      throw error
    }
  }
  const building = Array.from({ length: sessions }, () => connected(build))
  await Promise.allSettled(building)
  await Promise.all(building)
}

interface SecondaryIndex {
  relation: string
  name: string
}
