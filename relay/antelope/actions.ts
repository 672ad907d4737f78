// The actions of the ledger's chain and of other Antelope chains, packed by the ABIs that the chains have.
import type { PackedAction } from '../../core/antelope/digest.ts'
import { fromHex } from '../../core/hex.ts'
import type { BridgeApi } from '../bridge-api.ts'
import { Refused } from '../choice/refusal.ts'
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

/** Actions of one transaction; null when it is too early, or no one here can make them. @throws Refused, NotAllowed */
export async function actionsOf(maker: ActionMaker, task: Task, action: RelayAction): Promise<PackedAction[] | null> {
  const { account: actor, permission } = maker
  const authorization = [{ actor, permission }]
  if (action === 'credit') {
    const served = await maker.api.creditActions(task.leg, actor)
    if (served === null) return null
    for (const { account, name } of served) requireAllowedAction(maker.contracts, action, account, name)
    return served.map(({ account, name, data }) => ({ account, name, authorization, data: fromHex(data) }))
  }
  const call = await callOf(maker, task, action)
  if (call === null) return null
  const { account, members } = call
  requireAllowedAction(maker.contracts, action, account, action)
  return [{ account, name: action, authorization, data: await maker.chain.encode(account, action, members) }]
}

interface Call {
  account: string
  members: object
}

async function callOf(maker: ActionMaker, task: Task, action: RelayAction): Promise<Call | null> {
  switch (task.kind) {
    case 'withdrawal':
      return action === 'pay' ? payment(maker, task) : null
    case 'deposit': {
      const { contract, domain, nonce } = task.entry
      return contract === null ? null : { account: contract, members: { domain: BigInt(domain), nonce: BigInt(nonce) } }
    }
    case 'hop': {
      const { contract, id } = task.entry
      return contract === null ? null : { account: contract, members: { id: BigInt(id) } }
    }
    case 'settlement':
      return settlement(maker, task)
  }
}

type WithdrawalTask = Extract<Task, { kind: 'withdrawal' }>

async function payment({ contracts, ledger }: ActionMaker, { entry, amount }: WithdrawalTask): Promise<Call | null> {
  const [bridge] = contracts.bridge
  if (amount === null || bridge === undefined) return null
  if (ledger === null)
    throw new Refused('payments are compared with the ledger: set relay.nodes, or source.http, of its chain')
  await ledger.requireWithdrawal(entry)
  const { id, token, recipient } = entry
  const quantity = { amount: amount.units, precision: amount.decimals, symbol: amount.symbol }
  const members = { id: BigInt(id), token_contract: token, recipient, quantity, memo: `withdrawal ${id}` }
  return { account: bridge, members }
}

async function settlement(maker: ActionMaker, { entry }: Extract<Task, { kind: 'settlement' }>): Promise<Call | null> {
  const { action, contract, released, tx } = entry
  if (contract === null) return null
  const id = BigInt(entry.id)
  if (action === 'refund') return { account: contract, members: { id } }
  if (tx === null || released === null) return null
  const position = await maker.outcomes.positionOf(BigInt(entry.domain), id, tx, released)
  if (position === null) return null
  const proof = (await maker.chain.abi(contract)).encode('outcome', position)
  return { account: contract, members: { relayer: maker.account, id, released, proof } }
}
