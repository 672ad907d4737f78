// Settings of the relayer, the process `headwater relay`.
import Type, { type Static } from 'typebox'
import { CHAIN_NAME_PATTERN, CHAIN_NAME_RULE } from '../core/chain-name.ts'

const ACCOUNT = '^[a-z1-5.]{1,12}[a-j1-5]?$'
const EXPECT_ACCOUNT = 'an account name: a to z, 1 to 5 and dots'
/** An address, an account, or a route: domain and symbol. */
const PARTY = '^(0x[0-9a-fA-F]{40}|[a-z1-5.]{1,13}|[0-9]{1,20}:[A-Za-z]{1,7})$'

/** All actions that the bridge lists as pending for relayers. */
export const RELAY_ACTIONS = [
  'release',
  'expire',
  'pay',
  'credit',
  'forward',
  'bounce',
  'settle',
  'refund',
  'recover',
] as const

const name = (key: string) => `HEADWATER_RELAY_${key}`
const integer = (description: string, minimum: number, maximum: number, initial: number, key: string) =>
  Type.Integer({ description, minimum, maximum, default: initial, env: name(key) })
const money = (description: string, initial: number, key: string, minimum = 0) =>
  Type.Number({ description, minimum, maximum: 1e12, default: initial, env: name(key) })
/** A number for all chains. An entry NAME=NUMBER replaces it for one chain. */
const perChain = (description: string, key: string, initial: readonly string[]) =>
  Type.Array(
    Type.String({ pattern: '^([^=\\s]+=)?[0-9]+(\\.[0-9]+)?$', expect: 'a number, or NAME=NUMBER for one chain' }),
    { description: `${description} NAME=NUMBER sets it for one chain.`, minItems: 1, default: initial, env: name(key) },
  )
const parties = (description: string, key: string) =>
  Type.Array(
    Type.String({ pattern: PARTY, expect: 'an account, an address (0x and 40 hex digits), or a route such as 1:USDC' }),
    {
      description,
      default: [],
      env: name(key),
    },
  )
const signer = (description: string, key: string) =>
  Type.Optional(
    Type.String({
      description,
      pattern: '^https?://[^\\s/@?#]+/?$',
      expect: 'http://host:port without a path',
      env: name(key),
    }),
  )
const keyFile = (description: string, key: string) =>
  Type.Optional(Type.String({ description, minLength: 1, env: name(key) }))

export const RelaySchema = Type.Object(
  {
    api: Type.String({
      description: 'Address of the bridge API that lists the open work.',
      pattern: '^https?://[^\\s]+$',
      expect: 'a URL that ends in /v1: http:// or https://host/api/bridge/v1',
      default: 'http://127.0.0.1:7700/api/bridge/v1',
      env: name('API'),
    }),
    evmKeyFile: keyFile(
      'File with the private key for EVM chains, readable by its owner alone; without it nothing is sent there.',
      'EVM_KEY_FILE',
    ),
    evmSigner: signer(
      'Signer with the key for EVM chains, instead of evmKeyFile: Web3Signer, or a program with the same eth1 paths.',
      'EVM_SIGNER',
    ),
    evmAddress: Type.Optional(
      Type.String({
        description: 'Address of the key at evmSigner; required with it.',
        pattern: '^0x[0-9a-fA-F]{40}$',
        expect: 'an address: 0x and 40 hex digits',
        env: name('EVM_ADDRESS'),
      }),
    ),
    antelopeKeyFile: keyFile(
      'File with the private key of the account, readable by its owner alone; without it nothing is sent to Antelope chains.',
      'ANTELOPE_KEY_FILE',
    ),
    antelopeSigner: signer(
      'Signer with the key of the account, instead of antelopeKeyFile: keosd, or a program with the same call sign_digest.',
      'ANTELOPE_SIGNER',
    ),
    antelopePublicKey: Type.Optional(
      Type.String({
        description: 'Public key at antelopeSigner; required with it.',
        pattern: '^(PUB_K1_|[A-Z]{3})[1-9A-HJ-NP-Za-km-z]{50}$',
        expect: 'a public key of type K1: PUB_K1_... or its older form',
        env: name('ANTELOPE_PUBLIC_KEY'),
      }),
    ),
    account: Type.String({
      description: 'Account that authorises the relayer’s actions on Antelope chains.',
      pattern: ACCOUNT,
      expect: EXPECT_ACCOUNT,
      default: 'relayer.svc',
      env: name('ACCOUNT'),
    }),
    permission: Type.Optional(
      Type.String({
        description:
          'Permission of the account that has the key; required with a key for Antelope chains. It should be linked to the actions of the bridge only.',
        pattern: ACCOUNT,
        expect: EXPECT_ACCOUNT,
        env: name('PERMISSION'),
      }),
    ),
    chains: Type.Optional(
      Type.Array(Type.String({ pattern: CHAIN_NAME_PATTERN, expect: `a chain name: ${CHAIN_NAME_RULE}` }), {
        description: 'Chains to send to. Without it, all configured chains that have a key.',
        env: name('CHAINS'),
      }),
    ),
    nodes: Type.Array(Type.String({ pattern: '^[^=\\s]+=https?://[^\\s]+$', expect: 'NAME=http://host:port' }), {
      description: 'Nodes to send to, as NAME=URL. A chain without an entry uses the node of its configuration file.',
      default: [],
      env: name('NODES'),
    }),
    prices: Type.Array(Type.String({ pattern: '^[A-Z0-9]{1,7}=[0-9]+(\\.[0-9]+)?$', expect: 'SYMBOL=USD' }), {
      description: 'USD prices as SYMBOL=USD. They take precedence over those of the database.',
      default: [],
      env: name('PRICES'),
    }),
    actions: Type.Array(Type.Enum([...RELAY_ACTIONS]), {
      description: 'Actions to send. The relayer leaves all others to other relayers.',
      default: [...RELAY_ACTIONS],
      env: name('ACTIONS'),
    }),
    policy: Type.Enum(['profit', 'always'], {
      description:
        '`profit`: sends actions that earn at least minProfitUsd, and all actions of own parties. `always`: sends all actions within the limits.',
      default: 'profit',
      env: name('POLICY'),
    }),
    minProfitUsd: money(
      'Minimum of fee minus gas of an action, USD, with the policy `profit`.',
      0,
      'MIN_PROFIT_USD',
      -1e6,
    ),
    own: parties('Accounts, addresses and routes such as 1:USDC whose transfers are relayed even at a loss.', 'OWN'),
    allow: parties(
      'When not empty: only transfers of these accounts, addresses and routes such as 1:USDC are relayed.',
      'ALLOW',
    ),
    deny: parties(
      'Accounts and addresses to which nothing is released, paid, credited or forwarded, and routes such as 1:USDC. Transfers back from them are still relayed.',
      'DENY',
    ),
    outcomes: Type.Enum(['none', 'position'], {
      description:
        'Evidence for a gateway that a withdrawal has ended. `position`: block, transaction and index of the vault’s event, as the devnet’s gateway takes it. `none`: the relayer sends no `settle`.',
      default: 'none',
      env: name('OUTCOMES'),
    }),
    maxValueUsd: money(
      'Maximum value of one transfer, USD. Larger transfers, and transfers without a price, are not relayed.',
      100_000,
      'MAX_VALUE_USD',
    ),
    gasUsdDay: money('Maximum gas in 24 hours, USD, over all EVM chains of one key.', 100, 'GAS_USD_DAY'),
    maxFeeGwei: perChain('Maximum price of a unit of gas, gwei.', 'MAX_FEE_GWEI', ['200']),
    priorityGwei: perChain('Tip of a unit of gas, gwei.', 'PRIORITY_GWEI', ['1']),
    replaceSeconds: integer(
      'A transaction that is in no block after this time, in seconds, is replaced at a higher fee.',
      2,
      86_400,
      60,
      'REPLACE_SECONDS',
    ),
    inFlight: integer('Maximum number of EVM transactions of one chain that wait for a block.', 1, 64, 4, 'IN_FLIGHT'),
    marginSeconds: integer(
      'A release is not begun if its deadline is nearer than this, in seconds.',
      0,
      604_800,
      900,
      'MARGIN_SECONDS',
    ),
    handoffMarginSeconds: integer(
      'A finalizer policy that a light client has not learned this long after it could, in seconds, is handed over before a withdrawal needs it; 0: never.',
      0,
      604_800,
      3600,
      'HANDOFF_MARGIN_SECONDS',
    ),
    handoffUsdDay: money(
      'Maximum gas for such hand-offs in 24 hours, USD, over all EVM chains of one key. It is part of gasUsdDay.',
      10,
      'HANDOFF_USD_DAY',
    ),
    maxLagSeconds: integer(
      'A node whose newest block is older than this, in seconds, is not used to send.',
      5,
      86_400,
      180,
      'MAX_LAG_SECONDS',
    ),
    pollSeconds: Type.Number({
      description: 'Time between two passes over the open work, seconds.',
      minimum: 0.05,
      maximum: 3600,
      default: 5,
      env: name('POLL_SECONDS'),
    }),
    warnBalance: perChain('Balance of the chain’s coin below which a warning is logged.', 'WARN_BALANCE', ['0.1']),
    stopFile: Type.Optional(
      Type.String({
        description: 'While a file of this name exists, nothing is sent.',
        minLength: 1,
        env: name('STOP_FILE'),
      }),
    ),
    dryRun: Type.Boolean({
      description: 'Whether the relayer only chooses and simulates transactions, logs the results and sends nothing.',
      default: false,
      env: name('DRY_RUN'),
    }),
    host: Type.String({
      description: 'Address on which the metrics are served.',
      minLength: 1,
      default: '127.0.0.1',
      env: name('HOST'),
    }),
    port: Type.Integer({
      description: 'Port of the metrics; 0: any.',
      minimum: 0,
      maximum: 65_535,
      default: 7703,
      env: name('PORT'),
    }),
  },
  { additionalProperties: false, description: 'The relayer.', default: {} },
)

/** The relayer's settings, defaults filled in. */
export type RelayConfig = Static<typeof RelaySchema>
