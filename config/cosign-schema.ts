// Settings of the cosigner: of its process, `headwater cosign`, and of the API that forwards to it.
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
    url: url('Address of the cosigner, to which the API forwards requests.', 'HEADWATER_COSIGN_URL', {
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
      description: 'Address that the cosigner listens on.',
      minLength: 1,
      default: '127.0.0.1',
      env: 'HEADWATER_COSIGN_HOST',
    }),
    port: count('Port of the cosigner; 0: any.', 0, 65_535, 7702, 'HEADWATER_COSIGN_PORT'),
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
      description: 'Contracts whose actions the payer pays, and to which tokens may be transferred.',
      default: CONTRACTS,
      env: 'HEADWATER_COSIGN_CONTRACTS',
    }),
    node: Type.Optional(
      url(
        'Chain API of a node, for the payer’s CPU and for the checks that need the chain. Without it these checks are left out.',
        'HEADWATER_COSIGN_NODE',
      ),
    ),
    tokens: Type.Optional(
      Type.Enum(['known', 'any'], {
        description:
          'Token contracts whose transfers the payer pays: `known`, of tokens with a pool or a market; `any`. Without it `known` when there is a node, else `any`.',
        env: 'HEADWATER_COSIGN_TOKENS',
      }),
    ),
    simulate: Type.Enum(['auto', 'compute', 'read-only', 'off'], {
      description:
        'How a node tries a transaction before it is signed: `compute` (compute_transaction), `read-only` (send_read_only_transaction), `auto` (the one that the node has), or `off`.',
      default: 'auto',
      env: 'HEADWATER_COSIGN_SIMULATE',
    }),
    cpuCeilingMs: count(
      'Maximum CPU that a transaction may set as its limit and may take in its trial, milliseconds.',
      1,
      150,
      20,
      'HEADWATER_COSIGN_CPU_CEILING_MS',
    ),
    requireCpuBound: Type.Boolean({
      description:
        'Whether max_cpu_usage_ms must be set, from 1 to the ceiling. Then 0, which wallets send, is refused.',
      default: false,
      env: 'HEADWATER_COSIGN_REQUIRE_CPU_BOUND',
    }),
    expirySeconds: count(
      'Maximum time from the head of the chain to the expiration of a transaction. Checked when there is a node.',
      30,
      3600,
      900,
      'HEADWATER_COSIGN_EXPIRY_SECONDS',
    ),
    minimumAgeSeconds: count(
      'Minimum age of an account. Checked when there is a node.',
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
        allHour: limit('Transactions an hour of all users.', LIMITS.allHour, 'ALL_HOUR'),
        allDay: limit('Transactions a day of all users.', LIMITS.allDay, 'ALL_DAY'),
        failuresHour: limit(
          'Failed trials an hour of transactions that one account has signed itself.',
          LIMITS.failuresHour,
          'FAILURES_HOUR',
        ),
        ipFailuresHour: limit(
          'Failed trials an hour of transactions from one address that their account has not signed.',
          LIMITS.ipFailuresHour,
          'IP_FAILURES_HOUR',
        ),
        reserveHour: limit(
          'Transactions an hour of one account above its limit. For transactions that the account has signed itself; needs a node.',
          LIMITS.reserveHour,
          'RESERVE_HOUR',
        ),
        reserveDay: limit('The same for a day.', LIMITS.reserveDay, 'RESERVE_DAY'),
      },
      { additionalProperties: false, description: 'How often the payer signs.', default: LIMITS },
    ),
    trustProxy: Type.Array(Type.String({ minLength: 1 }), {
      description: 'Addresses or ranges of the API, which names the address of its client (X-Forwarded-For).',
      default: LOOPBACK,
      env: 'HEADWATER_COSIGN_TRUST_PROXY',
    }),
  },
  {
    additionalProperties: false,
    description: 'The cosigner.',
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

/** The cosigner's settings, defaults filled in. */
export type CosignConfig = Static<typeof CosignSchema>
