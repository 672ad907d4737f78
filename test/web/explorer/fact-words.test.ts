// Facts of the ledger in the words of the explorer, and their export.
import t from 'tap'
import { DATASETS } from '../../../api/explore/facts.ts'
import { everyFact } from '../../../web/explorer/core/fact-pages.ts'
import { factView, transfersOf } from '../../../web/explorer/core/facts.ts'

t.test('facts are words with links; a hostile memo stays a text', async (t) => {
  const memo = '<img src=x onerror=alert(1)>'
  const transfer = factView({
    dataset: 'transfers',
    row: { quantity: '1.5', symbol: 'WAX', token_id: 'wax-eosio.token', from_account: 'a', to_account: 'b', memo },
  })
  t.same(transfer, {
    label: 'Transfer',
    tone: 'transfer',
    parts: [
      { amount: '1.5', symbol: 'WAX', token: 'wax-eosio.token' },
      'from',
      { account: 'a' },
      'to',
      { account: 'b' },
    ],
    memo,
    usd: null,
  })
  const row = { quantity_a: '-2', quantity_b: '5', pool_id: '3', sender: 'a', recipient: 'b', usd: '7.5' }
  t.same(factView({ dataset: 'swaps', row }).parts.slice(0, 3), [
    { amount: '5', side: 'B' },
    '→',
    { amount: '2', side: 'A' },
  ])
  t.equal(factView({ dataset: 'swaps', row }).usd, '7.5')
  const moved = { type: 'transfer', quantity_a: null, quantity_b: null, pool_id: '3', position_id: '9', owner: 'bob' }
  t.same(
    factView({ dataset: 'position_events', row: moved }).parts,
    ['position 9', 'in', { pool: '3' }, 'of', { account: 'bob' }],
    'no amounts are shown where none moved',
  )
  const deposited = factView({
    dataset: 'deposit_events',
    row: { type: 'credited', quantity: '5', symbol: 'USDC', key: 'd:1:7' },
  })
  t.same(deposited.parts.at(-1), { transfer: 'd:1:7' })
  const burned = { id: '9', amount: '4000001', decimals: '6', symbol: 'USDC', sender: null }
  t.same(factView({ dataset: 'withdrawals', row: burned }).parts, [
    { amount: '4.000001', symbol: 'USDC' },
    { transfer: 'w:9' },
  ])
  const cancelled = {
    type: 'cancelled',
    side: 'sell',
    order_id: '17',
    market_id: '3',
    account: 'a',
    quantity_bid: null,
  }
  t.same(
    factView({ dataset: 'order_events', row: cancelled }).parts,
    ['sell order 17', 'in', { market: '3' }, 'by', { account: 'a' }],
    'the end of an order has no amounts',
  )
  const placed = (side: string, bid: string, ask: string) =>
    factView({
      dataset: 'order_events',
      row: {
        ...cancelled,
        type: 'placed',
        side,
        quantity_bid: '8',
        bid_symbol: bid,
        quantity_ask: '2',
        ask_symbol: ask,
      },
    }).parts.slice(0, 4)
  t.same(
    placed('buy', 'WAX', 'GEM'),
    ['buy', { amount: '2', symbol: 'GEM' }, 'for', { amount: '8', symbol: 'WAX' }],
    'what is bought comes first, though the order offers the other token',
  )
  t.same(placed('sell', 'GEM', 'WAX'), ['sell', { amount: '8', symbol: 'GEM' }, 'for', { amount: '2', symbol: 'WAX' }])
  for (const [type, buyer, seller] of [
    ['buymatch', 'taker', 'maker'],
    ['sellmatch', 'maker', 'taker'],
  ] as const)
    t.same(
      factView({ dataset: 'deals', row: { type, bidder: 'taker', asker: 'maker' } }).parts.slice(-4),
      [{ quiet: 'bought by' }, { account: buyer }, { quiet: 'sold by' }, { account: seller }],
      type,
    )
  t.match(factView({ dataset: 'new_facts', row: {} }), { label: 'New facts', parts: [] })
})

t.test('facts of farms, protocol fees and paid CPU say what happened, with amounts and their tokens', async (t) => {
  const view = (dataset: string, row: Record<string, unknown>) => {
    const { label, parts } = factView({ dataset, row })
    return [label, ...parts]
  }
  const farm = (type: string, row: Record<string, unknown>) =>
    view('incentive_events', { type, incentive_id: '3', account: 'bob', ...row })
  const reward = { quantity: '12.5', token_id: 'tlm-alien.worlds' }
  const paid = { amount: '12.5', symbol: 'TLM', token: 'tlm-alien.worlds' }
  t.same(farm('paid', reward), ['Farm paid', paid, 'to', { account: 'bob' }, 'from', 'farm 3'])
  t.same(farm('funded', { ...reward, account: null }), ['Farm funded', paid, 'for', 'farm 3'])
  t.same(farm('created', { ...reward, quantity: '0', pool_id: '7' }), [
    ...['Farm created', 'farm 3', 'in', { pool: '7' }, 'that pays TLM'],
    ...['by', { account: 'bob' }],
  ])
  t.same(farm('staked', { position_id: '9', quantity: null, token_id: null }), [
    ...['Stake in farm', 'position 9', 'farm 3', 'by', { account: 'bob' }],
  ])
  t.equal(farm('unstaked', { position_id: '9' })[0], 'Unstake from farm')
  const fees = { pool_id: '7', quantity_a: '1.5', quantity_b: '2', recipient: 'fees.svc' }
  t.same(view('protocol_fees', { type: 'withdrawn', ...fees }), [
    ...['Protocol fees paid', { amount: '1.5', side: 'A' }, 'and', { amount: '2', side: 'B' }],
    ...['in', { pool: '7' }, 'to', { account: 'fees.svc' }],
  ])
  t.same(view('protocol_fees', { type: 'set', pool_id: '7', fee_protocol_old: '0', fee_protocol_new: '4' }), [
    ...['Protocol fee set', '1/4 of the fees', 'in', { pool: '7' }, { quiet: 'it was none' }],
  ])
  t.same(view('noops', { account: 'liquid.svc', details: null }), ['CPU paid', 'by', { account: 'liquid.svc' }])
  const bad = { account: 'amm', name: 'logswap', reason: 'too short' }
  t.same(view('undecoded_actions', bad), [
    ...['Undecoded action', 'logswap', 'of', { account: 'amm' }, { quiet: 'too short' }],
  ])
  const event = { position_id: '9', pool_id: '7', owner: 'bob', quantity_a: null }
  t.same(view('position_events', { ...event, type: 'transfer', recipient: 'eve' }).slice(-2), [
    'to',
    { account: 'eve' },
  ])
  const collect = { ...event, type: 'collect', quantity_a: '1', quantity_b: '2' }
  t.same(view('position_events', { ...collect, recipient: 'eve' }).slice(-2), ['to', { account: 'eve' }])
  t.same(view('position_events', { ...collect, recipient: 'bob' }).slice(-2), ['of', { account: 'bob' }])
})

t.test('every dataset of actions has words of its own', async (t) => {
  for (const { name } of DATASETS) {
    const { label } = factView({ dataset: name, row: { type: 'x' } })
    t.not(label, factView({ dataset: `${name}x`, row: {} }).label.slice(0, -1), name)
  }
})

t.test('an export has every page of a list, up to its limit', async (t) => {
  const page = (from: number, next: string | null) => ({
    facts: [0, 1, 2].map((i) => ({ block: 1, sequence: String(from - i) })),
    next,
  })
  const pages: Record<string, ReturnType<typeof page>> = { first: page(9, 'b'), b: page(6, 'c'), c: page(3, null) }
  const read = async (cursor: string | null) => pages[cursor ?? 'first'] as ReturnType<typeof page>
  const told: number[] = []
  const all = await everyFact(read, 100, (rows) => told.push(rows))
  t.same(all.facts.map(({ sequence }) => sequence).join(''), '987654321')
  t.same([all.isComplete, told], [true, [3, 6, 9]])
  const cut = await everyFact(read, 4, () => {})
  t.same([cut.facts.length, cut.isComplete], [6, false])
})

t.test('facts of the bridge lead to their transfer', async (t) => {
  const parts = (dataset: string, row: Record<string, unknown>) => factView({ dataset, row }).parts
  const credit = { relayer: 'relayer.svc', key: 'd:1:7', domain: '1' }
  t.same(parts('gateway_credits', credit).slice(0, 3), ['from', { domain: '1' }, 'by'])
  t.same(parts('gateway_credits', credit).at(-1), { transfer: 'd:1:7' })
  t.same(parts('withdrawals', { id: '9', domain: '56', sender: 'bob' }), [
    ...['to', { domain: '56' }, 'by', { account: 'bob' }],
    { transfer: 'w:9' },
  ])
  t.same(parts('deposit_events', { quantity: '5', symbol: 'USDC', domain: '1' }).slice(1), ['from', { domain: '1' }])
  t.same(parts('hops', { src_domain: '1', dst_domain: '56', recipient: '0xab' }), [
    ...['from', { domain: '1' }, 'sent on to', '0xab', 'on', { domain: '56' }],
    { transfer: 'w:' },
  ])
  t.same(parts('hop_returns', { withdrawal_key: 'w:51' }).at(-1), { transfer: 'w:51' })
  t.same(parts('claim_events', { owner: 'frank', symbol: 'USDT' }).at(-1), { transfersOf: 'frank' })
  const facts = [
    { dataset: 'deposit_events', row: { key: 'd:1:7' } },
    { dataset: 'transfers', row: {} },
    { dataset: 'withdrawals', row: { id: '9' } },
    { dataset: 'hops', row: { withdrawal_id: '9' } },
  ]
  t.same(transfersOf(facts), ['d:1:7', 'w:9'])
})
