// The bridge as of one database snapshot: the positions of its chains, the chain that keeps the ledger, and the roles
// of contracts.

import type { ClientBase } from 'pg'
import { itemAt } from '../../core/required.ts'
import { LASTING, POSITIONS } from './sql/facts.ts'

/** A connection inside a transaction. */
export type Database = Pick<ClientBase, 'query'>

export interface ChainPosition {
  chain: string
  block: number
  /** Id of that block. */
  id: string
  /** Its time, Unix milliseconds. */
  time: number
  /** The last irreversible block. */
  lib: number
  /** Time of the last irreversible block with a row; null if there is none. */
  libTime: number | null
  firstBlock: number
  /** Whether a node contradicted a final block recently or since the last block. */
  contradicted: boolean
  /** Rewinds below the last irreversible block so far, by command. */
  rewinds: number
}

interface ChainDomain {
  chain: string
  domain: bigint
  /** Whether the domain is derived from the chain's name. */
  named: boolean
}

interface RoleAccount {
  chain: string
  role: string
  account: string
  domain: bigint | null
}

export interface BridgeContext {
  /** The chain that keeps the ledger. */
  ledger: string
  positions: ReadonlyMap<string, ChainPosition>
  domains: readonly ChainDomain[]
  accounts: readonly RoleAccount[]
  /** The last block of the ledger's chain whose burns can be proved; null if there is none. */
  proved: number | null
  /** Whether the finality of the ledger's chain is followed. */
  followed: boolean
  /** Identifies the snapshot: for each chain its last indexed and last irreversible blocks, and its forced rewinds. */
  tag: string
}

export interface Snapshot {
  database: Database
  context: BridgeContext
}

/** The part that is memoized until a chain's position changes. */
type Lasting = Omit<BridgeContext, 'positions' | 'tag'>

export class BridgeContextReader {
  private readonly ledger: string | undefined
  private last: { tag: string; lasting: Lasting | null } = { tag: '', lasting: null }

  /** @param ledger  the chain of the ledger, if configured */
  constructor(ledger?: string) {
    this.ledger = ledger
  }

  /** @returns null while no chain with a bridge contract is indexed */
  async read(database: Database): Promise<BridgeContext | null> {
    const { rows } = await database.query<ChainPosition>({ name: 'bridge-positions', text: POSITIONS })
    const tag = rows.map(({ chain, id, lib, rewinds }) => `${chain} ${id} ${lib} ${rewinds}`).join()
    if (this.last.tag !== tag || this.last.lasting === null)
      this.last = { tag, lasting: await this.readLasting(database, rows) }
    const { lasting } = this.last
    return lasting && { ...lasting, tag, positions: new Map(rows.map((row) => [row.chain, row])) }
  }

  private async readLasting(database: Database, positions: readonly ChainPosition[]): Promise<Lasting | null> {
    const guess = this.last.lasting?.ledger ?? this.ledger ?? 'telos'
    const found = await lastingOf(database, guess)
    const indexed = new Set(positions.map(({ chain }) => chain))
    const ledger = ledgerChain(
      found.accounts.filter(({ chain }) => indexed.has(chain)),
      this.ledger,
    )
    if (ledger === null) return null
    return { ledger, ...(ledger === guess ? found : await lastingOf(database, ledger)) }
  }
}

async function lastingOf(database: Database, ledger: string): Promise<Omit<Lasting, 'ledger'>> {
  interface Row {
    domains: { chain: string; domain: string; named: boolean }[] | null
    accounts: (RoleAccount & { domain: string | null })[] | null
    proved: number | null
    followed: boolean
  }
  const { rows } = await database.query<Row>({ name: 'bridge-lasting', text: LASTING, values: [ledger] })
  const { domains, accounts, proved, followed } = itemAt(rows, 0)
  return {
    domains: (domains ?? []).map((row) => ({ ...row, domain: BigInt(row.domain) })),
    accounts: (accounts ?? []).map((row) => ({ ...row, domain: row.domain === null ? null : BigInt(row.domain) })),
    proved,
    followed,
  }
}

/**
 * The chain that keeps the ledger: the configured one; else telos; else the only one with gateways; else the only one
 * with a bridge contract.
 *
 * @param accounts  of the indexed chains
 */
function ledgerChain(accounts: readonly RoleAccount[], configured?: string): string | null {
  const having = (role: string) => [...new Set(accounts.filter((one) => one.role === role).map(({ chain }) => chain))]
  const bridges = having('bridge')
  if (configured !== undefined) return bridges.includes(configured) ? configured : null
  if (bridges.includes('telos')) return 'telos'
  const crediting = having('gateway').filter((chain) => bridges.includes(chain))
  if (crediting.length === 1) return crediting[0] as string
  return bridges.length === 1 ? (bridges[0] as string) : null
}

/**
 * Whether irreversible blocks were rewound, the set of chains or the ledger's chain changed, or a chain has another
 * first block.
 *
 * @param before  positions of the previous snapshot
 */
export function hasRewound(
  { ledger, positions }: BridgeContext,
  beforeLedger: string,
  before: ReadonlyMap<string, ChainPosition>,
): boolean {
  if (beforeLedger !== ledger || positions.size !== before.size) return true
  return [...before].some(([chain, mark]) => {
    const now = positions.get(chain)
    if (now === undefined || now.firstBlock !== mark.firstBlock || now.rewinds !== mark.rewinds) return true
    return now.lib < mark.lib
  })
}

/** Database name of the indexed chain of a domain. */
export function indexedChain({ domains, positions }: BridgeContext, domain: bigint): string | undefined {
  return domains.find((one) => one.domain === domain && positions.has(one.chain))?.chain
}

/** Whether a payment logged by a chain pays withdrawals to a domain. */
export function paysFor({ ledger, domains }: BridgeContext, chain: string, domain: bigint): boolean {
  const ends = domains.filter((one) => one.domain === domain)
  if (ends.some((one) => one.chain === chain)) return true
  // A recording of a single unnamed chain may hold both sides.
  const named = domains.some((one) => one.chain === ledger && one.named)
  return chain === ledger && ends.length === 0 && !named
}

/** Accounts or addresses with a role on a chain. */
export function accountsWithRole({ accounts }: BridgeContext, chain: string, role: string): string[] {
  return accounts.filter((one) => one.chain === chain && one.role === role).map(({ account }) => account)
}

/** The gateway of a domain on the ledger's chain; null if unknown. */
export function gatewayOf({ accounts, ledger }: BridgeContext, domain: bigint): string | null {
  const found = accounts.find((one) => one.chain === ledger && one.role === 'gateway' && one.domain === domain)
  return found?.account ?? null
}

/**
 * Time of the chain's last indexed block, else of the ledger's, Unix milliseconds. Answers use it as "now", so that
 * they depend on the snapshot only.
 */
export function nowOf({ positions, ledger }: BridgeContext, chain: string = ledger): number {
  return positions.get(chain)?.time ?? positions.get(ledger)?.time ?? 0
}
