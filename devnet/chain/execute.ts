// Runs a transaction as a node does: the action, then its notifications, then its inline actions depth first.
// Ordinals are assigned when an action is scheduled, global sequences when it has run.

import { type ActionReceipt, actDigest, actionBase, type PackedAction } from '../../core/antelope/digest.ts'
import { nameToU64 } from '../../core/antelope/name.ts'
import type { ActionCall, ApplyContext, Contract, TableStore } from './contract.ts'
import { ContractError } from './contract-error.ts'
import { ContractTables } from './contract-tables.ts'
import { changePermissions, isPermissionAction } from './permissions.ts'
import type { ChainState } from './state.ts'
import type { Transaction } from './transaction.ts'

const MAX_DEPTH = 10

/** An action executed at one receiver. */
export interface ActionTrace {
  ordinal: number
  creator: number
  receiver: string
  action: PackedAction
  receipt: ActionReceipt
}

interface Scheduled {
  ordinal: number
  creator: number
  receiver: string
  call: ActionCall
  packed: PackedAction
  digest: Uint8Array
}

const NO_BYTES = new Uint8Array()

/** Cache of action digests' constant parts, by actor, account and action, for actions with one `active` permission. */
const bases = new Map<string, Map<string, Map<string, Uint8Array>>>()
const MAX_ACTORS = 10_000

function baseOf(action: PackedAction): Uint8Array {
  const { account, name, authorization } = action
  const { actor, permission } = authorization[0] ?? {}
  if (actor === undefined || authorization.length > 1 || permission !== 'active') return actionBase(action)
  let accounts = bases.get(actor)
  if (!accounts) {
    if (bases.size > MAX_ACTORS) bases.clear()
    bases.set(actor, (accounts = new Map()))
  }
  let names = accounts.get(account)
  if (!names) accounts.set(account, (names = new Map()))
  let base = names.get(name)
  if (!base) names.set(name, (base = actionBase(action)))
  return base
}

/** Packs an action with its contract's current ABI. */
export function packCall(state: ChainState, call: ActionCall): PackedAction {
  const { account, name, authorization, data } = call
  return { account, name, authorization, data: state.abiOf(account).encodeAction(name, data) }
}

class Execution {
  readonly traces: ActionTrace[] = []
  private scheduled = 0
  readonly state: ChainState
  readonly now: number
  private readonly contracts: ReadonlyMap<string, Contract>

  constructor(state: ChainState, contracts: ReadonlyMap<string, Contract>, now: number) {
    this.state = state
    this.contracts = contracts
    this.now = now
  }

  schedule(call: ActionCall, packed: PackedAction, receiver: string, creator: number, digest?: Uint8Array): Scheduled {
    const ordinal = ++this.scheduled
    return { ordinal, creator, receiver, call, packed, digest: digest ?? actDigest(packed, NO_BYTES, baseOf(packed)) }
  }

  /** Runs a scheduled action, its notifications and its inline actions. */
  run(action: Scheduled, depth: number): void {
    if (depth > MAX_DEPTH) throw new ContractError('max inline action depth per transaction reached')
    const receivers = [action]
    const inlines: Scheduled[] = []
    // Contracts append receivers while the list is walked.
    for (const current of receivers) {
      this.apply(current, receivers, inlines)
      this.record(current)
    }
    for (const inline of inlines) this.run(inline, depth + 1)
  }

  private apply(current: Scheduled, receivers: Scheduled[], inlines: Scheduled[]): void {
    const { receiver, call } = current
    if (receiver === 'eosio' && call.account === 'eosio') this.applySystem(call)
    const contract = this.contracts.get(receiver)
    if (!contract) return
    contract.apply(new Context(this, current, receivers, inlines))
  }

  /** Applies the system account's actions that change the chain itself. */
  private applySystem({ name, data }: ActionCall): void {
    const account = data.account as string
    if (name === 'setabi') this.state.setAbi(account, data.abi as Uint8Array)
    if (name === 'setcode') this.state.setCode(account)
    if (isPermissionAction(name))
      this.state.setPermissions(account, changePermissions(this.state.permissionsOf(account), name, data))
  }

  private record({ ordinal, creator, receiver, packed, digest }: Scheduled): void {
    const { state } = this
    const globalSequence = BigInt(state.nextGlobalSequence())
    const recvSequence = BigInt(state.nextRecvSequence(receiver))
    const authSequence = this.authSequence(packed)
    const { codeSequence, abiSequence } = state.account(packed.account).state
    this.traces.push({
      ordinal,
      creator,
      receiver,
      action: packed,
      receipt: { receiver, actDigest: digest, globalSequence, recvSequence, authSequence, codeSequence, abiSequence },
    })
  }

  /** Sequences of the actors, ordered by name. */
  private authSequence({ authorization }: PackedAction): [actor: string, sequence: bigint][] {
    const [first] = authorization
    if (first && authorization.length === 1) return [[first.actor, BigInt(this.state.nextAuthSequence(first.actor))]]
    const sequences = new Map<string, bigint>()
    for (const { actor } of authorization) sequences.set(actor, BigInt(this.state.nextAuthSequence(actor)))
    return [...sequences].sort(byName)
  }
}

function byName(a: readonly [string, bigint], b: readonly [string, bigint]): number {
  return nameToU64(a[0]) < nameToU64(b[0]) ? -1 : 1
}

/** Context of a running contract. */
class Context implements ApplyContext {
  readonly receiver: string
  readonly action: ActionCall
  readonly now: number
  readonly db: TableStore
  private readonly execution: Execution
  private readonly current: Scheduled
  private readonly receivers: Scheduled[]
  private readonly inlines: Scheduled[]

  constructor(execution: Execution, current: Scheduled, receivers: Scheduled[], inlines: Scheduled[]) {
    this.receiver = current.receiver
    this.action = current.call
    this.now = execution.now
    this.db = new ContractTables(execution.state, current.receiver)
    this.execution = execution
    this.current = current
    this.receivers = receivers
    this.inlines = inlines
  }

  table(account: string): Pick<TableStore, 'get' | 'rows'> {
    return new ContractTables(this.execution.state, account)
  }

  inline(call: ActionCall): void {
    const packed = packCall(this.execution.state, call)
    this.inlines.push(this.execution.schedule(call, packed, call.account, this.current.ordinal))
  }

  notify(account: string): void {
    if (this.receivers.some((other) => other.receiver === account)) return
    const { call, packed, ordinal, digest } = this.current
    this.receivers.push(this.execution.schedule(call, packed, account, ordinal, digest))
  }

  check(condition: boolean, message: string): asserts condition {
    if (!condition) throw new ContractError(message)
  }
}

/**
 * Runs a transaction.
 *
 * @param now  block time, Unix milliseconds
 * @returns traces in execution order (ascending global sequence)
 * @throws ContractError when a contract refuses; the state is then unchanged
 */
export function execute(
  state: ChainState,
  contracts: ReadonlyMap<string, Contract>,
  { actions }: Pick<Transaction, 'actions'>,
  now: number,
): ActionTrace[] {
  const { globalSequence } = state
  const mark = state.mark()
  const execution = new Execution(state, contracts, now)
  try {
    const scheduled = actions.map(({ call, packed }) => execution.schedule(call, packed, call.account, 0))
    for (const action of scheduled) execution.run(action, 0)
  } catch (error) {
    state.rollback(mark, globalSequence)
    throw error
  }
  return execution.traces
}
