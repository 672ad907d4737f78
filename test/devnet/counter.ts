// A minimal contract for tests: a counter per account, a log action, a notification and a refusal.

import type { ApplyContext, Contract } from '../../devnet/chain/contract.ts'

interface Counter {
  owner: string
  count: bigint
}

export const counter: Contract = {
  account: 'counter.svc',
  abi: {
    version: 'eosio::abi/1.2',
    types: [],
    structs: [
      {
        name: 'add',
        base: '',
        fields: [
          { name: 'owner', type: 'name' },
          { name: 'amount', type: 'uint64' },
        ],
      },
      { name: 'clear', base: '', fields: [{ name: 'owner', type: 'name' }] },
      {
        name: 'counter',
        base: '',
        fields: [
          { name: 'owner', type: 'name' },
          { name: 'count', type: 'uint64' },
        ],
      },
    ],
    actions: [
      { name: 'add', type: 'add' },
      { name: 'logadd', type: 'counter' },
      { name: 'clear', type: 'clear' },
    ],
    tables: [{ name: 'counters', type: 'counter' }],
    variants: [],
  },
  apply(context: ApplyContext) {
    const { receiver, action, db } = context
    const { owner, amount = 0n } = action.data as { owner: string; amount?: bigint }
    if (receiver !== action.account || action.name === 'logadd') return
    const key = BigInt(owner.length)
    if (action.name === 'clear') return db.erase('counters', owner, key)
    context.check(amount > 0n, 'amount must be positive')
    const count = (db.get<Counter>('counters', owner, key)?.count ?? 0n) + amount
    db.set('counters', owner, key, { owner, count })
    context.notify(owner)
    context.inline({
      account: receiver,
      name: 'logadd',
      authorization: [{ actor: receiver, permission: 'active' }],
      data: { owner, count },
    })
    context.check(count < 1_000_000n, `${owner} has too many`)
  },
}

export const add = (owner: string, amount: bigint) => ({
  account: 'counter.svc',
  name: 'add',
  authorization: [{ actor: owner, permission: 'active' }],
  data: { owner, amount },
})

export const clear = (owner: string) => ({ ...add(owner, 0n), name: 'clear', data: { owner } })
