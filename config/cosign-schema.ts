// Settings of the CPU sponsor: of its process, `headwater cosign`, and of the API that forwards to it.
import Type, { type Static } from 'typebox'
import { CHAIN_NAME_PATTERN, CHAIN_NAME_RULE } from '../core/chain-name.ts'

const ACCOUNT = '^[a-z1-5.]{1,12}[a-j1-5]?$'
const EXPECT_ACCOUNT = 'an account name: a to z, 1 to 5 and dots'

const account = (description: string, initial: string, env: string) =>
  Type.String({ description, pattern: ACCOUNT, expect: EXPECT_ACCOUNT, default: initial, env })
const url = (description: string, env: string, more: { default?: string } = {}) =>
  Type.String({ description, pattern: '^https?://[^\\s]+$', expect: 'a URL: http:// or https://host', env, ...more })
const count = (description: string, minimum: number, maximum: number, initial: number, env: string) =>
  Type.Integer({ description, minimum, maximum, default: initial, env })
const limit = (description: string, initial: number, env: string) =>
  count(description, 0, 2 ** 31 - 1, initial, `HEADWATER_COSIGN_${env}`)

/** Contracts of the exchange. */
const CONTRACTS = ['svcdexmain', 'swap.svc', 'otc.svc', 'svcotcswap', 'liquid.svc']
const LIMITS = {
  ipHour: 500,
  ipDay: 5000,
  accountHour: 300,
  accountDay: 2000,
  allHour: 10_000,
  allDay: 80_000,
  failuresHour: 20,
  ipFailuresHour: 100,
  reserveHour: 60,
  reserveDay: 400,
}
const LOOPBACK = ['127.0.0.1', '::1']

export const CosignSchema = Type.Object(
  {
    url: url('Address of the CPU sponsor, to which the API forwards requests.', 'HEADWATER_COSIGN_URL', {
      default: 'http://127.0.0.1:7702',
    }),
    chain: Type.String({
      description: 'Chain whose transactions are signed; the endpoints are on its host alone.',
      pattern: CHAIN_NAME_PATTERN,
      expect: `a chain name: ${CHAIN_NAME_RULE}`,
      default: 'wax',
      env: 'HEADWATER_COSIGN_CHAIN',
    }),
    host: Type.String({
      description: 'Address that the CPU sponsor listens on.',
      minLength: 1,
      default: '127.0.0.1',
      env: 'HEADWATER_COSIGN_HOST',
    }),
    port: count('Port of the CPU sponsor; 0: any.', 0, 65_535, 7702, 'HEADWATER_COSIGN_PORT'),
    keyFile: Type.Optional(
      Type.String({
        description: 'File with the private key, readable by its owner alone; without it nothing is signed.',
        minLength: 1,
        env: 'HEADWATER_COSIGN_KEY_FILE',
      }),
    ),
    payer: account(
      'Account that pays, and contract of the first action `noop`.',
      'liquid.svc',
      'HEADWATER_COSIGN_PAYER',
    ),
    permission: account('Permission of the payer that signs.', 'bw', 'HEADWATER_COSIGN_PERMISSION'),
    contracts: Type.Array(Type.String({ pattern: ACCOUNT, expect: EXPECT_ACCOUNT }), {
      description: 'Contracts whose actions are paid for, and to which tokens may be transferred.',
      default: CONTRACTS,
      env: 'HEADWATER_COSIGN_CONTRACTS',
    }),
    node: Type.Optional(
      url(
        'Chain API of a node, for the payer’s CPU and for the checks that need the chain; without it those are left out.',
        'HEADWATER_COSIGN_NODE',
      ),
    ),
    tokens: Type.Optional(
      Type.Enum(['known', 'any'], {
        description:
          'Whose transfers are paid for: of contracts of tokens with a pool or a market, or of any contract. Without it `known` when there is a node, else `any`.',
        env: 'HEADWATER_COSIGN_TOKENS',
      }),
    ),
    simulate: Type.Enum(['auto', 'compute', 'read-only', 'off'], {
      description:
        'How a node tries a transaction before it is signed: compute_transaction, send_read_only_transaction, or whichever it has.',
      default: 'auto',
      env: 'HEADWATER_COSIGN_SIMULATE',
    }),
    cpuCeilingMs: count(
      'Most CPU that a transaction may ask for, and may take when it is tried, milliseconds.',
      1,
      150,
      20,
      'HEADWATER_COSIGN_CPU_CEILING_MS',
    ),
    requireCpuBound: Type.Boolean({
      description:
        'Whether max_cpu_usage_ms must be set, from 1 to the ceiling: 0, which wallets send, is refused then, and answers name the bound.',
      default: false,
      env: 'HEADWATER_COSIGN_REQUIRE_CPU_BOUND',
    }),
    expirySeconds: count(
      'How far ahead a transaction may expire, when there is a node.',
      30,
      3600,
      900,
      'HEADWATER_COSIGN_EXPIRY_SECONDS',
    ),
    minimumAgeSeconds: count(
      'Least age of an account, when there is a node.',
      0,
      31_536_000,
      0,
      'HEADWATER_COSIGN_MINIMUM_AGE_SECONDS',
    ),
    limits: Type.Object(
      {
        ipHour: limit('Transactions an hour from one address.', LIMITS.ipHour, 'IP_HOUR'),
        ipDay: limit('Transactions a day from one address.', LIMITS.ipDay, 'IP_DAY'),
        accountHour: limit('Transactions an hour of one account.', LIMITS.accountHour, 'ACCOUNT_HOUR'),
        accountDay: limit('Transactions a day of one account.', LIMITS.accountDay, 'ACCOUNT_DAY'),
        allHour: limit('Transactions an hour of all.', LIMITS.allHour, 'ALL_HOUR'),
        allDay: limit('Transactions a day of all.', LIMITS.allDay, 'ALL_DAY'),
        failuresHour: limit(
          'Transactions that one account has signed itself and that may fail when they are tried, an hour.',
          LIMITS.failuresHour,
          'FAILURES_HOUR',
        ),
        ipFailuresHour: limit(
          'Transactions from one address, without a signature of their account, that may fail when they are tried, an hour.',
          LIMITS.ipFailuresHour,
          'IP_FAILURES_HOUR',
        ),
        reserveHour: limit(
          'Transactions an hour of one account beyond its limit, when it has signed them itself and there is a node.',
          LIMITS.reserveHour,
          'RESERVE_HOUR',
        ),
        reserveDay: limit('The same by the day.', LIMITS.reserveDay, 'RESERVE_DAY'),
      },
      { additionalProperties: false, description: 'How often the payer signs.', default: LIMITS },
    ),
    trustProxy: Type.Array(Type.String({ minLength: 1 }), {
      description: 'Who may say for which address it asks (X-Forwarded-For): the API, as addresses or ranges.',
      default: LOOPBACK,
      env: 'HEADWATER_COSIGN_TRUST_PROXY',
    }),
  },
  {
    additionalProperties: false,
    description: 'The CPU sponsor.',
    default: {
      url: 'http://127.0.0.1:7702',
      chain: 'wax',
      host: '127.0.0.1',
      port: 7702,
      payer: 'liquid.svc',
      permission: 'bw',
      contracts: CONTRACTS,
      simulate: 'auto',
      cpuCeilingMs: 20,
      requireCpuBound: false,
      expirySeconds: 900,
      minimumAgeSeconds: 0,
      limits: LIMITS,
      trustProxy: LOOPBACK,
    },
  },
)

/** The CPU sponsor's settings, defaults filled in. */
export type CosignConfig = Static<typeof CosignSchema>
