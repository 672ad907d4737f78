// Configuration from files, environment and command line; all errors are reported at once.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { describeConfig, mask } from '../../config/describe.ts'
import { chainFiles, loadConfig } from '../../config/load.ts'
import { editDistance, suggest, suggestAfterPrefix } from '../../config/suggest.ts'
import { bridgedChain, domainOfId } from '../../core/chains.ts'
import type { UserError } from '../../core/errors.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

function messageOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    t.equal((error as UserError).code, 'INVALID_CONFIG')
    return (error as Error).message
  }
  throw new Error('no error')
}

/** A folder with one chain file: `wax` with some members changed. */
function folderWith(change: (chain: Record<string, unknown>) => void): string {
  const folder = temporaryFolder(t)
  const { chains } = loadConfig({ env: {} }).config
  const chain = structuredClone(chains[0]) as unknown as Record<string, unknown>
  change(chain)
  writeFileSync(join(folder, 'wax.json'), JSON.stringify(chain))
  return folder
}

t.test('every shipped file is valid', async (t) => {
  const names = chainFiles()
  t.same(names.sort(), ['bsc', 'dev', 'eos', 'mainnet', 'polygon', 'proton', 'telos', 'wax'])
  const { chains, evm } = loadConfig({ env: {}, program: { chains: names } }).config
  t.equal(chains.length, 5)
  t.equal(evm.length, 3)
})

t.test('chain ids begin with the bridge domain, big-endian', async (t) => {
  const domains = {
    wax: 1181148696416462999n,
    telos: 5073219243131244279n,
    proton: 4057084141687023600n,
    eos: 12439917377594391589n,
  }
  const { chains } = loadConfig({ env: {}, program: { chains: Object.keys(domains) } }).config
  for (const { chain, chainId } of chains)
    t.same([domainOfId(chainId!), chainId], [domains[chain as keyof typeof domains], bridgedChain(chain).id], chain)
})

t.test('without settings the defaults apply', async (t) => {
  const { config } = loadConfig({ env: {} })
  t.match(config, { port: 7700, dataDir: '.headwater', host: '127.0.0.1', database: undefined })
  t.same(config.chains[0]!.tokens, { contracts: '*' })
  t.equal(config.chains[0]!.source.startBlock, 2)
})

t.test('the environment overrides files, the command line overrides the environment', async (t) => {
  const env = {
    PORT: '8123',
    DATABASE_URL: 'postgresql://u:secret@db/x',
    HEADWATER_CHAINS: 'wax, telos',
    HEADWATER_WAX_SOURCE_URLS: 'ws://a:1,ws://b:2',
    HEADWATER_WAX_SOURCE_START_BLOCK: '300000000',
    HEADWATER_WAX_FINALITY: 'false',
    HEADWATER_WAX_TOKENS_CONTRACTS: 'usdt.svc,eosio.token',
    HEADWATER_TELOS_ACCOUNTS_GATEWAYS: '[{"account":"gateway.evm","domain":"1"}]',
    HEADWATER_TELOS_TOKENS_CONTRACTS: '*',
  }
  const loaded = loadConfig({ env, program: { port: 9000 } })
  const [wax, telos] = loaded.config.chains
  t.equal(loaded.config.port, 9000)
  t.same(wax!.source.urls, ['ws://a:1', 'ws://b:2'])
  t.equal(wax!.source.startBlock, 300_000_000)
  t.equal(wax!.finality, false)
  t.same(wax!.tokens.contracts, ['usdt.svc', 'eosio.token'])
  t.same(telos!.accounts.gateways, [{ account: 'gateway.evm', domain: '1' }])
  t.equal(telos!.tokens.contracts, '*')
  const described = new Map(describeConfig(loaded).map((setting) => [setting.path, setting]))
  t.match(described.get('port'), { value: 9000, origin: 'command line', env: 'PORT' })
  t.match(described.get('wax.source.urls'), { origin: 'HEADWATER_WAX_SOURCE_URLS' })
  t.match(described.get('wax.accounts.amm'), { value: 'swap.svc', origin: 'config/wax.json' })
  t.match(described.get('wax.source.maxFrameBytes'), { value: 536870912, origin: 'default' })
  t.equal(described.get('database')!.value, 'postgresql://u:***@db/x', 'passwords are masked')
  t.same(
    [mask('postgresql:///x?host=/run&user=u&password=p%20w&application_name=a'), mask('no ?password=url')],
    ['postgresql:///x?host=/run&user=u&password=***&application_name=a', 'no ?password=url'],
  )
})

t.test('a key in place of the path of its file is masked', async (t) => {
  const digits = '4c'.repeat(32)
  const env = {
    HEADWATER_RELAY_EVM_KEY_FILE: digits,
    HEADWATER_RELAY_ANTELOPE_KEY_FILE: `/etc/headwater/relay.key`,
    HEADWATER_COSIGN_KEY_FILE: 'PVT_K1_2bfGi9rYsXQSXXTvJbDAPhHLQUojjaNLomdm3cEJ1XTzMqUt3V',
  }
  const described = new Map(describeConfig(loadConfig({ env })).map(({ path, value }) => [path, value]))
  t.equal(described.get('relay.evmKeyFile'), '***')
  t.equal(described.get('relay.antelopeKeyFile'), '/etc/headwater/relay.key')
  t.equal(described.get('cosign.keyFile'), '***')
})

t.test('a file of the operator is named as it was given', async (t) => {
  const file = join(
    folderWith(() => {}),
    'wax.json',
  )
  const described = describeConfig(loadConfig({ env: { HEADWATER_CHAINS: file } }))
  t.equal(described.find(({ path }) => path === 'wax.accounts.amm')?.origin, file)
})

t.test('source.sessions is limited to 8', async (t) => {
  const sessions = (text: string) =>
    loadConfig({ env: { HEADWATER_WAX_SOURCE_SESSIONS: text } }).config.chains[0]!.source.sessions
  t.equal(loadConfig({ env: {} }).config.chains[0]!.source.sessions, 1)
  t.equal(sessions('8'), 8)
  for (const wrong of ['0', '9', '1.5', 'all'])
    t.match(
      messageOf(() => sessions(wrong)),
      /wax\.source\.sessions: .* is not a whole number from 1 to 8 \(HEADWATER_WAX_SOURCE_SESSIONS\)/,
    )
})

t.test('the bounds of a number are named', async (t) => {
  const problem = (env: Record<string, string>) => messageOf(() => loadConfig({ env }))
  t.match(
    problem({ HEADWATER_RELAY_GAS_USD_DAY: '-1' }),
    /relay\.gasUsdDay: -1 is not a number from 0 to 1000000000000/,
  )
  t.match(problem({ HEADWATER_RELAY_POLL_SECONDS: '0' }), /relay\.pollSeconds: 0 is not a number from 0\.05 to 3600/)
})

t.test('an empty variable removes a role that the file sets; other empty variables have no effect', async (t) => {
  const env = {
    HEADWATER_CHAINS: 'wax',
    ...{ HEADWATER_WAX_ACCOUNTS_HOP: '', HEADWATER_WAX_ACCOUNTS_OTC: '', HEADWATER_WAX_ACCOUNTS_GATEWAYS: '' },
    ...{ HEADWATER_WAX_ACCOUNTS_SYSTEM: '', HEADWATER_WAX_SOURCE_URLS: '', PORT: '' },
  }
  const folder = folderWith((chain) => {
    ;(chain.accounts as Record<string, unknown>).gateways = [{ account: 'gateway.evm', domain: '1' }]
  })
  const { config, origins } = loadConfig({ env, folder })
  const wax = config.chains[0]!
  t.notOk('hop' in wax.accounts || 'otc' in wax.accounts)
  t.match(wax.accounts, { system: 'eosio', amm: 'swap.svc', gateways: [] })
  t.same(wax.source.urls, ['ws://127.0.0.1:8080'])
  t.equal(config.port, 7700)
  t.equal(origins.get('wax.accounts.hop'), 'HEADWATER_WAX_ACCOUNTS_HOP')
  const withoutOracle = { ...env, HEADWATER_WAX_ACCOUNTS_ORACLE: '' }
  t.match(
    messageOf(() => loadConfig({ env: withoutOracle, folder })),
    /oracle/,
    'the price needs one',
  )
})

t.test('a chain of another id does not show the pages of the real one', async (t) => {
  const env = { HEADWATER_CHAINS: 'wax' }
  const pages = (more: NodeJS.ProcessEnv) => loadConfig({ env: { ...env, ...more } }).config.chains[0]!.public
  t.match(pages({}), { transactionPage: /waxblock/, accountPage: /waxblock/ })
  const other = { HEADWATER_WAX_CHAIN_ID: 'ab'.repeat(32) }
  t.same(pages(other), {})
  const own = 'https://explorer.example/tx/{tx}'
  t.same(pages({ ...other, HEADWATER_WAX_PUBLIC_TRANSACTION_PAGE: own }), { transactionPage: own })
})

t.test('a profile can play a chain of any name', async (t) => {
  const { config } = loadConfig({ env: {}, program: { chains: ['dev'] }, rename: 'recorded' })
  t.match(config.chains[0], {
    chain: 'recorded',
    chainId: undefined,
    accounts: { amm: 'swap.svc', spot: 'svcdexmain' },
  })
})

t.test('variables of a chain that is not chosen are no error', async (t) => {
  const env = { HEADWATER_CHAINS: 'wax', HEADWATER_TELOS_SOURCE_URLS: 'ws://127.0.0.1:8081' }
  t.same(
    loadConfig({ env }).config.chains.map(({ chain }) => chain),
    ['wax'],
  )
  t.throws(() => loadConfig({ env: { ...env, HEADWATER_TELOS_SORCE_URLS: 'ws://a:1' } }), { code: 'INVALID_CONFIG' })
})

t.test('all problems are listed at once with path, value, expectation and variable', async (t) => {
  const folder = folderWith((chain) => {
    chain.systemToken = { contract: 'eosio.token', symbol: 'wax', decimals: 8 }
    chain.tokens = { contracts: 5 }
    chain.chainId = 'beef'
    ;(chain.accounts as Record<string, unknown>).bridg = 'bridge.svc'
    ;(chain.source as Record<string, unknown>).kind = 'shipp'
    delete (chain.accounts as Record<string, unknown>).system
  })
  const env = { PORT: '99999', HEADWATER_WAX_SOURCE_START_BLOCK: 'first', HEADWATER_WAX_SORCE_URLS: 'ws://a:1' }
  const message = messageOf(() => loadConfig({ env, folder }))
  t.match(message, /has 9 problems/)
  const lines = [
    'port: 99999 is not a whole number from 0 to 65535 (PORT)',
    'wax.systemToken.symbol: "wax" is not 1 to 7 capital letters (HEADWATER_WAX_SYSTEM_TOKEN_SYMBOL)',
    `wax.tokens.contracts: 5 is not '*' or a list of account names (HEADWATER_WAX_TOKENS_CONTRACTS)`,
    'wax.chainId: "beef" is not 64 lower-case hex digits (HEADWATER_WAX_CHAIN_ID)',
    'wax.accounts.bridg: no such setting; did you mean bridge?',
    'wax.source.kind: "shipp" is not one of ship, hyperion, replay (HEADWATER_WAX_SOURCE_KIND)',
    'wax.accounts.system: missing: an account name: a to z, 1 to 5 and dots (HEADWATER_WAX_ACCOUNTS_SYSTEM)',
    'wax.source.startBlock: "first" is not a whole number from 1 to 4294967294 (HEADWATER_WAX_SOURCE_START_BLOCK)',
    'HEADWATER_WAX_SORCE_URLS: no such environment variable; did you mean HEADWATER_WAX_SOURCE_URLS?',
  ]
  t.same(
    message
      .split('\n')
      .slice(1)
      .map((line) => line.trim())
      .sort(),
    lines.sort(),
  )
})

t.test('a chain without a file is an error that suggests a similar name', async (t) => {
  const message = messageOf(() => loadConfig({ env: { HEADWATER_CHAINS: 'telso' } }))
  t.match(message, /"telso" has no file .*did you mean telos\?/)
})

t.test('variables that other programs also use are read with our prefix', async (t) => {
  const { config, origins } = loadConfig({ env: { HEADWATER_PORT: '8', HEADWATER_DATABASE_URL: 'postgresql://db/x' } })
  t.match(config, { port: 8, database: 'postgresql://db/x' })
  t.equal(origins.get('port'), 'HEADWATER_PORT')
  t.equal(loadConfig({ env: { PORT: '8', HEADWATER_PORT: '8' } }).config.port, 8)
  const both = messageOf(() => loadConfig({ env: { PORT: '8', HEADWATER_PORT: '9' } }))
  t.match(both, /PORT and HEADWATER_PORT differ: give one of them/)
  const mistyped = messageOf(() => loadConfig({ env: { HEADWATER_PORTT: '8' } }))
  t.match(mistyped, /HEADWATER_PORTT: no such environment variable; did you mean HEADWATER_PORT\?/)
})

t.test('an empty variable counts as unset', async (t) => {
  t.equal(loadConfig({ env: { PORT: '' } }).config.port, 7700)
})

t.test('a variable is suggested for what differs, not for its prefix', async (t) => {
  const known = ['HEADWATER_WAX_ABIS', 'HEADWATER_WAX_SOURCE_URLS', 'HEADWATER_COSIGN_PORT', 'HEADWATER_PORT']
  for (const [word, expected] of [
    ['HEADWATER_WAX_FOO', undefined],
    ['HEADWATER_METRICS_PORT', undefined],
    ['HEADWATER_WAX_SOURCE_URL', 'HEADWATER_WAX_SOURCE_URLS'],
    ['HEADWATER_WAXX_SOURCE_URLS', 'HEADWATER_WAX_SOURCE_URLS'],
    ['HEADWATR_PORT', 'HEADWATER_PORT'],
  ] as const)
    t.equal(suggestAfterPrefix(word, known), expected, word)
})

t.test('suggestions', async (t) => {
  t.equal(editDistance('kitten', 'sitting'), 3)
  t.equal(editDistance('', 'abc'), 3)
  t.equal(suggest('bridg', ['hop', 'bridge']), 'bridge')
  t.equal(suggest('zzz', ['hop', 'bridge']), undefined)
})
