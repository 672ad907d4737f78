// State of a chain: accounts with sequences and ABIs, and contract rows.
// Every change is journalled, so that a transaction or a whole block can be undone and redone exactly.

import { type CompiledAbi, compileAbi } from '../../core/antelope/abi/compile.ts'
import type { AbiDefinition } from '../../core/antelope/abi/definition.ts'
import { parseAbi } from '../../core/antelope/abi/parse.ts'
import { ContractError } from './contract-error.ts'
import type { Permissions } from './permissions.ts'
import { StoredRow, TableRows } from './table-rows.ts'

export interface AbiVersion {
  packed: Uint8Array
  definition: AbiDefinition
  compiled: CompiledAbi
}

/** Mutable part of an account; replaced as a whole. */
export interface AccountState {
  readonly recvSequence: number
  readonly authSequence: number
  readonly codeSequence: number
  readonly abiSequence: number
  readonly abi: AbiVersion | null
  readonly permissions: Permissions
}

export class Account {
  readonly name: string
  /** Slot. */
  readonly created: number
  state: AccountState = {
    recvSequence: 0,
    authSequence: 0,
    codeSequence: 0,
    abiSequence: 0,
    abi: null,
    permissions: [],
  }
  constructor(name: string, created: number) {
    this.name = name
    this.created = created
  }
}

export interface Change {
  undo(): void
  redo(): void
}

export class RowChange implements Change {
  readonly rows: TableRows
  readonly key: bigint
  readonly before: StoredRow | undefined
  readonly after: StoredRow | undefined
  constructor(rows: TableRows, key: bigint, before: StoredRow | undefined, after: StoredRow | undefined) {
    this.rows = rows
    this.key = key
    this.before = before
    this.after = after
  }
  undo(): void {
    this.rows.put(this.key, this.before)
  }
  redo(): void {
    this.rows.put(this.key, this.after)
  }
}

export class AccountChange implements Change {
  readonly account: Account
  readonly before: AccountState
  after: AccountState
  constructor(account: Account, after: AccountState) {
    this.account = account
    this.before = account.state
    this.after = after
  }
  undo(): void {
    this.account.state = this.before
  }
  redo(): void {
    this.account.state = this.after
  }
}

/** Creation of an account. */
export class AccountCreated implements Change {
  readonly account: Account
  private readonly accounts: Map<string, Account>
  constructor(account: Account, accounts: Map<string, Account>) {
    this.account = account
    this.accounts = accounts
  }
  undo(): void {
    this.accounts.delete(this.account.name)
  }
  redo(): void {
    this.accounts.set(this.account.name, this.account)
  }
}

export class ChainState {
  globalSequence: number
  /** Slot of the current block. */
  slot = 0
  private readonly accounts = new Map<string, Account>()
  /** By contract, table and scope. */
  private readonly tables = new Map<string, Map<string, Map<string, TableRows>>>()
  private changes: Change[] = []
  /** Account changes of the current transaction. */
  private readonly fresh = new Map<Account, AccountChange>()

  constructor(globalSequence: number) {
    this.globalSequence = globalSequence
  }

  /** Starts a transaction. @returns the journal's position, for rollback */
  mark(): number {
    this.fresh.clear()
    return this.changes.length
  }

  /** Undoes the changes after a mark. */
  rollback(mark: number, globalSequence: number): void {
    this.fresh.clear()
    for (const change of this.changes.splice(mark).reverse()) change.undo()
    this.globalSequence = globalSequence
  }

  /** Whether contract rows have changed since a mark. */
  hasWrittenSince(mark: number): boolean {
    return this.changes.slice(mark).some((change) => change instanceof RowChange)
  }

  /** Ends a block and returns its journal. */
  takeChanges(): Change[] {
    const { changes } = this
    this.changes = []
    this.fresh.clear()
    return changes
  }

  /** Makes a change as part of the current block. */
  apply(change: Change): void {
    change.redo()
    this.changes.push(change)
  }

  /** Returns the account; creates it on first use. */
  account(name: string): Account {
    const known = this.accounts.get(name)
    if (known) return known
    const account = new Account(name, this.slot)
    this.apply(new AccountCreated(account, this.accounts))
    return account
  }

  findAccount(name: string): Account | undefined {
    return this.accounts.get(name)
  }

  allAccounts(): Iterable<Account> {
    return this.accounts.values()
  }

  /** Merges the changes of one account in one transaction. */
  private replace(account: Account, after: AccountState): void {
    const known = this.fresh.get(account)
    if (!known) {
      const change = new AccountChange(account, after)
      this.fresh.set(account, change)
      this.apply(change)
      return
    }
    known.after = after
    account.state = after
  }

  nextGlobalSequence(): number {
    return ++this.globalSequence
  }

  nextRecvSequence(name: string): number {
    const account = this.account(name)
    this.replace(account, { ...account.state, recvSequence: account.state.recvSequence + 1 })
    return account.state.recvSequence
  }

  nextAuthSequence(name: string): number {
    const account = this.account(name)
    this.replace(account, { ...account.state, authSequence: account.state.authSequence + 1 })
    return account.state.authSequence
  }

  /** @throws ContractError for bytes that are not an ABI, like a node */
  setAbi(name: string, packed: Uint8Array): void {
    const account = this.account(name)
    this.replace(account, { ...account.state, abiSequence: account.state.abiSequence + 1, abi: abiFrom(packed) })
  }

  /** Marks that code was deployed to an account. */
  setCode(name: string): void {
    const account = this.account(name)
    this.replace(account, { ...account.state, codeSequence: account.state.codeSequence + 1 })
  }

  setPermissions(name: string, permissions: Permissions): void {
    const account = this.account(name)
    this.replace(account, { ...account.state, permissions })
  }

  /** Configured permissions; empty for an unknown account. */
  permissionsOf(name: string): Permissions {
    return this.accounts.get(name)?.state.permissions ?? []
  }

  abiOf(name: string): CompiledAbi {
    const abi = this.accounts.get(name)?.state.abi
    if (!abi) throw new ContractError(`account ${name} has no ABI`)
    return abi.compiled
  }

  rows(code: string, table: string, scope: string): TableRows {
    let tables = this.tables.get(code)
    if (!tables) this.tables.set(code, (tables = new Map()))
    let scopes = tables.get(table)
    if (!scopes) tables.set(table, (scopes = new Map()))
    let rows = scopes.get(scope)
    if (!rows) scopes.set(scope, (rows = new TableRows(code, scope, table)))
    return rows
  }

  findRows(code: string, table: string, scope: string): TableRows | undefined {
    return this.tables.get(code)?.get(table)?.get(scope)
  }

  *allTables(): Generator<TableRows> {
    for (const tables of this.tables.values()) for (const scopes of tables.values()) yield* scopes.values()
  }

  setRow(code: string, table: string, scope: string, key: bigint, value: object): void {
    const rows = this.rows(code, table, scope)
    const before = rows.get(key)
    const row = new StoredRow(value, before?.payer ?? code, this.abiOf(code), table)
    this.apply(new RowChange(rows, key, before, row))
  }

  eraseRow(code: string, table: string, scope: string, key: bigint): void {
    const rows = this.findRows(code, table, scope)
    const before = rows?.get(key)
    if (rows && before) this.apply(new RowChange(rows, key, before, undefined))
  }
}

/** Compiled ABIs, shared by the chains of a process. */
const versions = new Map<string, AbiVersion>()

function abiFrom(packed: Uint8Array): AbiVersion {
  const key = Buffer.from(packed).toString('base64')
  const known = versions.get(key)
  if (known) return known
  try {
    const definition = parseAbi(packed)
    const version = { packed, definition, compiled: compileAbi(definition) }
    versions.set(key, version)
    return version
  } catch (error) {
    throw new ContractError(`invalid ABI: ${(error as Error).message}`)
  }
}
