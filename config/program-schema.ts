// Settings of the whole program, and the type of a loaded configuration.
import Type, { type Static } from 'typebox'
import { CHAIN_NAME_PATTERN, CHAIN_NAME_RULE } from '../core/chain-name.ts'
import { CosignSchema } from './cosign-schema.ts'
import type { EvmChainConfig } from './evm-schema.ts'
import type { FeedAsset } from './feed-assets.ts'
import type { Fundamentals } from './fundamentals.ts'
import { ObjectsSchema } from './objects-schema.ts'
import { RelaySchema } from './relay-schema.ts'
import { type ChainConfig, exact } from './schema.ts'
import { SiteSchema } from './site-schema.ts'

/** Settings of the whole program, each with the name of its environment variable. */
export const ProgramSchema = Type.Object(
  {
    chains: Type.Array(Type.String(), {
      description: 'Chains to serve: names of files in the configuration folder.',
      default: ['wax'],
      env: 'HEADWATER_CHAINS',
    }),
    database: Type.Optional(
      Type.String({
        description:
          'Your PostgreSQL (15 to 18), several servers of one database, or PgBouncer (docs/operate/standby.md); without it an embedded one is started.',
        pattern: '^postgres(ql)?://',
        expect: 'postgresql://user:password@host:port/database',
        env: 'DATABASE_URL',
      }),
    ),
    dataDir: Type.String({
      description: 'Folder of the embedded database.',
      default: '.headwater',
      minLength: 1,
      env: 'HEADWATER_DATA',
    }),
    databaseDir: Type.Optional(
      Type.String({
        description:
          'With DATABASE_URL: a folder on the disk of that PostgreSQL, if this machine has it. Its free room is watched (HeadwaterDiskFull). Files in it are not read.',
        minLength: 1,
        env: 'HEADWATER_DATABASE_DIR',
      }),
    ),
    host: Type.String({
      description: 'Address that the API listens on.',
      default: '127.0.0.1',
      minLength: 1,
      env: 'HEADWATER_HOST',
    }),
    port: Type.Integer({
      description: 'Port of the API; 0: any.',
      minimum: 0,
      maximum: 65535,
      default: 7700,
      env: 'PORT',
    }),
    publishedPort: Type.Optional(
      Type.Integer({
        description:
          'Port in the printed addresses, when users reach the API under another one than `port`, for example that of a container.',
        minimum: 1,
        maximum: 65535,
        env: 'HEADWATER_PUBLISHED_PORT',
      }),
    ),
    maxLagSeconds: Type.Integer({
      description: 'Age of the last indexed block above which /health/ready answers 503.',
      minimum: 1,
      maximum: 86400,
      default: 60,
      env: 'HEADWATER_MAX_LAG_SECONDS',
    }),
    maxReplayLagSeconds: Type.Integer({
      description: 'Lag of a PostgreSQL standby above which /health/ready of an API on it answers 503.',
      minimum: 1,
      maximum: 86400,
      default: 10,
      env: 'HEADWATER_MAX_REPLAY_LAG_SECONDS',
    }),
    logoDir: Type.Optional(
      Type.String({
        description: 'Folder with token logos of your own: CHAIN/TOKEN_ID.svg, .png, .webp or .jpg.',
        minLength: 1,
        env: 'HEADWATER_LOGO_DIR',
      }),
    ),
    siteUrl: Type.Optional(
      Type.String({
        description:
          'Public site of the exchange, for links; without it the address of the request. `{chain}` in it is replaced by the name of the chain.',
        pattern: '^https?://[^/]+',
        expect: 'an address: https://host',
        env: 'HEADWATER_SITE_URL',
      }),
    ),
    bridgeLedger: Type.Optional(
      Type.String({
        description:
          'Chain with the ledger of the bridge; without it telos, else the only chain with gateways, else the only one with a bridge contract.',
        pattern: CHAIN_NAME_PATTERN,
        expect: `a chain name: ${CHAIN_NAME_RULE}`,
        env: 'HEADWATER_BRIDGE_LEDGER',
      }),
    ),
    rateLimit: Type.Integer({
      description: 'Requests a minute from one address; 0: no limit.',
      minimum: 0,
      maximum: 1_000_000,
      default: 0,
      env: 'HEADWATER_RATE_LIMIT',
    }),
    stream: Type.Object(
      {
        connections: Type.Integer({
          description: 'Maximum number of open connections of the market stream.',
          minimum: 0,
          maximum: 1_000_000,
          default: 10_000,
          env: 'HEADWATER_STREAM_CONNECTIONS',
        }),
        connectionsPerAddress: Type.Integer({
          description: 'Maximum number of open connections from one address to each of the two streams; 0: no limit.',
          minimum: 0,
          maximum: 1_000_000,
          default: 0,
          env: 'HEADWATER_STREAM_CONNECTIONS_PER_ADDRESS',
        }),
        factConnections: Type.Integer({
          description: 'Maximum number of open connections of the stream of facts.',
          minimum: 0,
          maximum: 1_000_000,
          default: 1000,
          env: 'HEADWATER_STREAM_FACT_CONNECTIONS',
        }),
        messageBytes: Type.Integer({
          description: 'Maximum length of a message that a client sends to the market stream, bytes.',
          minimum: 256,
          maximum: 2 ** 20,
          default: 4096,
          env: 'HEADWATER_STREAM_MESSAGE_BYTES',
        }),
        stallSeconds: Type.Integer({
          description: 'A client of the market stream that reads nothing for this time is disconnected.',
          minimum: 1,
          maximum: 3600,
          default: 30,
          env: 'HEADWATER_STREAM_STALL_SECONDS',
        }),
      },
      {
        ...exact,
        description: 'Limits of the market stream and of the stream of facts.',
        default: {
          connections: 10_000,
          connectionsPerAddress: 0,
          factConnections: 1000,
          messageBytes: 4096,
          stallSeconds: 30,
        },
      },
    ),
    feed: Type.Object(
      {
        hosts: Type.Array(Type.String({ minLength: 1 }), {
          description: 'Host names that serve the cross-chain feed at their root.',
          default: ['feed.localhost'],
          env: 'HEADWATER_FEED_HOSTS',
        }),
        minimumUsd: Type.Number({
          description: 'USD that a pool, or an order book near its middle price, must hold to be listed in the feed.',
          minimum: 0,
          default: 1000,
          env: 'HEADWATER_FEED_MINIMUM_USD',
        }),
        refreshSeconds: Type.Integer({
          description: 'Seconds between refreshes of the feed.',
          minimum: 1,
          maximum: 3600,
          default: 60,
          env: 'HEADWATER_FEED_REFRESH_SECONDS',
        }),
        assets: Type.Optional(
          Type.String({
            description:
              'File of assets: their tokens on each chain, and their ids on the aggregator. Without it config/feed/assets.json.',
            minLength: 1,
            env: 'HEADWATER_FEED_ASSETS',
          }),
        ),
      },
      {
        ...exact,
        description: 'The cross-chain feed.',
        default: { hosts: ['feed.localhost'], minimumUsd: 1000, refreshSeconds: 60 },
      },
    ),
    cosign: CosignSchema,
    relay: RelaySchema,
    site: SiteSchema,
    objects: ObjectsSchema,
    trustProxy: Type.Array(Type.String({ minLength: 1 }), {
      description: 'Proxies in front of the API that may set X-Forwarded-For: addresses or ranges.',
      default: [],
      env: 'HEADWATER_TRUST_PROXY',
    }),
    logLevel: Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'], {
      description: 'Lowest severity of printed log lines.',
      default: 'info',
      env: 'HEADWATER_LOG_LEVEL',
    }),
  },
  exact,
)

export type ProgramConfig = Static<typeof ProgramSchema>

export interface Config extends Omit<ProgramConfig, 'chains'> {
  /** Antelope chains. */
  chains: ChainConfig[]
  /** EVM chains of the bridge. */
  evm: EvmChainConfig[]
  /** Assets of the cross-chain feed. */
  feedAssets: FeedAsset[]
  /** Descriptions of token projects, by chain. */
  fundamentals: Record<string, Fundamentals>
}
