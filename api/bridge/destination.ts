// State of a withdrawal's destination that a proof depends on: its contracts, and from the indexed events the roots and
// policies that its light client has stored.
import type { EvmChainConfig } from '../../config/evm-schema.ts'
import { fromPrefixedHex } from '../../core/evm/bytes.ts'
import { accountsWithRole, type BridgeContext, type Database, indexedChain } from './bridge-context.ts'
import { COVERING_ROOTS, LIGHT_CLIENT } from './sql/contracts.ts'

export interface KnownDestination {
  /** The withdrawals contract; null if unknown. */
  releaseTo: string | null
  /** Null if unknown. */
  lightClient: string | null
  /** Name in the database; undefined if the chain is not indexed. */
  chain: string | undefined
  /** The last block that a stored root covers; null if there is no root. */
  covered: number | null
  /** The oldest generation whose signatures the light client accepts. */
  generation: number
  /** The newest generation that the light client has learned. */
  newest: number
}

/** Whether a stored root covers a burn. */
export function isCovered({ covered }: KnownDestination, burnBlock: number): boolean {
  return covered !== null && covered >= burnBlock
}

interface LightClientRow {
  signed: number | null
  first: number | null
  newest: number | null
  lastBlock: number | null
}

/** A light client without indexed events is assumed to have learned every generation. */
const EVERY_GENERATION = Number.MAX_SAFE_INTEGER

/** Destination of a proof on an Antelope chain: no contract takes it, the relayer pays. */
export const NO_CONTRACTS: KnownDestination = {
  releaseTo: null,
  lightClient: null,
  chain: undefined,
  covered: null,
  generation: 0,
  newest: EVERY_GENERATION,
}

/**
 * The contracts of an EVM domain that pay from a vault: the configured ones, else those with which the chain is indexed.
 * Of several configured contracts, the vault has the one at its own place in the list of vaults. The database does not
 * keep that order: of several contracts there, none is known to be the vault's.
 */
export async function destinationOf(
  database: Database,
  context: BridgeContext,
  domain: bigint,
  vault: string,
  configured: readonly EvmChainConfig[],
): Promise<KnownDestination> {
  const chain = indexedChain(context, domain)
  const config = configured.find(({ chainId }) => BigInt(chainId) === domain)
  const place = config?.contracts.vaults.indexOf(vault) ?? -1
  const contractOf = (role: string, setting: 'withdrawals' | 'lightClients'): string | null => {
    const own = config?.contracts[setting] ?? []
    const [first, ...others] = own.length > 0 || chain === undefined ? own : accountsWithRole(context, chain, role)
    return (others.length === 0 ? first : own[place]) ?? null
  }
  const releaseTo = contractOf('withdrawals', 'withdrawals')
  const lightClient = contractOf('lightclient', 'lightClients')
  if (lightClient === null || chain === undefined) return { ...NO_CONTRACTS, releaseTo, lightClient, chain }
  return { releaseTo, lightClient, chain, ...(await knowledgeOf(database, chain, lightClient)) }
}

/** What a light client knows, by its indexed events. */
async function knowledgeOf(
  database: Database,
  chain: string,
  lightClient: string,
): Promise<Pick<KnownDestination, 'covered' | 'generation' | 'newest'>> {
  const values = [chain, fromPrefixedHex(lightClient, 20)]
  const { rows } = await database.query<LightClientRow>({ name: 'bridge-light-client', text: LIGHT_CLIENT, values })
  const { signed = null, first = null, newest = null, lastBlock: covered = null } = rows[0] ?? {}
  return { covered, generation: signed ?? first ?? 0, newest: newest ?? signed ?? EVERY_GENERATION }
}

export interface LightClient {
  /** Address. */
  lightClient: string
  /** The newest generation that it has learned; null if none of its events is indexed. */
  newest: number | null
  /** The oldest generation whose signatures it accepts. */
  generation: number
}

/** Light clients of an EVM domain: the configured ones, else those with which the chain is indexed. */
export async function lightClientsOf(
  database: Database,
  context: BridgeContext,
  domain: bigint,
  configured: readonly EvmChainConfig[],
): Promise<LightClient[]> {
  const chain = indexedChain(context, domain)
  const own = configured.find(({ chainId }) => BigInt(chainId) === domain)?.contracts.lightClients ?? []
  const addresses = own.length > 0 || chain === undefined ? own : accountsWithRole(context, chain, 'lightclient')
  const found: LightClient[] = []
  for (const lightClient of new Set(addresses)) {
    const known = chain === undefined ? NO_CONTRACTS : await knowledgeOf(database, chain, lightClient)
    const newest = known.newest === EVERY_GENERATION ? null : known.newest
    found.push({ lightClient, newest, generation: known.generation })
  }
  return found
}

export interface CoveringRoot {
  /** 64 hex digits. */
  root: string
  lastBlock: number
  /** Block of the destination in which it was stored. */
  block: number
}

/** Maximum number of roots: more than one, because some may be of orphaned blocks of the ledger's chain. */
const MAX_ROOTS = 20

/** The oldest stored roots that cover a block of the ledger's chain. Empty if the light client is not indexed. */
export async function coveringRoots(
  database: Database,
  { chain, lightClient }: KnownDestination,
  block: number,
): Promise<CoveringRoot[]> {
  if (chain === undefined || lightClient === null) return []
  const values = [chain, fromPrefixedHex(lightClient, 20), block, MAX_ROOTS]
  const { rows } = await database.query<CoveringRoot>({ name: 'bridge-covering-roots', text: COVERING_ROOTS, values })
  return rows
}
