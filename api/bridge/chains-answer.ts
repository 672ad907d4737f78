// The answer of `/chains`: contracts, measured times, limits, indexed blocks and stored roots of each chain of the
// bridge.
import type { EvmChainConfig } from '../../config/evm-schema.ts'
import { isEvmDomain } from '../../core/chains.ts'
import { provesFinality } from '../../proofs/deposit/configured.ts'
import {
  accountsWithRole,
  type BridgeContext,
  type ChainPosition,
  type Database,
  indexedChain,
} from './bridge-context.ts'
import { chainAt, ledgerDomain, ledgerId, textOf, unixSeconds } from './parties.ts'
import { assetOf, type RouteSide, withdrawableNow } from './route-list.ts'
import type { ChainsAnswer, Source } from './schema.ts'
import { STORED_ROOTS } from './sql/contracts.ts'
import type { Timings } from './timing.ts'

/** Roots in the answer for each chain. */
const ROOTS = 10

interface RootRow {
  chain: string
  root: string
  lastBlock: number
  time: number
  block: number
  generation: number
}

export type StoredRoots = ReadonlyMap<string, Source['roots']>

export async function readRoots(database: Database, context: BridgeContext): Promise<StoredRoots> {
  const evm = context.domains.filter(({ chain, domain }) => isEvmDomain(domain) && context.positions.has(chain))
  const values = [evm.map(({ chain }) => chain), ROOTS]
  const { rows } = await database.query<RootRow>({ name: 'bridge-stored-roots', text: STORED_ROOTS, values })
  const roots = new Map<string, Source['roots']>()
  for (const { chain, root, time, ...more } of rows) {
    const list = roots.get(chain) ?? []
    list.push({ root: `0x${root}`, time: Math.floor(time), ...more })
    roots.set(chain, list)
  }
  return roots
}

export interface ChainFacts {
  timings: Timings
  roots: StoredRoots
  configured: readonly EvmChainConfig[]
  /** Ids of the chains that lag, or whose nodes contradict final blocks. */
  lagging: ReadonlySet<string>
}

/** @param sides  rows of the bridge's table, with the state of their vaults */
export function chainsAnswer(sides: readonly RouteSide[], context: BridgeContext, facts: ChainFacts): ChainsAnswer {
  const { configured, lagging } = facts
  const home = ledgerDomain(context)
  const used = [...sides.map(({ row }) => row.domain), ...configured.map(({ chainId }) => BigInt(chainId))]
  const indexed = context.domains.filter(({ chain, domain }) => context.positions.has(chain) && isEvmDomain(domain))
  const domains = [...new Set([...used, ...indexed.map(({ domain }) => domain)])].filter((domain) => domain !== home)
  const ledger = ledgerId(context)
  const position = context.positions.get(context.ledger) as ChainPosition
  return {
    sources: domains.map((domain) => sourceOf(domain, sides, context, facts)),
    ledger: {
      ...ledger,
      domain: textOf(home),
      contracts: rolesOf(context, context.ledger),
      indexed: indexedAt(position),
      behind: lagging.has(ledger.id),
      proved: context.proved,
    },
  }
}

function sourceOf(
  domain: bigint,
  sides: readonly RouteSide[],
  context: BridgeContext,
  { timings, roots, configured, lagging }: ChainFacts,
): Source {
  const chain = indexedChain(context, domain)
  const own = sides.filter(({ row }) => row.domain === domain)
  const config = configured.find(({ chainId }) => BigInt(chainId) === domain)
  const { id, name } = chainAt(context, domain)
  const position = chain === undefined ? undefined : context.positions.get(chain)
  const views = new Map(own.flatMap(({ view }) => (view ? [[view.vault, view] as const] : [])))
  return {
    id,
    name: config?.name ?? name,
    chainId: isEvmDomain(domain) ? Number(domain) : null,
    domain: String(domain),
    contracts: contractsOf(domain, own, context, config),
    timing: { deposit: timings.deposit(domain), withdrawal: timings.withdrawal(domain) },
    indexed: position === undefined ? null : indexedAt(position),
    behind: lagging.has(id),
    routes: own.map((side) => ({
      symbol: side.row.symbol,
      precision: side.row.decimals,
      token: side.row.token,
      antelopeToken: isEvmDomain(domain) ? side.row.wrappedContract : side.row.token,
      withdrawableNow: textOf(withdrawableNow(side)),
      backing: String(side.row.backing),
      limits: limitsOf(side),
    })),
    vaults: [...views.values()].map(
      ({ vault, source, block, time, ageSeconds, stale, depositsPaused, withdrawalsPaused }) => ({
        ...{ vault, source, block, time: time === null ? null : unixSeconds(time), ageSeconds, stale },
        ...{ depositsPaused, withdrawalsPaused },
      }),
    ),
    roots: (chain !== undefined && roots.get(chain)) || [],
    provesFinality: isEvmDomain(domain) ? config !== undefined && provesFinality(config) : true,
  }
}

/** The vault's own limits of an asset, raw units; null when unknown. */
function limitsOf(side: RouteSide): Source['routes'][number]['limits'] {
  const asset = assetOf(side)
  if (asset === null) return null
  const { scale, cap, enabled, available } = asset
  return { scale: String(scale), cap: String(cap), enabled, available: textOf(available) }
}

const EVM_PARTS = { vault: 'vaults', withdrawals: 'withdrawals', lightClient: 'lightClients' } as const

/** The first contract of each part. The configuration takes precedence over what the indexer was last started with. */
function contractsOf(
  domain: bigint,
  own: readonly RouteSide[],
  context: BridgeContext,
  config: EvmChainConfig | undefined,
): Record<string, string> {
  const chain = indexedChain(context, domain)
  if (!isEvmDomain(domain)) {
    const vault = own[0]?.row.vault
    return { ...(chain === undefined ? {} : rolesOf(context, chain)), ...(vault === undefined ? {} : { vault }) }
  }
  const contracts: Record<string, string> = {}
  for (const [part, setting] of Object.entries(EVM_PARTS)) {
    const routed = part === 'vault' ? own[0]?.row.vault : undefined
    const known = chain === undefined ? undefined : accountsWithRole(context, chain, part.toLowerCase())[0]
    const address = routed ?? config?.contracts[setting as 'vaults'][0] ?? known
    if (address !== undefined) contracts[part] = address
  }
  return contracts
}

function rolesOf(context: BridgeContext, chain: string): Record<string, string> {
  const parts = ['bridge', 'wrap', 'hop'].flatMap((role) => {
    const account = accountsWithRole(context, chain, role)[0]
    return account === undefined ? [] : [[role, account] as const]
  })
  return Object.fromEntries(parts)
}

function indexedAt({ block, lib, time }: ChainPosition) {
  return { block, final: lib, time: unixSeconds(time) }
}
