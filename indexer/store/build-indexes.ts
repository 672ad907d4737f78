// Builds a chain's secondary indexes in several sessions. Nothing may write to the chain meanwhile.
import type pg from 'pg'
import { onConnection } from './connection.ts'
import { BUILD_INDEX, INDEX_SESSION, INDEXES } from './sql.ts'

export interface IndexBuild {
  chain: string
  databaseUrl: string
  /** Sessions that build indexes at once. Default: 2. */
  sessions?: number
}

/** Builds the missing indexes, those of large tables first, and commits each. Does not mark the chain as indexed. */
export async function buildEachIndex({ chain, databaseUrl, sessions = 2 }: IndexBuild): Promise<void> {
  const connected = <T>(work: (client: pg.Client) => Promise<T>) =>
    onConnection({ databaseUrl, name: 'build indexes', chain, session: INDEX_SESSION }, work)
  const { rows: left } = await connected((client) => client.query<SecondaryIndex>(INDEXES, [chain]))
  const build = async (client: pg.Client) => {
    try {
      for (let index = left.shift(); index; index = left.shift())
        await client.query(BUILD_INDEX, [chain, index.relation, index.name])
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
