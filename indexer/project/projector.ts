// Projects a decoded block to rows. The configuration assigns contracts to roles. Pure.
import { BugError, DecodeError } from '../../core/errors.ts'
import type {
  DecodedAction,
  DecodedBlock,
  DecodedRow,
  PackedValue,
  RowChunk,
  UndecodedAction,
  UndecodedRow,
} from '../decode/decoded.ts'
import { undecodable } from '../decode/undecodable.ts'
import type { BlockRows, ProjectedBlock, StateRow } from '../store/rows.ts'
import type { ActionPlace, AnyAction, AnyTable, BlockContext, ContractRole, Projected, RowPlace } from './projection.ts'
import { ACTIONS, TABLES } from './projections.ts'
import { gatewayDomains, listRoles, type RoleAccount, type RoleAccounts } from './role-accounts.ts'
import { RestingOrders } from './spot/resting-orders.ts'
import { type RowKey, StaleRows } from './stale-rows.ts'

export interface ProjectorOptions {
  chain: string
  /** Accounts of all roles but `token`, whose contracts are in `tokenContracts`. */
  accounts: RoleAccounts
  /** Contracts whose transfers, balances and supplies are stored; `*`: every contract with the standard layout. */
  tokenContracts: '*' | readonly string[]
  /** Called for each row that is stored raw, before it is written. */
  onRefused?: (row: RefusedRow) => void
}

/** A row of a watched contract that could not be decoded, or whose values fit no column. */
export interface RefusedRow {
  block: number
  /** Contract account. */
  contract: string
  table: string
  scope: string
  primaryKey: bigint
  /** Stable code. */
  reasonCode: string
  reason: string
}

/** Actions and tables that the chain's decoder must watch. The account `*` matches any. */
export interface Wanted {
  actions: Map<string, Set<string>>
  tables: Map<string, Set<string>>
}

const ANY = '*'

export class Projector {
  private readonly chain: string
  private readonly onRefused: ProjectorOptions['onRefused']
  private readonly accounts: RoleAccounts
  private readonly roles: readonly RoleAccount[]
  private readonly gatewayDomains: ReadonlyMap<string, bigint>
  private readonly tokens: ReadonlySet<string> | null
  private readonly exchangeAccounts: ReadonlySet<string>
  /** By account, then by name. */
  private readonly actions = new Map<string, Map<string, AnyAction>>()
  private readonly tables = new Map<string, Map<string, AnyTable>>()
  /** Contract rows whose last change could not be decoded. */
  readonly stale: StaleRows
  readonly wanted: Wanted = { actions: new Map(), tables: new Map() }

  /** @throws UserError GATEWAY_TWICE */
  constructor({ chain, accounts, tokenContracts, onRefused }: ProjectorOptions) {
    this.chain = chain
    this.onRefused = onRefused
    this.accounts = accounts
    this.roles = listRoles(accounts)
    this.gatewayDomains = gatewayDomains(accounts.gateways ?? [])
    this.tokens =
      tokenContracts === ANY ? null : new Set([...tokenContracts, ...(accounts.wrap ? [accounts.wrap] : [])])
    this.stale = new StaleRows()
    this.exchangeAccounts = new Set(this.roles.map(({ account }) => account))
    for (const projection of ACTIONS)
      this.register(projection.contract, projection.action, projection, this.actions, this.wanted.actions)
    for (const projection of TABLES)
      this.register(projection.contract, projection.table, projection, this.tables, this.wanted.tables)
  }

  /** @returns rows of a block, including its header, ABIs and undecoded actions */
  project(block: DecodedBlock): ProjectedBlock {
    const rows: BlockRows = { ledger: [], state: [], candles: [] }
    const context = this.context()
    const undecoded: UndecodedAction[] = [...block.undecoded]
    rows.ledger.push({ table: 'blocks', row: this.header(block) })
    for (const abi of block.abiChanges) {
      const { account, globalSeq, abi: packed } = abi
      rows.ledger.push({
        table: 'abis',
        row: { chain: this.chain, account, blockNum: block.num, globalSeq, abi: packed },
      })
    }
    for (const action of block.actions) {
      const made = this.actionRows(action, block, context)
      if (made instanceof DecodeError) undecoded.push({ ...action, ...refusal(action, made) })
      else collect(rows, made)
    }
    this.collectRows(rows, block, block, 0, context)
    for (const action of undecoded) {
      rows.ledger.push(this.undecodedAction(action, block))
      this.actionProjection(action)?.missed?.(context)
    }
    // The rows that follow may be orders.
    if (block.more) context.restingOrders.missOrder()
    context.restingOrders.resolve()
    const { num, id, prevId, time, producer } = block
    const more = block.more && this.projectMore(block, block.more, context)
    return { num, id, prevId, time, producer, lib: block.lib.num, head: block.head.num, more, ...rows }
  }

  /**
   * Rows of a block that has too many to hold in memory, projected while iterating.
   *
   * @throws DecodeError as `decodeBlock`, also in the middle
   */
  private *projectMore(block: DecodedBlock, chunks: Iterable<RowChunk>, context: BlockContext): Generator<BlockRows> {
    let undecoded = 0
    try {
      for (const chunk of chunks) {
        const rows: BlockRows = { ledger: [], state: [], candles: [] }
        undecoded += this.collectRows(rows, chunk, block, undecoded, context)
        yield rows
      }
    } catch (error) {
      throw undecodable(error, block.num, this.chain)
    }
  }

  /** @returns number of rows stored raw; their index starts at `firstIndex` */
  private collectRows(
    rows: BlockRows,
    chunk: RowChunk,
    block: DecodedBlock,
    firstIndex: number,
    context: BlockContext,
  ): number {
    const undecoded: UndecodedRow[] = [...chunk.undecodedRows]
    for (const row of chunk.rows) {
      const made = this.tableRows(row, block, context)
      if (made instanceof DecodeError) undecoded.push({ ...row, ...refusal(row, made) })
      else {
        collect(rows, made)
        if (this.stale.has(row)) rows.state.push(this.stale.markRemoval(row))
      }
    }
    undecoded.forEach((row, index) => {
      rows.ledger.push(this.undecodedRow(row, firstIndex + index, block))
      for (const current of this.staleRows(row, block, context)) rows.state.push(current)
      this.tableProjection(row)?.missed?.(context)
      const { code: contract, table, scope, primaryKey, reasonCode, reason } = row
      this.onRefused?.({ block: block.num, contract, table, scope, primaryKey, reasonCode, reason })
    })
    return undecoded.length
  }

  private register<T>(
    role: ContractRole,
    name: string,
    projection: T,
    into: Map<string, Map<string, T>>,
    wanted: Map<string, Set<string>>,
  ): void {
    for (const account of this.accountsOf(role)) {
      const ofAccount = into.get(account) ?? new Map<string, T>()
      into.set(account, ofAccount.set(name, projection))
      const names = wanted.get(account) ?? new Set()
      wanted.set(account, names.add(name))
    }
  }

  private accountsOf(role: ContractRole): string[] {
    // Any contract may hold balances of the exchange's accounts, so token tables of all contracts are watched.
    if (role === 'token') return [ANY, ...(this.tokens ?? [])]
    return this.roles.filter((playing) => playing.role === role).map(({ account }) => account)
  }

  private context(): BlockContext {
    return {
      lastSwap: undefined,
      bridgeSenders: new Map(),
      restingOrders: new RestingOrders(),
      bridgeAccount: this.accounts.bridge,
      gatewayDomains: this.gatewayDomains,
      exchangeAccounts: this.exchangeAccounts,
      isTokenWatched: (contract) => this.tokens?.has(contract) ?? true,
    }
  }

  private actionRows(action: DecodedAction, block: DecodedBlock, context: BlockContext): Projected | DecodeError {
    const { account, name, globalSeq, trxId, data } = action
    const projection = this.actionProjection(action)
    if (!projection)
      throw new BugError('UNWANTED_ACTION', `${this.chain}, block ${block.num}: ${account}::${name} has no projection`)
    const at: ActionPlace = { chain: this.chain, blockNum: block.num, blockTime: block.time, globalSeq, trxId }
    return attempt(() => projection.rows(data, at, account, context))
  }

  private actionProjection({ account, name }: Pick<DecodedAction, 'account' | 'name'>): AnyAction | undefined {
    return this.actions.get(account)?.get(name) ?? this.actions.get(ANY)?.get(name)
  }

  private tableRows(row: DecodedRow, block: DecodedBlock, context: BlockContext): Projected | DecodeError {
    const projection = this.tableProjection(row)
    if (!projection)
      throw new BugError(
        'UNWANTED_ROW',
        `${this.chain}, block ${block.num}: ${row.code}/${row.table} has no projection`,
      )
    return attempt(() => projection.rows(row.data, this.placeOf(row, block), context))
  }

  private tableProjection({ code, table }: RowKey): AnyTable | undefined {
    return this.tables.get(code)?.get(table) ?? this.tables.get(ANY)?.get(table)
  }

  private placeOf({ code, scope, scopeRaw, primaryKey, present }: RowKey, { num, time }: DecodedBlock): RowPlace {
    return { chain: this.chain, blockNum: num, blockTime: time, code, scope, scopeRaw, primaryKey, present }
  }

  /** Marks or removes the current row of a row that cannot be decoded. */
  private staleRows(row: UndecodedRow, block: DecodedBlock, context: BlockContext): StateRow[] {
    const projection = this.tableProjection(row)
    if (!projection?.current) return []
    const { current } = projection
    const known = attempt(() => current(this.placeOf(row, block), context))
    return known === null || known instanceof DecodeError ? [] : this.stale.markRows(row, block, known)
  }

  private header(block: DecodedBlock): object {
    const { num, id, prevId, time, producer } = block
    return { chain: this.chain, blockNum: num, blockId: id, prevId, blockTime: time, producer }
  }

  private undecodedAction(action: UndecodedAction, block: DecodedBlock): BlockRows['ledger'][number] {
    const { account, globalSeq, trxId, name, raw, reasonCode, reason } = action
    const row = {
      chain: this.chain,
      account,
      globalSeq,
      blockNum: block.num,
      blockTime: block.time,
      trxId,
      name,
      data: raw,
      reasonCode,
      reason,
    }
    return { table: 'undecoded_actions', row }
  }

  private undecodedRow(row: UndecodedRow, rowIndex: number, block: DecodedBlock): BlockRows['ledger'][number] {
    const { code, scope, table, primaryKey, present, raw, reasonCode, reason } = row
    const place = { chain: this.chain, code, blockNum: block.num, rowIndex, blockTime: block.time }
    return {
      table: 'undecoded_rows',
      row: { ...place, scope, tableName: table, primaryKey, present, data: raw, reasonCode, reason },
    }
  }
}

/** Returns a DecodeError instead of throwing it: the block is projected without the action or row. */
function attempt<T>(make: () => T): T | DecodeError {
  try {
    return make()
  } catch (error) {
    if (error instanceof DecodeError) return error
    throw error
  }
}

function collect(rows: BlockRows, made: Projected): void {
  if (made.ledger) for (const row of made.ledger) rows.ledger.push(row)
  if (made.state) for (const row of made.state) rows.state.push(row)
  if (made.candles) for (const candle of made.candles) rows.candles.push(candle)
}

function refusal({ frame, start, end }: PackedValue, error: DecodeError) {
  return { raw: frame.slice(start, end), reasonCode: error.code, reason: error.message }
}
