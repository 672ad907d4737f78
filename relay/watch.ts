// Reads the state of the relayers that use a database, for the live view in a terminal. Runs with the privileges of the
// caller's login.
import type pg from 'pg'
import { CAN_WATCH, IS_ON, LAST_ALARM, OPEN_OF_KEY, SIGNERS, SPENT } from './sql.ts'

export interface WatchedKey {
  /** Address or account. */
  signer: string
  /** Number of transactions that are in no final block yet. */
  open: number
  /** Age of the oldest open transaction, seconds; null if none is open. */
  oldestSeconds: number | null
  /** Gas of the last 24 hours, USD, counted like the setting `gasUsdDay`. */
  gasUsd: number
  /** The last alarm of the last 24 hours; null if there was none. */
  alarm: { text: string; ageSeconds: number } | null
  /** Whether sending is switched on. */
  isOn: boolean
}

/** Keys that have sent transactions; an empty list if the login may not read the relayer's tables. */
export async function watchedKeys(client: pg.Client): Promise<WatchedKey[]> {
  const privilege = await client.query<{ may: boolean }>(CAN_WATCH)
  if (privilege.rows[0]?.may !== true) return []
  const { rows } = await client.query<{ signer: string }>(SIGNERS)
  const keys: WatchedKey[] = []
  for (const { signer } of rows) {
    const firstRow = async <T extends pg.QueryResultRow>(text: string, value: unknown = signer) =>
      (await client.query<T>(text, [value])).rows[0]
    const open = await firstRow<{ open: number; oldestSeconds: number | null }>(OPEN_OF_KEY)
    const spent = await firstRow<{ usd: number }>(SPENT)
    const alarm = await firstRow<{ text: string; ageSeconds: number }>(LAST_ALARM)
    const sending = await firstRow<{ isOn: boolean }>(IS_ON, [signer])
    keys.push({
      signer,
      open: open?.open ?? 0,
      oldestSeconds: open?.oldestSeconds ?? null,
      gasUsd: spent?.usd ?? 0,
      alarm: alarm ?? null,
      isOn: sending?.isOn === true,
    })
  }
  return keys
}
