// The actions of the ledger's chain and of other Antelope chains, packed by the ABIs that the chains have.
import type { PackedAction } from '../../core/antelope/digest.ts'
import { isEvmDomain } from '../../core/chains.ts'
import { fromHex } from '../../core/hex.ts'
import type { BridgeApi } from '../bridge-api.ts'
import { NO_PROOF, NOT_FINAL, NotMade, Refused } from '../choice/refusal.ts'
import type { Task } from '../choice/task.ts'
import type { RelayAction } from '../pending.ts'
import { type AntelopeContracts, requireAllowedAction } from './allowed.ts'
import type { Ledger } from './ledger.ts'
import type { AntelopeChain } from './node.ts'
import type { Outcomes } from './outcomes.ts'

export interface ActionMaker {
  chain: AntelopeChain
  api: BridgeApi
  /** Account that authorises, and its permission. */
  account: string
  permission: string
  /** Contracts of the configuration: no other one is called. */
  contracts: AntelopeContracts
  /** Null without a node of the ledger's chain. */
  ledger: Ledger | null
  outcomes: Outcomes
}

/** Actions of one transaction. @throws NotMade when it is too early, or they are not made here; Refused, NotAllowed */
export async function actionsOf(maker: ActionMaker, task: Task, action: RelayAction): Promise<PackedAction[]> {
  const { account: actor, permission } = maker
  const authorization = [{ actor, permission }]
  if (action === 'credit') {
    const served = await maker.api.creditActions(task.leg, actor)
    if (served === null) throw new NotMade(NO_PROOF, 'later')
    for (const { account, name } of served) requireAllowedAction(maker.contracts, action, account, name)
    return served.map(({ account, name, data }) => ({ account, name, authorization, data: fromHex(data) }))
  }
  const { account, members } = await callOf(maker, task)
  requireAllowedAction(maker.contracts, action, account, action)
  return [{ account, name: action, authorization, data: await maker.chain.encode(account, action, members) }]
}

interface Call {
  account: string
  members: object
}

async function callOf(maker: ActionMaker, task: Task): Promise<Call> {
  switch (task.kind) {
    case 'withdrawal':
      return payment(maker, task)
    case 'deposit': {
      const { contract, domain, nonce } = task.entry
      return { account: required(contract), members: { domain: BigInt(domain), nonce: BigInt(nonce) } }
    }
    case 'hop': {
      const { contract, id } = task.entry
      return { account: required(contract), members: { id: BigInt(id) } }
    }
    case 'settlement':
      return settlement(maker, task)
  }
}

/** @throws NotMade for an entry of the bridge API without a contract */
function required(contract: string | null): string {
  if (contract !== null) return contract
  throw new NotMade('the bridge API names no contract', 'later')
}

type WithdrawalTask = Extract<Task, { kind: 'withdrawal' }>

async function payment({ contracts, ledger }: ActionMaker, { entry, amount }: WithdrawalTask): Promise<Call> {
  const [bridge] = contracts.bridge
  if (amount === null || bridge === undefined)
    throw new NotMade('no route of the ledger has its token, or its chain has no accounts.bridge', 'later')
  if (ledger === null)
    throw new Refused('payments are compared with the ledger: set relay.nodes, or source.http, of its chain')
  await ledger.requireWithdrawal(entry)
  const { id, token, recipient } = entry
  const quantity = { amount: amount.units, precision: amount.decimals, symbol: amount.symbol }
  const members = { id: BigInt(id), token_contract: token, recipient, quantity, memo: `withdrawal ${id}` }
  return { account: bridge, members }
}

async function settlement(maker: ActionMaker, { entry }: Extract<Task, { kind: 'settlement' }>): Promise<Call> {
  const { action, released, tx, domain } = entry
  const contract = required(entry.contract)
  const id = BigInt(entry.id)
  if (action === 'refund') return { account: contract, members: { id } }
  if (!maker.outcomes.has(BigInt(domain))) throw new NotMade(notSettled(domain), 'left')
  const position =
    tx === null || released === null ? null : await maker.outcomes.positionOf(BigInt(domain), id, tx, released)
  if (position === null) throw new NotMade(NOT_FINAL, 'later')
  const proof = (await maker.chain.abi(contract)).encode('outcome', position)
  return { account: contract, members: { relayer: maker.account, id, released, proof } }
}

/** The published interface defines no evidence, and devnets have one for EVM chains alone. */
function notSettled(domain: string): string {
  const what = isEvmDomain(BigInt(domain))
    ? 'relay.outcomes is none, or the chain is not configured'
    : 'it was paid on an Antelope chain'
  return `this relayer makes no evidence of outcomes on domain ${domain}: ${what}`
}
