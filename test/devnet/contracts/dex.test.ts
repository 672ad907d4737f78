// The order-book contract with hand-computed examples: matches, fees, payouts, refunds, refusals.
import t from 'tap'
import { parseAsset } from '../../../core/antelope/asset.ts'
import { call } from '../../../devnet/contracts/actions.ts'
import { DexContract, marketScope } from '../../../devnet/contracts/dex.ts'
import { balanceOf, TokenContract } from '../../../devnet/contracts/token.ts'
import { Ledger } from './ledger.ts'

const NOW = Date.parse('2026-01-01T00:00:00Z')
const DEX = 'svcdexmain'

function open(layout: 'first' | 'next') {
  const ledger = new Ledger([new TokenContract('eosio.token'), new TokenContract('tlm'), new DexContract({ layout })])
  const token = (contract: string, code: string, precision: number) => {
    const asset = (amount: bigint) => ({ amount, precision, symbol: code })
    return [
      call(contract, 'create', contract, { issuer: contract, maximum_supply: asset(10n ** 15n) }),
      ...['maker', 'taker'].map((to) =>
        call(contract, 'issue', contract, { to, quantity: asset(10n ** 12n), memo: '' }),
      ),
    ]
  }
  const market = {
    base_con: 'eosio.token',
    base_sym: parseAsset('0.00000000 WAX'),
    quote_con: 'tlm',
    quote_sym: parseAsset('0.0000 TLM'),
  }
  const done = ledger.push(
    [...token('eosio.token', 'WAX', 8), ...token('tlm', 'TLM', 4), call(DEX, 'openmarket', DEX, market)],
    NOW,
  )
  if (done.error !== null) throw new Error(done.error)
  const send = (contract: string, from: string, quantity: string, memo: string) =>
    ledger.push([call(contract, 'transfer', from, { from, to: DEX, quantity: parseAsset(quantity), memo })], NOW)
  return { ledger, send }
}

for (const layout of ['first', 'next'] as const) {
  t.test(`${layout} layout: a buy order fills part of a resting sell order, both pay 0.2 percent`, async (t) => {
    const { ledger, send } = open(layout)
    t.equal(send('tlm', 'maker', '100.0000 TLM', '20.00000000 WAX@eosio.token').error, null)
    const outcome = send('eosio.token', 'taker', '5.00000000 WAX', '20.0000 TLM@tlm')
    if (outcome.error !== null) return t.fail(outcome.error)
    const match = outcome.traces.find((trace) => trace.name === 'buymatch') as {
      data: { record: Record<string, unknown> }
    }
    t.match(match.data.record, {
      asker: 'maker',
      bidder: 'taker',
      bid: parseAsset('5.00000000 WAX'),
      ask: parseAsset('25.0000 TLM'),
      unit_price: 20_000_000n,
    })
    t.same(match.data.record.fee_paid, layout === 'next' ? parseAsset('0.0500 TLM') : undefined)
    t.equal(balanceOf(ledger.tables('tlm'), 'taker', 'TLM'), 10n ** 12n + 249_500n)
    t.equal(balanceOf(ledger.tables('eosio.token'), 'maker', 'WAX'), 10n ** 12n + 499_000_000n)
    const [row] = ledger.tables(DEX).rows<object>('sellorder', marketScope(0n))
    t.match(row, { account: 'maker', bid: parseAsset('75.0000 TLM'), ask: parseAsset('15.00000000 WAX') })
  })
}

t.test('a market order returns the unfilled remainder and respects its minimum', async (t) => {
  const { ledger, send } = open('first')
  send('tlm', 'maker', '100.0000 TLM', '20.00000000 WAX@eosio.token')
  const refused = send('eosio.token', 'taker', '30.00000000 WAX', '99.8001 TLM@tlm|min')
  t.equal(refused.error, 'received less than the minimum')
  t.equal(send('eosio.token', 'taker', '30.00000000 WAX', '99.8000 TLM@tlm|min').error, null)
  t.equal(balanceOf(ledger.tables('eosio.token'), 'taker', 'WAX'), 10n ** 12n - 2_000_000_000n)
  t.equal(balanceOf(ledger.tables('tlm'), 'taker', 'TLM'), 10n ** 12n + 998_000n)
  t.same([...ledger.tables(DEX).rows('sellorder', marketScope(0n))], [])
})

t.test('only the owner cancels; unknown markets and memos are refused', async (t) => {
  const { ledger, send } = open('first')
  send('tlm', 'maker', '100.0000 TLM', '20.00000000 WAX@eosio.token')
  const [row] = ledger.tables(DEX).rows<{ id: bigint }>('sellorder', marketScope(0n))
  const cancel = (executor: string) =>
    ledger.push([call(DEX, 'cancelsell', executor, { executor, market_id: 0n, order_id: row?.id })], NOW)
  t.equal(cancel('taker').error, 'order of another account')
  t.equal(cancel('maker').error, null)
  t.equal(balanceOf(ledger.tables('tlm'), 'maker', 'TLM'), 10n ** 12n)
  t.equal(send('tlm', 'maker', '1.0000 TLM', 'hello').error, 'invalid memo')
  t.equal(send('tlm', 'maker', '1.0000 TLM', '1.0000 WAX@eosio.token').error, 'market not found')
})
