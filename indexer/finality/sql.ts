// Statements of the indexer's sessions and staged blocks. The statements about finality are in `finality-store/sql.ts`.

export const SESSION = `set timezone = 'UTC'; set role headwater_writer`

/** $1: the chain. */
export const LAST_IRREVERSIBLE = `select lib_num as lib from meta.position where chain = $1`

/** Columns that a worker stages for each block of a range, for following. */
export const FOLLOWED_COLUMNS = ['block_num', 'block', 'traces', 'finality'] as const

export function followedName(setId: string): string {
  return `r${setId}_followed`
}

export function createFollowed(setId: string): string {
  return `create unlogged table staging.${followedName(setId)} (block_num int8, block bytea, traces bytea, finality bytea)`
}

export function stagedBlocks(setId: string): string {
  return `select block_num as num, block, traces, finality from staging.${followedName(setId)} order by block_num`
}
