// State of a vault from indexed events, used while no JSON-RPC endpoint answers. Settings come from the events of the
// vault's owners, the allowance from limits and payments by the contract's arithmetic.
import { fromPrefixedHex } from '../../core/evm/bytes.ts'
import { type BridgeContext, type Database, nowOf } from './bridge-context.ts'
import { OLDER_OUTFLOWS, outflows, VAULT_SETTINGS } from './sql/contracts.ts'
import type { AssetView, VaultView } from './vault-views.ts'

/** Seconds in which the whole allowance is restored. */
const PERIOD = 86_400n
/** Limit that means "no limit" in the vault's events (largest uint128), and in a view (largest uint256). */
const UNLIMITED = 2n ** 128n - 1n
const NO_LIMIT = 2n ** 256n - 1n

/** A change of an allowance: a new limit, or a payment out of the vault. */
export interface Outflow {
  /** Unix seconds. */
  time: bigint
  /** Raw units per period; null for a payment. */
  limit: bigint | null
  /** Raw units. */
  amount: bigint
}

/**
 * Seconds of payments that are read. The bucket is assumed full at the start of this time. The result is exact as soon as
 * the bucket was empty once since then, as it nearly always was within eight periods.
 */
const WINDOW = 8 * 86_400

/**
 * Raw units that may leave the vault now. A leaky bucket, as in `SvcVault.available`: payments fill it, and it drains by
 * the limit in each PERIOD. Full means that nothing may leave.
 *
 * @param flows     limits and payments, in order of time
 * @param now       Unix seconds
 * @param fullFrom  time before which outflows are missing; the bucket is assumed full then, so that the result is never
 *                  too large. Null if no outflow is missing
 * @returns null if no limit was set
 */
export function availableAfter(flows: readonly Outflow[], now: bigint, fullFrom: bigint | null = null): bigint | null {
  let limit: bigint | null = null
  let used = 0n
  let updated = 0n
  let mustFill = fullFrom !== null
  const usedAt = (time: bigint) => {
    const leaked = ((limit ?? 0n) * (time > updated ? time - updated : 0n)) / PERIOD
    return used > leaked ? used - leaked : 0n
  }
  const fill = (time: bigint) => {
    if (!mustFill || fullFrom === null || time < fullFrom) return
    mustFill = false
    used = limit ?? 0n
    updated = fullFrom
  }
  for (const flow of flows) {
    fill(flow.time)
    if (flow.limit !== null) {
      used = usedAt(flow.time)
      limit = flow.limit
      updated = flow.time
    } else if (limit !== null && limit !== UNLIMITED) {
      used = usedAt(flow.time) + flow.amount
      updated = flow.time
    }
  }
  if (limit === null) return null
  if (limit === UNLIMITED) return NO_LIMIT
  fill(now)
  const left = usedAt(now)
  return left < limit ? limit - left : 0n
}

interface SettingRow {
  chain: string
  vault: string
  type: 'AssetSet' | 'PauseSet'
  token: string | null
  details: Record<string, string | boolean>
}

/** @returns null if no asset was ever set: the vault's history is not indexed */
export async function vaultFromLedger(
  database: Database,
  context: BridgeContext,
  chain: string,
  vault: string,
  tokens: readonly string[],
): Promise<VaultView | null> {
  const position = context.positions.get(chain)
  if (position === undefined) return null
  const { rows } = await database.query<SettingRow>({
    name: 'bridge-vault-settings',
    text: VAULT_SETTINGS,
    values: [[chain]],
  })
  const settings = rows.filter((row) => row.vault === vault)
  const pauses = settings.find(({ type }) => type === 'PauseSet')?.details
  const assets = new Map<string, AssetView>()
  for (const { type, token, details } of settings) {
    if (type !== 'AssetSet' || token === null || !tokens.includes(token)) continue
    const { scale, minDeposit, cap, enabled } = details as Record<string, string>
    const available = await availableFromLedger(database, context, chain, vault, token)
    const numbers = { scale: BigInt(scale ?? 0), minDeposit: BigInt(minDeposit ?? 0), cap: BigInt(cap ?? 0) }
    assets.set(token, { ...numbers, enabled: String(enabled) === 'true', available })
  }
  if (assets.size === 0) return null
  return {
    vault,
    source: 'ledger',
    block: position.block,
    time: position.time,
    ageSeconds: null,
    stale: false,
    depositsPaused: String(pauses?.deposits) === 'true',
    withdrawalsPaused: String(pauses?.withdrawals) === 'true',
    assets,
  }
}

interface FlowRow {
  /** Unix seconds. */
  time: number
  limit: string | null
  amount: string | null
}

async function availableFromLedger(
  database: Database,
  context: BridgeContext,
  chain: string,
  vault: string,
  token: string,
): Promise<bigint | null> {
  const now = Math.floor(nowOf(context, chain) / 1000)
  const since = now - WINDOW
  const values = [chain, fromPrefixedHex(vault), fromPrefixedHex(token)]
  const { rows } = await database.query<FlowRow>(outflows(since), values)
  const flows = rows.map(({ time, limit, amount }) => ({
    time: BigInt(Math.floor(time)),
    limit: limit === null ? null : BigInt(limit),
    amount: BigInt(amount ?? 0),
  }))
  const older = await database.query<{ older: boolean }>({
    name: 'bridge-older-outflows',
    text: OLDER_OUTFLOWS,
    values: [...values, since],
  })
  return availableAfter(flows, BigInt(now), older.rows[0]?.older === true ? BigInt(since) : null)
}
