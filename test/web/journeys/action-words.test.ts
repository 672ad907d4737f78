// Actions in words, for a person who signs them.
import t from 'tap'
import { actionRows } from '../../../web/bridge/wallets/action-words.ts'

const action = (name: string, data: Record<string, unknown>) => ({
  ...{ account: 'eosio.token', name, authorization: [], data },
})

t.test('a swap says its pools, receiver and least amount next to the transfer', async (t) => {
  const memo = 'swapexactin#0,3#alice#1.5 USDT@usdt.svc#0'
  const transfer = { from: 'bob', to: 'swap.svc', quantity: '5.00000000 WAX', memo }
  t.same(actionRows(action('transfer', transfer)), [
    ['What it does', 'Send tokens'],
    ['From', 'bob'],
    ['To', 'swap.svc'],
    ['Amount', '5.00000000 WAX'],
    ['Memo', memo],
    ['The memo asks for', 'a swap in pool 0, then 3 that pays at least 1.5 USDT of usdt.svc to alice'],
    ['Call', 'eosio.token::transfer'],
  ])
  for (const other of ['swapexactin#x#alice#1 A@b#0', 'thanks', ''])
    t.notOk(actionRows(action('transfer', { ...transfer, memo: other })).some(([label]) => /asks/.test(label)))
})

t.test('the action of the payer has words', async (t) => {
  t.match(actionRows(action('noop', {})), [['What it does', /^Nothing:/], ['Call']])
})
