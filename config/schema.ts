// Settings of a chain: meaning, format and default of each. The files of `config/`, the environment, error messages and
// docs/operate/configuration.md derive from this schema and program-schema.ts.
import Type, { type Static } from 'typebox'
import { CHAIN_NAME_PATTERN, CHAIN_NAME_RULE } from '../core/chain-name.ts'
import { PublicSchema } from './site-schema.ts'

const ACCOUNT = { pattern: '^[a-z1-5.]{1,12}[a-j1-5]?$', expect: 'an account name: a to z, 1 to 5 and dots' }
const account = (description: string) => Type.String({ description, ...ACCOUNT })
/** A contract that a chain may lack: an empty variable removes the file's value. */
const role = (description: string) => Type.Optional(Type.String({ description, ...ACCOUNT, emptyIsNone: true }))
const url = (description: string, schemes: string) =>
  Type.String({
    description,
    pattern: `^(${schemes})://[^\\s]+$`,
    expect: `a URL: ${schemes.replaceAll('|', ':// or ')}://host`,
  })
const count = (description: string, minimum: number, maximum = Number.MAX_SAFE_INTEGER, defaultValue?: number) =>
  Type.Integer({ description, minimum, maximum, ...(defaultValue === undefined ? {} : { default: defaultValue }) })
export const exact = { additionalProperties: false }

const Accounts = Type.Object(
  {
    system: account('Account whose `setabi` sets the ABIs of contracts.'),
    amm: role('Contract of the concentrated-liquidity pools.'),
    spot: role('Contract of the order books.'),
    otc: role('Contract of over-the-counter swaps.'),
    bridge: role('Bridge contract: withdrawals and deposits.'),
    hop: role('Contract that forwards deposits to another chain.'),
    wrap: role('Token contract of bridged tokens.'),
    liquid: role('Liquid staking contract.'),
    oracle: role('Price oracle in the layout of delphioracle.'),
    registry: role('Token registry contract.'),
    gateways: Type.Array(
      Type.Object(
        {
          account: account('Gateway that credits deposits of a domain.'),
          domain: Type.String({
            description: 'Domain id, as text.',
            pattern: '^[0-9]{1,20}$',
            expect: 'a whole number, as text',
          }),
        },
        exact,
      ),
      {
        description: 'Gateways by domain. In the environment: JSON, or an empty text for none.',
        default: [],
        emptyIsNone: true,
      },
    ),
  },
  { ...exact, description: 'Which contract plays which role.' },
)

const Source = Type.Object(
  {
    kind: Type.Enum(['ship', 'hyperion', 'replay'], {
      description: 'Where blocks come from: a state-history node, a Hyperion server or a recording.',
      default: 'ship',
    }),
    urls: Type.Array(url('A server.', 'ws|wss|http|https'), {
      description:
        'State-history nodes (ws://host:port), or one Hyperion server (https://host). The next one is tried when one fails.',
      default: [],
    }),
    logs: Type.Array(Type.String({ minLength: 1 }), {
      description:
        'Folders with the state-history logs and the block log of a node, for example its data folder. Blocks up to the last irreversible one come from these files, later blocks from `urls`. Without `urls`, indexing ends with the files. For `ship`.',
      default: [],
    }),
    snapshot: Type.Optional(
      Type.String({
        description:
          'Snapshot of a node (`snapshot-*.bin` of nodeos, or compressed with zstd) with which an empty database begins. Indexing starts at the block after it, and `startBlock` has no effect. The setting may stay. For `ship`.',
        minLength: 1,
        emptyIsNone: true,
      }),
    ),
    http: Type.Optional(url('Chain API of a node, for get_info, get_table_rows and get_account.', 'http|https')),
    file: Type.Optional(Type.String({ description: 'Recording to replay.', minLength: 1 })),
    startBlock: count('First block to index when the database has none.', 1, 2 ** 32 - 2, 2),
    startFrom: Type.Enum(['block', 'tables'], {
      description:
        'How an empty database begins: at the start block, or with the tables of the node at `http` and the blocks after them.',
      default: 'block',
    }),
    fullStateBlock: Type.Optional(
      count(
        'First block of a state-history log that was switched on in the middle of a chain; its deltas hold the whole state. Not needed for a node that was started from a snapshot.',
        1,
        2 ** 32 - 2,
      ),
    ),
    maxFrameBytes: count('Largest frame accepted from a node, bytes.', 2 ** 20, 2 ** 31 - 1, 512 * 2 ** 20),
    queueBytes: count(
      'Bytes that may wait between the socket and the decoder, for each session.',
      2 ** 20,
      2 ** 31 - 1,
      32 * 2 ** 20,
    ),
    checkActions: Type.Boolean({
      description:
        'Whether the action root of every block is checked, in addition to the block ids. The check takes about 3 µs of processor time for each action.',
      default: true,
    }),
    sessions: count(
      'State-history sessions that read in parallel while the last irreversible block is far away; one session follows the chain live.',
      1,
      8,
      1,
    ),
  },
  { ...exact, description: 'Where blocks come from.' },
)

const jsonPath = Type.String({
  description: 'Where the price is in that JSON: member names joined by dots.',
  minLength: 1,
})

const Price = Type.Object(
  {
    source: Type.Enum(['oracle', 'http', 'fixed'], {
      description: 'Where the USD price of the system token comes from.',
    }),
    pair: Type.Optional(Type.String({ description: 'Pair of the oracle contract, such as waxpusd.', minLength: 1 })),
    decimals: count('Decimals of the oracle’s values.', 0, 16, 4),
    url: Type.Optional(url('Address that answers with JSON, asked once a minute.', 'http|https')),
    path: Type.Optional(jsonPath),
    fallbacks: Type.Array(
      Type.Object({ url: url('Address that answers with JSON.', 'http|https'), path: jsonPath }, exact),
      {
        description: 'Addresses to ask, in this order, when the first gives no price. In the environment: JSON.',
        default: [],
      },
    ),
    maxAgeMinutes: count(
      'Age in minutes above which the last price of an oracle or a server is not used.',
      2,
      525_600,
      1440,
    ),
    usd: Type.Optional(Type.Number({ description: 'The price itself, for source `fixed`.', exclusiveMinimum: 0 })),
  },
  { ...exact, description: 'USD price of the system token.' },
)

const LiquidityThreshold = Type.Object(
  {
    usd: Type.Number({
      description: 'USD that a pool must hold on its priced side to price a token.',
      default: 100,
      exclusiveMinimum: 0,
    }),
    system: Type.Number({
      description: 'The same in system tokens, while those have no USD price.',
      default: 500,
      exclusiveMinimum: 0,
    }),
  },
  { ...exact, description: 'Which pools price tokens.', default: { usd: 100, system: 500 } },
)

const listed = (description: string) =>
  Type.Array(
    Type.Object(
      {
        token: Type.String({
          description: 'Token id, or the account of a contract for all its tokens.',
          pattern: '^([a-z]{1,7}-)?[a-z1-5.]{1,13}$',
          expect: 'a token id (symbol-contract) or an account, in lower case',
        }),
        from: Type.Optional(
          Type.String({
            description: 'Chain time from which the entry holds, UTC; always, when absent.',
            pattern: '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2})?Z)?$',
            expect: 'a time such as 2026-01-31 or 2026-01-31T12:00:00Z',
          }),
        ),
      },
      exact,
    ),
    { description: `${description} Entries: {token, from}. In the environment: JSON.`, default: [] },
  )

const Trust = Type.Object(
  {
    stable: Type.Array(
      Type.String({ pattern: '^[a-z]{1,7}-[a-z1-5.]{1,13}$', expect: 'a token id: symbol-contract in lower case' }),
      { description: 'Further tokens worth one US dollar, in addition to `usdToken`.', default: [] },
    ),
    trusted: listed('Tokens that are trusted at any score.'),
    scam: listed('Scams: their prices are 0, and they price no other token.'),
    minimumScore: count('Minimum score of a token that is trusted for its score.', 0, 100, 41),
  },
  {
    ...exact,
    description: 'Which tokens are trusted.',
    default: { stable: [], trusted: [], scam: [], minimumScore: 41 },
  },
)

export const ChainSchema = Type.Object(
  {
    chain: Type.String({
      description: 'Name of the chain.',
      pattern: CHAIN_NAME_PATTERN,
      expect: `a chain name: ${CHAIN_NAME_RULE}`,
    }),
    chainId: Type.Optional(
      Type.String({
        description:
          'Chain id that the node must have. The bridge domain of the chain follows from it. With another id than that of the file, explorer pages that the file names are not shown.',
        pattern: '^[0-9a-f]{64}$',
        expect: '64 lower-case hex digits',
      }),
    ),
    systemToken: Type.Object(
      {
        contract: account('Token contract.'),
        symbol: Type.String({ description: 'Symbol code.', pattern: '^[A-Z]{1,7}$', expect: '1 to 7 capital letters' }),
        decimals: count('Decimals.', 0, 18),
      },
      { ...exact, description: 'The token that fees and prices are counted in.' },
    ),
    usdToken: Type.Optional(
      Type.String({
        description: 'Token worth one US dollar, symbol-contract.',
        pattern: '^[a-z]{1,7}-[a-z1-5.]{1,13}$',
        expect: 'a token id: symbol-contract in lower case',
      }),
    ),
    accounts: Accounts,
    tokens: Type.Object(
      {
        contracts: Type.Union([Type.Literal('*'), Type.Array(account('Token contract.'))], {
          description:
            'Token contracts whose transfers, balances and supplies are stored; `*`: every contract with the standard layout.',
          default: '*',
          expect: "'*' or a list of account names",
        }),
      },
      { ...exact, description: 'Which tokens are indexed.', default: { contracts: '*' } },
    ),
    source: Source,
    abis: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'ABIs for a start in the middle of a chain: file in `abis/` by account. In the environment: JSON.',
      }),
    ),
    finality: Type.Boolean({
      description: 'Whether to ask the node for finality data, which proofs need.',
      default: true,
    }),
    price: Type.Optional(Price),
    liquidityThreshold: LiquidityThreshold,
    trust: Trust,
    aggregatorIds: Type.Record(
      Type.String({ pattern: '^[a-z]{1,7}-[a-z1-5.]{1,13}$' }),
      Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 }),
      { description: 'Ids of tokens on the aggregator, by token id. In the environment: JSON.', default: {} },
    ),
    fundamentals: Type.Optional(
      Type.String({
        description:
          'File of facts on the projects of tokens: JSON, by SYMBOL@contract an object of name, website, description, tags, socials.',
        minLength: 1,
      }),
    ),
    exactOutPaths: Type.Boolean({
      description:
        'Whether the AMM contract accepts several pools in a swap of exact output. If false, each swap of such a route has one pool.',
      default: false,
    }),
    logoLists: Type.Array(url('Address of a list.', 'http|https'), {
      description:
        'Public lists of token logos: JSON, an array of {account, symbol, logo}. They are read once an hour, in this order, for logos that neither the registry nor `logoDir` has.',
      default: [],
    }),
    public: PublicSchema,
    hosts: Type.Array(Type.String({ minLength: 1 }), {
      description: 'Host names that choose this chain in the API.',
      default: [],
    }),
  },
  { ...exact, description: 'One chain.' },
)

/** Settings of one chain, with defaults. */
export type ChainConfig = Static<typeof ChainSchema>
