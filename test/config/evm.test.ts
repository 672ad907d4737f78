import t from 'tap'
import { describeConfig } from '../../config/describe.ts'
import { loadConfig } from '../../config/load.ts'

t.test('EVM chains are configured next to the others, by the kind in their file', async (t) => {
  const env = {
    HEADWATER_CHAINS: 'telos,mainnet,bsc',
    HEADWATER_MAINNET_SOURCE_URLS: 'https://first.example.org/key,https://second.example.org',
    HEADWATER_MAINNET_CONTRACTS_LIGHT_CLIENTS: `0x${'ab'.repeat(20)}`,
  }
  const loaded = loadConfig({ env })
  const { chains, evm } = loaded.config
  t.same(
    chains.map(({ chain }) => chain),
    ['telos'],
  )
  t.same(
    evm.map(({ chain, chainId }) => [chain, chainId]),
    [
      ['mainnet', 1],
      ['bsc', 56],
    ],
  )
  t.same(evm[0]!.source.urls, ['https://first.example.org/key', 'https://second.example.org'])
  t.same(evm[0]!.contracts.lightClients, [`0x${'ab'.repeat(20)}`])
  t.equal(evm[0]!.contracts.vaults.length, 1, 'the shipped file says which vault')
  const described = describeConfig(loaded)
  t.same(described.find(({ path }) => path === 'mainnet.source.urls')?.origin, 'HEADWATER_MAINNET_SOURCE_URLS')
  t.notOk(
    described.some(({ path }) => path === 'mainnet.accounts.system'),
    'without the settings of other kinds',
  )
})

t.test('errors are reported with path, expectation and variable', async (t) => {
  const env = {
    HEADWATER_CHAINS: 'mainnet',
    HEADWATER_MAINNET_SOURCE_URLS: 'ws://first.example.org',
    HEADWATER_MAINNET_CONTRACTS_VAULTS: '0x1234',
    HEADWATER_MAINNET_SOURCE_FINAL_HEADERS: 'some',
    HEADWATER_MAINNET_SOURCE_RANGE_BLOCK: '5',
  }
  const expected = [
    /mainnet\.source\.urls\.0: "ws:\/\/first.example.org" is not a URL.*HEADWATER_MAINNET_SOURCE_URLS/,
    /mainnet\.contracts\.vaults\.0: "0x1234" is not an address.*HEADWATER_MAINNET_CONTRACTS_VAULTS/,
    /mainnet\.source\.finalHeaders: "some" is not one of every, ends/,
    /HEADWATER_MAINNET_SOURCE_RANGE_BLOCK: no such environment variable; did you mean HEADWATER_MAINNET_SOURCE_RANGE_BLOCKS/,
  ]
  try {
    loadConfig({ env })
    t.fail('it is valid')
  } catch (error) {
    t.equal((error as { code: string }).code, 'INVALID_CONFIG')
    for (const line of expected) t.match((error as Error).message, line)
  }
})
