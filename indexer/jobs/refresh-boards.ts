// Refreshes the boards, tables and materialized views of the schema `board`, one after the other. Each is refreshed when
// hours were counted since its last refresh, so once an hour; readers see the old rows until a refresh commits.
import { openClient } from '../../net/postgres.ts'
import type { ScheduledJob } from './schedules.ts'
import { REFRESH_BOARD } from './sql.ts'

/** Names of the boards (migrations/code/views/120_boards.sql). */
export const BOARDS = ['pool_days', 'token_days', 'account_days', 'leaders', 'bridge_days', 'trader_months'] as const
export type Board = (typeof BOARDS)[number]

const SESSION = `set timezone = 'UTC'; set role headwater_writer; set statement_timeout = '9min'; set lock_timeout = '1min'`
/** Minutes between two checks of one board. */
const EVERY = 10

/** @returns whether it was refreshed: false when no hours were counted since */
export async function refreshBoard(databaseUrl: string, board: Board): Promise<boolean> {
  const client = openClient({ connectionString: databaseUrl, application_name: `headwater board ${board}` })
  try {
    await client.connect()
    await client.query(SESSION)
    await client.query('begin isolation level repeatable read')
    const { rows } = await client.query<{ isRefreshed: boolean }>(REFRESH_BOARD, [board])
    await client.query('commit')
    return rows[0]?.isRefreshed ?? false
  } finally {
    await client.end().catch(() => {})
  }
}

/** One job for each board, a minute apart. */
export function refreshBoardJobs(databaseUrl: string): ScheduledJob[] {
  return BOARDS.map((board, index) => ({
    name: `refresh_board_${board}`,
    cron: `${index}-59/${EVERY} * * * *`,
    run: async () => void (await refreshBoard(databaseUrl, board)),
  }))
}
