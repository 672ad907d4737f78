// The rows of the bridge's form before and after an amount is typed.
import t from 'tap'
import { type Costs, dollars } from '../../../web/bridge/core/costs.ts'
import { summaryRows } from '../../../web/bridge/page/summary-rows.ts'

const draft = { from: 'mainnet', to: 'telos', token: 'USDC', amount: '', recipient: '' }
const estimate = { receives: '0', remainder: null, time: 'about 14 min' }
const COSTS: Costs = { chain: 'Ethereum', gas: '0.000111 ETH', coinGas: null, gasUsd: 0.37, usd: 0.999 }
const rows = (amount: string, receives = '0', costs: Costs | null = COSTS) =>
  Object.fromEntries(
    summaryRows({ ...draft, amount }, { estimate: { ...estimate, receives }, costs, sent: `${amount} USDC` }),
  )

t.test('fee, gas and dollars are shown before an amount is typed', async (t) => {
  t.same(rows(''), {
    Arrives: '–',
    'In dollars': '1 USDC is about $1.00',
    'Bridge fee': 'none',
    'Gas on Ethereum': 'about 0.000111 ETH ($0.37)',
    Takes: 'about 14 min',
  })
  t.match(rows('', '0', null), { Gas: '–', 'In dollars': '–' }, 'nothing is guessed')
  t.match(rows('', '0', { ...COSTS, gas: null, gasUsd: null }), { 'Gas on Ethereum': 'shown by your wallet' })
  t.match(rows('', '0', { ...COSTS, chain: null }), { Gas: 'none' })
})

t.test('with an amount', async (t) => {
  t.match(rows('12.5', '12.5'), { 'You send': '12.5 USDC', Arrives: '12.5 USDC', 'In dollars': 'about $12.49' })
  t.match(rows('1.12345678', '0'), { 'You send': undefined, Arrives: '–' }, 'too many decimals send nothing')
  t.equal(dollars(0.004), 'less than $0.01')
  t.equal(dollars(1234.5), '$1,234.50')
})
