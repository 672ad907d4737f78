// Reads what a live view shows of the relayers of a database, with the rights of the login that asks.
import type pg from 'pg'
import { CAN_WATCH, IS_ON, LAST_ALARM, OPEN_OF_KEY, SIGNERS, SPENT } from './sql.ts'

export interface WatchedKey {
  /** Address or account. */
  signer: string
  /** Transactions in no final block yet. */
  open: number
  /** Age of the oldest of them, seconds; null without any. */
  oldestSeconds: number | null
  /** Gas of 24 hours as the limit counts it, USD. */
  gasUsd: number
  /** The last alarm of 24 hours; null without one. */
  alarm: { text: string; ageSeconds: number } | null
  /** Whether sending is switched on. */
  isOn: boolean
}

/** Keys that have sent something; none when the login may not read the tables of the relayer. */
export async function watchedKeys(client: pg.Client): Promise<WatchedKey[]> {
  const may = await client.query<{ may: boolean }>(CAN_WATCH)
  if (may.rows[0]?.may !== true) return []
  const { rows } = await client.query<{ signer: string }>(SIGNERS)
  const keys: WatchedKey[] = []
  for (const { signer } of rows) {
    const one = async <T extends pg.QueryResultRow>(text: string, value: unknown = signer) =>
      (await client.query<T>(text, [value])).rows[0]
    const open = await one<{ open: number; oldestSeconds: number | null }>(OPEN_OF_KEY)
    const spent = await one<{ usd: number }>(SPENT)
    const alarm = await one<{ text: string; ageSeconds: number }>(LAST_ALARM)
    const on = await one<{ isOn: boolean }>(IS_ON, [signer])
    keys.push({
      signer,
      open: open?.open ?? 0,
      oldestSeconds: open?.oldestSeconds ?? null,
      gasUsd: spent?.usd ?? 0,
      alarm: alarm ?? null,
      isOn: on?.isOn === true,
    })
  }
  return keys
}
