// Settings of an EVM chain of the bridge: a file with `kind` `evm`.
import Type, { type Static } from 'typebox'
import { CHAIN_NAME_PATTERN, CHAIN_NAME_RULE } from '../core/chain-name.ts'
import { PublicSchema } from './site-schema.ts'

const exact = { additionalProperties: false }
const url = (description: string) =>
  Type.String({ description, pattern: '^https?://[^\\s]+$', expect: 'a URL: http:// or https://host' })
const addresses = (description: string) =>
  Type.Array(Type.String({ pattern: '^0x[0-9a-f]{40}$', expect: 'an address: 0x and 40 lower-case hex digits' }), {
    description,
    default: [],
    emptyIsNone: true,
  })
const count = (description: string, minimum: number, maximum: number, defaultValue?: number) =>
  Type.Integer({ description, minimum, maximum, ...(defaultValue === undefined ? {} : { default: defaultValue }) })

export const EvmChainSchema = Type.Object(
  {
    kind: Type.Literal('evm', { description: 'What kind of chain it is.', expect: '"evm"' }),
    chain: Type.String({
      description: 'Name of the chain.',
      pattern: CHAIN_NAME_PATTERN,
      expect: `a chain name: ${CHAIN_NAME_RULE}`,
    }),
    name: Type.Optional(Type.String({ description: 'Name for people.', minLength: 1 })),
    chainId: count('EIP-155 chain id that the node must have; the bridge’s domain.', 1, Number.MAX_SAFE_INTEGER),
    contracts: Type.Object(
      {
        vaults: addresses('Vaults of the bridge.'),
        withdrawals: addresses('Withdrawals contracts of the bridge.'),
        lightClients: addresses('Light clients whose roots withdrawals are proved against.'),
      },
      { ...exact, description: 'Contracts of the bridge.', default: { vaults: [], withdrawals: [], lightClients: [] } },
    ),
    source: Type.Object(
      {
        urls: Type.Array(url('A JSON-RPC endpoint.'), {
          description: 'JSON-RPC endpoints, the preferred first. The next one is used when one fails, lags or lies.',
          default: [],
        }),
        beacon: Type.Optional(url('REST API of a beacon node, for proofs of deposits.')),
        startBlock: Type.Optional(
          count(
            'First block to index when the database has none; found by asking an archive node for the contracts, when absent.',
            1,
            Number.MAX_SAFE_INTEGER,
          ),
        ),
        finalHeaders: Type.Enum(['every', 'ends'], {
          description:
            'Headers of final blocks to read. `every`: all headers, whose links and filters show that no event is missing. `ends`: more than 1,000 blocks below the final block, only headers of blocks with events and of ends of ranges, if a second endpoint finds the same events; this is quicker.',
          default: 'every',
        }),
        headerHash: Type.Boolean({
          description:
            'Whether the hash of a header must be that of its fields: false for chains whose headers have extra fields.',
          default: true,
        }),
        rangeBlocks: count(
          'Maximum number of blocks in a query for events; fewer when a node refuses.',
          1,
          1_000_000,
          2000,
        ),
        requestsPerSecond: Type.Number({
          description:
            'Maximum number of requests a second to an endpoint; each request of a batch counts. 0: no limit.',
          expect: 'a number, 0 or more',
          minimum: 0,
          default: 0,
        }),
        batch: count('Maximum number of requests in a batch.', 1, 1000, 100),
        timeoutSeconds: count('How long an answer may take.', 1, 600, 20),
        pollMs: count('Time between looks for a new block, milliseconds.', 50, 60_000, 1000),
        stallSeconds: count('After this time without a new block, another endpoint is tried.', 1, 86_400, 60),
      },
      { ...exact, description: 'Where blocks come from.' },
    ),
    public: PublicSchema,
  },
  { ...exact, description: 'One EVM chain.' },
)

/** Settings of one EVM chain, with defaults. */
export type EvmChainConfig = Static<typeof EvmChainSchema>
