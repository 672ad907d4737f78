// What `headwater check` says about the shipped chain files: settings that only the operator knows.
import t from 'tap'
import { findingLine } from '../../../bin/checks/finding.ts'
import { checkEvmSettings, checkPriceSource } from '../../../bin/checks/settings.ts'
import { loadConfig } from '../../../config/load.ts'

const load = (chains: string[], env: Record<string, string> = {}) => loadConfig({ env, program: { chains } }).config

t.test('a chain without a source of the USD price', async (t) => {
  const { chains } = load(['wax', 'telos', 'eos', 'proton'])
  const lines = chains.flatMap(checkPriceSource).map(findingLine)
  t.equal(lines.length, 3, 'the file of wax has one')
  t.equal(
    lines[0],
    'warn  telos price: price.source is not set: all USD values of this chain will be null; set HEADWATER_TELOS_PRICE_SOURCE before the chain is indexed: oracle, http or fixed (docs/api/prices.md)',
  )
  t.match(lines.slice(1), [/HEADWATER_EOS_PRICE_SOURCE/, /HEADWATER_PROTON_PRICE_SOURCE/])
  const env = { HEADWATER_EOS_PRICE_SOURCE: 'fixed', HEADWATER_EOS_PRICE_USD: '1' }
  t.same(load(['eos'], env).chains.flatMap(checkPriceSource), [])
})

t.test('an EVM chain without a withdrawals contract, and one without an endpoint', async (t) => {
  const contract = `0x${'77'.repeat(20)}`
  const urls = { HEADWATER_POLYGON_SOURCE_URLS: 'http://a.example,http://b.example' }
  const { evm } = load(['polygon', 'mainnet'], urls)
  t.match(evm.flatMap(checkEvmSettings).map(findingLine), [
    /^warn {2}polygon contracts: contracts\.withdrawals is not set: .*; set HEADWATER_POLYGON_CONTRACTS_WITHDRAWALS when/,
    /^fail {2}mainnet source: no JSON-RPC endpoint is configured; .*HEADWATER_MAINNET_SOURCE_URLS/,
  ])
  const complete = load(['polygon'], { ...urls, HEADWATER_POLYGON_CONTRACTS_WITHDRAWALS: contract })
  t.same(complete.evm.flatMap(checkEvmSettings), [])
})
