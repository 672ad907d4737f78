// Routes from the ledger's table and the state of the vaults: for each row one route in and one out, and routes over
// the hop contract between EVM and Antelope chains. Pure.

import { isEvmDomain } from '../../core/chains.ts'
import { type BridgeContext, playing } from './bridge-context.ts'
import { chainAt, ledgerId, textOf } from './parties.ts'
import type { Route } from './schema.ts'
import { inRow, type Timings } from './timing.ts'
import type { AssetView, VaultView } from './vault-views.ts'

/** A row of the bridge's table. Amounts are ledger units. */
export interface RouteRow {
  id: string
  domain: bigint
  vault: string
  token: string
  wrappedContract: string
  symbol: string
  decimals: number
  /** Raw units of the other chain per ledger unit. */
  scale: bigint
  min: bigint
  max: bigint
  backing: bigint
  depositsOpen: boolean
  withdrawalsOpen: boolean
}

/** A row with the state of its vault; null if unknown, or if the vault is not a contract. */
export interface RouteSide {
  row: RouteRow
  view: VaultView | null
}

/** One direction of a side: whether it is open, and the limits that apply now. Ledger units. */
interface Direction {
  open: boolean
  min: bigint
  max: bigint
}

const NO_LIMIT = 2n ** 256n - 1n

/** Whether a vault does not limit a token: the contract answers the largest uint256. */
export const isUnlimited = (available: bigint): boolean => available === NO_LIMIT

export function assetOf({ row, view }: RouteSide): AssetView | null {
  return view?.assets.get(row.token.toLowerCase()) ?? null
}

/** Ledger units that the vault may pay now; on an Antelope chain, its whole backing. Null if unknown. */
export function withdrawableNow(side: RouteSide): bigint | null {
  const { row } = side
  if (!isEvmDomain(row.domain)) return row.backing
  const available = assetOf(side)?.available ?? null
  if (available === null) return null
  return isUnlimited(available) ? row.backing : available / row.scale
}

/** Into the ledger's chain, up to the vault's cap. */
function wayIn(side: RouteSide): Direction {
  const { row, view } = side
  const asset = assetOf(side)
  const min = asset ? larger(row.min, asset.minDeposit) : row.min
  const room = asset && asset.scale > 0n ? positive(asset.cap / asset.scale - row.backing) : row.max
  const isAccepted = view === null || (!view.depositsPaused && asset?.enabled === true)
  return bounded(row.depositsOpen && isAccepted, min, smaller(row.max, room))
}

/** Out of the ledger's chain, up to what the vault holds and may pay now. */
function wayOut(side: RouteSide): Direction {
  const { row, view } = side
  const fits = smaller(row.backing, withdrawableNow(side) ?? row.backing)
  return bounded(row.withdrawalsOpen && view?.withdrawalsPaused !== true, row.min, smaller(row.max, fits))
}

/** A route whose maximum is below its minimum is closed. */
function bounded(open: boolean, min: bigint, max: bigint): Direction {
  return max < min ? { open: false, min, max: min } : { open, min, max }
}

export function listRoutes(sides: readonly RouteSide[], world: BridgeContext, timings: Timings): Route[] {
  const hop = playing(world, world.ledger, 'hop')[0]
  const direct = sides.flatMap((side) => [routeIn(side, world, timings), routeOut(side, world, timings)])
  if (hop === undefined) return direct
  const onward = sides.flatMap((from) =>
    sides
      .filter((to) => isEvmDomain(from.row.domain) !== isEvmDomain(to.row.domain) && sameToken(from.row, to.row))
      .map((to) => routeOver(from, to, world, timings, hop)),
  )
  return [...direct, ...onward]
}

function sameToken(one: RouteRow, other: RouteRow): boolean {
  return one.symbol === other.symbol && one.wrappedContract === other.wrappedContract && one.decimals === other.decimals
}

function common({ row }: RouteSide, { open, min, max }: Direction) {
  const antelopeToken = isEvmDomain(row.domain) ? row.wrappedContract : row.token
  const limits = { open, min: String(min), max: String(max), backing: String(row.backing) }
  return { symbol: row.symbol, precision: row.decimals, ...limits, antelopeToken }
}

function routeIn(side: RouteSide, world: BridgeContext, timings: Timings): Route {
  const { row } = side
  const evm = isEvmDomain(row.domain)
  const contract = evm ? row.vault : bridgeAt(side)
  return {
    ...common(side, wayIn(side)),
    from: chainAt(world, row.domain).id,
    to: ledgerId(world).id,
    via: null,
    withdrawableNow: textOf(withdrawableNow(side)),
    how: { deposit: { contract, token: row.token, telosTo: '<account>', memo: evm ? '' : '<account>' } },
    timing: timings.deposit(row.domain),
  }
}

function routeOut(side: RouteSide, world: BridgeContext, timings: Timings): Route {
  const { row } = side
  const contract = playing(world, world.ledger, 'bridge')[0] ?? ''
  const recipient = isEvmDomain(row.domain) ? '0x<address>' : '<account>'
  const paid = isEvmDomain(row.domain) ? '[:<fee>]' : ''
  return {
    ...common(side, wayOut(side)),
    from: ledgerId(world).id,
    to: chainAt(world, row.domain).id,
    via: null,
    withdrawableNow: textOf(withdrawableNow(side)),
    how: { withdraw: { contract, memo: `${row.domain}:${recipient}${paid}`, token: row.wrappedContract } },
    timing: timings.withdrawal(row.domain),
  }
}

function routeOver(from: RouteSide, to: RouteSide, world: BridgeContext, timings: Timings, hop: string): Route {
  const [inward, outward] = [wayIn(from), wayOut(to)]
  const evm = isEvmDomain(from.row.domain)
  const way = bounded(inward.open && outward.open, larger(inward.min, outward.min), smaller(inward.max, outward.max))
  const onward = `${to.row.domain}:${evm ? '<account>' : '0x<address>'}|${from.row.domain}:${evm ? '<return address>' : '<return account>'}`
  const contract = evm ? from.row.vault : bridgeAt(from)
  return {
    ...common(evm ? to : from, way),
    from: chainAt(world, from.row.domain).id,
    to: chainAt(world, to.row.domain).id,
    via: ledgerId(world).id,
    withdrawableNow: textOf(withdrawableNow(to)),
    backing: String(to.row.backing),
    how: { deposit: { contract, token: from.row.token, telosTo: hop, memo: evm ? onward : `${hop}:${onward}` } },
    timing: inRow(timings.deposit(from.row.domain), timings.withdrawal(to.row.domain)),
  }
}

/** On an Antelope chain, the vault of a route is the account that takes deposits. */
function bridgeAt({ row }: RouteSide): string {
  return row.vault
}

const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other)
const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other)
const positive = (amount: bigint): bigint => (amount > 0n ? amount : 0n)
