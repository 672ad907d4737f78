// Transactions made as by a client, with a library that shares no code with the cosigner's checks.
import { readFileSync } from 'node:fs'
import { ABI, Action, Serializer, Transaction } from '@wharfkit/antelope'

export const PAYER = { actor: 'liquid.svc', permission: 'bw' }
export const USER = 'alice.trade'

export interface TestAction {
  account: string
  name: string
  authorization: { actor: string; permission: string }[]
  /** Hex. */
  data: string
}

export const TOKEN_ABI = ABI.from(
  JSON.parse(readFileSync(new URL('../../abis/eosio.token.abi.json', import.meta.url), 'utf8')),
)

export const noop = (changes: Partial<TestAction> = {}): TestAction => ({
  account: 'liquid.svc',
  name: 'noop',
  authorization: [PAYER],
  data: '',
  ...changes,
})

export const by = (actor: string, permission = 'active') => ({ actor, permission })

export function transferData(to: string, { from = USER, quantity = '1.00000000 WAX', memo = 'x' } = {}): string {
  const object = { from, to, quantity, memo }
  return Serializer.encode({ object, abi: TOKEN_ABI, type: 'transfer' }).hexString
}

export const transfer = (to = 'swap.svc', changes: Partial<TestAction> = {}): TestAction => ({
  account: 'eosio.token',
  name: 'transfer',
  authorization: [by(USER)],
  data: transferData(to),
  ...changes,
})

/** An action of the user on a contract. */
export const call = (account: string, name = 'addliquid', changes: Partial<TestAction> = {}): TestAction => ({
  account,
  name,
  authorization: [by(USER)],
  data: '00ff',
  ...changes,
})

const HEADER = {
  expiration: '2030-01-01T00:00:00',
  ref_block_num: 7,
  ref_block_prefix: 77,
  max_net_usage_words: 0,
  max_cpu_usage_ms: 0,
  delay_sec: 0,
  context_free_actions: [] as TestAction[],
  transaction_extensions: [] as { type: number; data: string }[],
}

export type Header = typeof HEADER

/** Hex of a transaction with these actions. */
export function pack(actions: readonly TestAction[], header: Partial<Header> = {}): string {
  const all = { ...HEADER, ...header, actions: actions.map((one) => Action.from(one)) }
  return Serializer.encode({ object: Transaction.from(all) }).hexString
}

let made = 0

/** A unique transaction of the user: a swap, or the given actions. */
export function unique(actions: readonly TestAction[] = [noop(), transfer()], header: Partial<Header> = {}): string {
  return pack(actions, { ...header, ref_block_prefix: ++made })
}
