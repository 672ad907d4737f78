// The transactions of the recording `medium`: the devnet's contract accepts and refuses the same ones as the real
// contract.
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import type { ActionCall } from '../../../devnet/chain/contract.ts'
import { call } from '../../../devnet/contracts/actions.ts'
import { AmmContract } from '../../../devnet/contracts/amm/contract.ts'
import { TokenContract } from '../../../devnet/contracts/token.ts'
import { Ledger } from './ledger.ts'
import { fromJson } from './recorded-json.ts'

interface Push {
  label: string
  ok: boolean
  error?: string
  block?: number
  actions: { account: string; name: string; data: Record<string, unknown> }[]
}

const AMM = 'swap.svc'
const TOKENS = ['eosio.token', 'usdt.svc', 'alien.worlds', 'tokens.dev', 'dust.dev', 'wrap.svc']
const START = Date.parse('2026-01-01T00:00:00Z')
const file = new URL('../../fixtures/recordings/medium.pushes.json.gz', import.meta.url)

/** Signer of an action: the first account in its data, otherwise the contract. */
function toCall({ account, name, data }: Push['actions'][number]): ActionCall {
  const actor = (name === 'create' ? account : (data.from ?? data.owner ?? data.account ?? account)) as string
  return call(account, name, actor, fromJson(data))
}

t.test('mints, swaps and settings succeed or fail as in the real contract, with the same texts', async (t) => {
  const pushes: Push[] = JSON.parse(gunzipSync(readFileSync(file)).toString())
  const activeFee = { quantity: { amount: 0n, precision: 8, symbol: 'WAX' }, contract: 'eosio.token' }
  const tokens = TOKENS.map((account) => new TokenContract(account))
  const ledger = new Ledger([...tokens, new AmmContract({ layout: '2023-08', activeFee, isAccount: () => true })])
  const differences: string[] = []
  const refusals = new Map<string, number>()
  let compared = 0
  for (const [index, { label, ok, error, block, actions }] of pushes.entries()) {
    if (!actions.every(({ account }) => account === AMM || TOKENS.includes(account))) continue
    const outcome = ledger.push(actions.map(toCall), START + (block ?? 0) * 500)
    const expected = ok ? null : error?.replace('assertion failure with message: ', '')
    compared++
    if (!ok && expected) refusals.set(expected, (refusals.get(expected) ?? 0) + 1)
    if (outcome.error !== expected) differences.push(`${index} ${label}: ${outcome.error} instead of ${expected}`)
  }
  t.same(differences.slice(0, 8), [])
  t.equal(refusals.get('UnderflowException, (a)-(b)'), 3)
  t.equal(compared, 1997)
})
