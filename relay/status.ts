// Reads the relayer's tables for `headwater relay status`, and switches relayers on and off.
import { openRelayClient } from './connection.ts'
import { SET_SWITCH, STATUS_KEYS, STATUS_REFUSALS, STATUS_SWITCHES } from './sql.ts'
import { requireTables, unusable } from './state/journal.ts'

export interface KeyStatus {
  signer: string
  chain: string
  /** In no final block yet. */
  open: number
  /** In the last 24 hours, and so are the USD. */
  done: number
  failed: number
  costUsd: number
  feeUsd: number
  /** Age of the oldest one that is in no block; null without any. */
  oldestSeconds: number | null
}

export interface RefusalStatus {
  leg: string
  action: string
  chain: string
  kind: string
  reason: string
  count: number
  /** Null: it is not tried again. */
  retryAt: Date | null
}

export interface RelayStatus {
  keys: KeyStatus[]
  /** The newest 20, without those that another sender has done. */
  refusals: RefusalStatus[]
  /** Keys that are switched off; `all` for every one. */
  off: { name: string; changedAt: Date; changedBy: string }[]
}

async function withClient<T>(
  databaseUrl: string,
  work: (query: ReturnType<typeof openRelayClient>) => Promise<T>,
): Promise<T> {
  const client = openRelayClient(databaseUrl)
  try {
    await client.connect().catch((cause) => {
      throw unusable(cause)
    })
    await requireTables(client)
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

export function relayStatus(databaseUrl: string): Promise<RelayStatus> {
  return withClient(databaseUrl, async (client) => ({
    keys: (await client.query<KeyStatus>(STATUS_KEYS)).rows,
    refusals: (await client.query<RefusalStatus>(STATUS_REFUSALS)).rows,
    off: (await client.query<RelayStatus['off'][number]>(STATUS_SWITCHES)).rows,
  }))
}

/** Switches all relayers of a database on or off; each asks before every transaction. */
export function switchRelayers(databaseUrl: string, isOn: boolean): Promise<void> {
  return withClient(databaseUrl, async (client) => void (await client.query(SET_SWITCH, ['all', isOn])))
}

const usd = (value: number): string => `${value.toFixed(2)} USD`

/** Words for kinds of refusals. */
const KINDS: Readonly<Record<string, string>> = { proof: 'PROOF REFUSED', left: 'left' }

/** Lines for a terminal. */
export function statusText({ keys, refusals, off }: RelayStatus): string {
  const lines = off.map(({ name, changedAt, changedBy }) => {
    return `switched off: ${name === 'all' ? 'every relayer' : name}, by ${changedBy} at ${changedAt.toISOString()}`
  })
  if (keys.length === 0) lines.push('nothing has been sent')
  for (const { signer, chain, open, done, failed, costUsd, feeUsd, oldestSeconds } of keys) {
    const waits = oldestSeconds === null ? '' : `, the oldest waits for a block since ${Math.round(oldestSeconds)} s`
    lines.push(`${chain} ${signer}: ${open} open${waits}`)
    lines.push(
      `  last 24 hours: ${done} done, ${failed} failed, gas ${usd(costUsd)}, fees ${usd(feeUsd)}, profit ${usd(feeUsd - costUsd)}`,
    )
  }
  for (const { leg, action, chain, kind, reason, count, retryAt } of refusals) {
    const next = retryAt === null ? 'not tried again' : `again at ${retryAt.toISOString()}`
    lines.push(`${KINDS[kind] ?? 'refused'}: ${action} ${leg} on ${chain}, ${count} times: ${reason}; ${next}`)
  }
  return `${lines.join('\n')}\n`
}
