// Replays a recorded AMM scenario on the devnet's contracts and lists every difference.
import { isDeepStrictEqual } from 'node:util'
import { type Asset, formatAsset } from '../../../core/antelope/asset.ts'
import { toHex } from '../../../core/hex.ts'
import type { ActionCall } from '../../../devnet/chain/contract.ts'
import { call } from '../../../devnet/contracts/actions.ts'
import { AmmContract } from '../../../devnet/contracts/amm/contract.ts'
import { poolScope } from '../../../devnet/contracts/amm/store.ts'
import { balanceOf, TokenContract } from '../../../devnet/contracts/token.ts'
import { Ledger, type Outcome } from './ledger.ts'
import { fromJson } from './recorded-json.ts'

// biome-ignore lint/suspicious/noExplicitAny: recorded JSON has no types
type Json = any

const AMM = 'swap.svc'

export function replayScenario(scenario: Json): { steps: number; differences: string[] } {
  const ledger = open(scenario)
  const differences: string[] = []
  let steps = 0
  for (const step of scenario.steps) {
    steps++
    const outcome = ledger.push(step.actions.map(toCall), step.time * 1000)
    compareStep(ledger, step, outcome, (text) => differences.push(`step ${step.n} ${step.kind}: ${text}`))
  }
  return { steps, differences }
}

function open(scenario: Json): Ledger {
  const tokenContracts: string[] = [...new Set<string>(scenario.tokens.map((token: Json) => token.contract))]
  const known = new Set<string>([...scenario.users, ...tokenContracts, AMM, 'fees.svc'])
  const isAccount = (name: string) => known.has(name)
  const [decimals, code] = scenario.core.split(',')
  const activeFee = { quantity: { amount: 0n, precision: Number(decimals), symbol: code }, contract: 'eosio.token' }
  const ledger = new Ledger([
    ...tokenContracts.map((account) => new TokenContract(account, { isAccount })),
    new AmmContract({ layout: '2023-08', activeFee, isAccount }),
  ])
  const calls = [call(AMM, 'init', AMM, {})]
  for (const { contract, symbol, precision } of scenario.tokens) {
    const max = { amount: (1n << 62n) - 1n, precision, symbol }
    calls.push(call(contract, 'create', contract, { issuer: contract, maximum_supply: max }))
    for (const user of scenario.users) {
      const amount = BigInt(scenario.initialTokenBalances[user][`${symbol}@${contract}`])
      const quantity = { amount, precision, symbol }
      calls.push(call(contract, 'issue', contract, { to: user, quantity, memo: '' }))
    }
  }
  const outcome = ledger.push(calls, scenario.startTime * 1000)
  if (outcome.error !== null) throw new Error(outcome.error)
  return ledger
}

function toCall({ account, name, actor, permission, data }: Json): ActionCall {
  return { account, name, authorization: [{ actor, permission }], data: fromJson(data) }
}

/** Converts decoded values to the form of the recordings. */
function toJson(value: Json): Json {
  if (typeof value === 'bigint') return value.toString()
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(toJson)
  if ('amount' in value && 'precision' in value) return formatAsset(value as Asset)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, toJson(inner)]))
}

function compareStep(ledger: Ledger, step: Json, outcome: Outcome, differ: (text: string) => void): void {
  const compare = (what: string, got: unknown, expected: unknown) => {
    if (!isDeepStrictEqual(got, expected))
      differ(`${what}: ${JSON.stringify(got)} instead of ${JSON.stringify(expected)}`)
  }
  compare('error', outcome.error, step.error)
  if (outcome.error !== null) return
  compare(
    'traces',
    outcome.traces.map(({ receiver, account, name, authorization, data, bytes }) =>
      toJson({ receiver, account, name, authorization, data_hex: toHex(bytes), data }),
    ),
    step.traces.map(({ receiver, account, name, authorization, data_hex, data }: Json) => ({
      receiver,
      account,
      name,
      authorization,
      data_hex,
      data,
    })),
  )
  compareRows(outcome, step, compare)
  if (step.state) compareState(ledger, step.state, compare)
}

const TABLES = ['pools', 'positions', 'ticks', 'balances', 'system'] as const

function compareRows(
  outcome: Extract<Outcome, { error: null }>,
  step: Json,
  compare: (what: string, got: unknown, expected: unknown) => void,
): void {
  for (const table of TABLES) {
    const written = outcome.written.filter((row) => row.code === AMM && row.table === table)
    const present = written
      .filter((row) => row.row)
      .map((row) => `${row.scope}/${row.key} ${JSON.stringify(toJson(row.row))}`)
    const gone = written.filter((row) => !row.row).map((row) => `${row.scope}/${row.key}`)
    const touched = (step.touched[table] ?? []).map(
      (entry: Json) => `${scopeOf(table, entry)}/${keyOf(table, entry)} ${JSON.stringify(entry.row)}`,
    )
    const removed = (step.removed[table] ?? []).map((entry: Json) => `${scopeOf(table, entry)}/${keyOf(table, entry)}`)
    compare(`${table} written`, present.sort(), touched.sort())
    compare(`${table} removed`, gone.sort(), removed.sort())
  }
}

function scopeOf(table: string, entry: Json): string {
  if (table === 'positions' || table === 'ticks') return poolScope(BigInt(entry.poolId))
  return table === 'balances' ? entry.owner : AMM
}

function keyOf(table: string, entry: Json): string {
  return entry.pk ?? (table === 'ticks' ? String(entry.row.id >>> 0) : entry.row.id)
}

function compareState(
  ledger: Ledger,
  state: Json,
  compare: (what: string, got: unknown, expected: unknown) => void,
): void {
  const tables = ledger.tables(AMM)
  const rows = (table: string, scope: string) => [...tables.rows<Json>(table, scope)].map(toJson)
  compare('pools', rows('pools', AMM), state.pools)
  compare('system', rows('system', AMM), state.system)
  for (const { id } of state.pools) {
    const scope = poolScope(BigInt(id))
    compare(`positions of ${id}`, rows('positions', scope), state.positions[id] ?? [])
    const byId = (a: Json, b: Json) => a.id - b.id
    compare(`ticks of ${id}`, rows('ticks', scope).sort(byId), [...(state.ticks[id] ?? [])].sort(byId))
    if (state.observations) compare(`observations of ${id}`, rows('observations', scope), state.observations[id] ?? [])
  }
  for (const owner of Object.keys(state.balances))
    compare(`balances of ${owner}`, rows('balances', owner), state.balances[owner])
  for (const [owner, tokens] of Object.entries(state.tokenBalances ?? {})) {
    for (const [token, amount] of Object.entries(tokens as object)) {
      const [code, contract] = token.split('@') as [string, string]
      compare(`${token} of ${owner}`, balanceOf(ledger.tables(contract), owner, code).toString(), amount)
    }
  }
}
