// Actions of Antelope chains in words, for a wallet that asks on the page itself. Pure.
import type { AntelopeAction } from '../core/types.ts'

/** What the bridge's actions do, and labels of their members. */
const ACTIONS = new Map<string, { does: string; labels: Record<string, string> }>([
  ['transfer', { does: 'Send tokens', labels: { from: 'From', to: 'To', quantity: 'Amount', memo: 'Memo' } }],
  ['claim', { does: 'Collect what the bridge holds for an account', labels: { owner: 'Account', sym_code: 'Token' } }],
  ['forward', { does: 'Pass on a deposit to its receiver', labels: { domain: 'From domain', nonce: 'Deposit' } }],
  ['bounce', { does: 'Send back a deposit that was not taken', labels: { domain: 'From domain', nonce: 'Deposit' } }],
  ['noop', { does: 'Nothing: it stands first, so that its signer pays for CPU', labels: {} }],
  ['recover', { does: 'Send back a transfer that was not delivered', labels: { id: 'Transfer' } }],
])

/** A swap's memo names pools, receiver and least amount: `swapexactin#0,3#alice#1.5 USDT@usdt.svc#0`. */
const SWAP_MEMO = /^swapexactin#([\d,]+)#([a-z1-5.]+)#([^#@]+)@([^#]+)#/

/** What a memo asks its receiver for. The receiver decides, so it stands beside the transfer, not in its place. */
function memoRows({ memo }: Record<string, unknown>): [label: string, value: string][] {
  const found = SWAP_MEMO.exec(String(memo ?? ''))
  if (found === null) return []
  const [, pools = '', receiver = '', least = '', contract = ''] = found
  const path = pools.split(',').join(', then ')
  return [['The memo asks for', `a swap in pool ${path} that pays at least ${least} of ${contract} to ${receiver}`]]
}

/** Label and value of each row: what the action does, all its members, and its contract and name. */
export function actionRows({ account, name, data }: AntelopeAction): [label: string, value: string][] {
  const words = ACTIONS.get(name)
  return [
    ...(words === undefined ? [] : [['What it does', words.does] satisfies [string, string]]),
    ...Object.entries(data).map(([member, value]): [string, string] => [
      words?.labels[member] ?? member,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
    ...(name === 'transfer' ? memoRows(data) : []),
    ['Call', `${account}::${name}`],
  ]
}
