// Requests and answers of the bridge API. Amounts are decimal strings in the asset's smallest unit, domains decimal
// strings, times Unix seconds.
import { type Static, type TSchema, Type } from 'typebox'
import { HOP_STATUSES } from './journey-state.ts'
import { DEPOSIT_STATUSES, WITHDRAWAL_STATUSES } from './leg-state.ts'

export const Text = (description: string) => Type.String({ description })
export const Num = (description: string) => Type.Number({ description })
export const Bool = (description: string) => Type.Boolean({ description })
export const OrNull = <S extends TSchema>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description })
export const TextOrNull = (description: string) => OrNull(Type.String(), description)
export const NumOrNull = (description: string) => OrNull(Type.Number(), description)

export const LEG_STATUSES = [...new Set([...DEPOSIT_STATUSES, ...WITHDRAWAL_STATUSES])]
export const LIMIT = 50
export const MAX_LIMIT = 500

const Problem = Type.Object({
  statusCode: Num('HTTP status.'),
  error: Text('What it is.'),
  message: Text('What to change.'),
})

/** Responses of an endpoint, with the documented errors. */
export const answers = <S extends TSchema>(schema: S) => ({ 200: schema, 400: Problem, 404: Problem, 503: Problem })

export const KeyParams = Type.Object({ key: Text('`d:<domain>:<nonce>` of a deposit, or `w:<id>` of a withdrawal.') })

export const ProofQuery = Type.Object({
  relayer: Type.Optional(
    Text('Of a deposit: the account that will push the actions. Else they have the empty name in its place.'),
  ),
  learned: Type.Optional(
    Type.Integer({
      description:
        'Of a withdrawal: the newest generation of finalizers that the light client has learned, where this instance does not follow it. `handoffs` begins after it.',
      minimum: 0,
      maximum: 4294967295,
    }),
  ),
})

const Transaction = Type.Optional(Text('Only with this source transaction: 64 hexadecimal digits, with or without 0x.'))
const PageMembers = {
  limit: Type.Optional(
    Type.Integer({
      description: `Maximum number of rows. Default ${LIMIT}, maximum ${MAX_LIMIT}.`,
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
    }),
  ),
  before: Type.Optional(
    Type.Integer({
      description: 'Only what began before this time, Unix seconds: the `src_time` of the last row, or `next`.',
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
    }),
  ),
}

export const HopsQuery = Type.Object({
  party: Type.Optional(Text('Account, or address in any case: who sends, receives, or gets it back.')),
  tx: Transaction,
  direct: Type.Optional(Type.Boolean({ description: 'Also journeys of one leg.' })),
  ...PageMembers,
})

export const TransfersQuery = Type.Object({
  account: Type.Optional(Text('Account that takes part in the leg.')),
  address: Type.Optional(Text('Address that takes part in the leg, in any case.')),
  tx: Transaction,
  direction: Type.Optional(Type.Enum(['deposit', 'withdrawal'], { description: 'To the ledger’s chain, or from it.' })),
  status: Type.Optional(Text(`One of ${LEG_STATUSES.join(', ')}; several separated by commas.`)),
  ...PageMembers,
})

const Timing = Type.Object({
  seconds: Num('Typical time: the median of recent transfers.'),
  range: Type.Array(Type.Number(), {
    description: 'Fastest and slowest recent times, seconds.',
    minItems: 2,
    maxItems: 2,
  }),
  measured: Bool('Whether it was measured on recent transfers.'),
  samples: Num('How many of them.'),
  human: Text('The same for people.'),
})

const DepositWay = Type.Object({
  contract: Text('Contract that takes the deposit: the vault, or the account to transfer to.'),
  token: Text('Token: an EVM address, all zeros for the native coin; or the contract of an Antelope token.'),
  telosTo: Text('Receiving account on the ledger’s chain; `hop.svc` for a route onward.'),
  memo: Text('Template of the memo; empty for none.'),
})
const WithdrawalWay = Type.Object({
  contract: Text('Account to transfer to.'),
  memo: Text('Template of the memo.'),
  token: Text('Contract of the token to transfer.'),
})

const RouteLimits = {
  antelopeToken: Text('Contract of the token on the Antelope chain.'),
  withdrawableNow: TextOrNull(
    'What may leave through the vault at the far end now, ledger units; null when it is not known.',
  ),
}

export const Route = Type.Object({
  symbol: Text('Asset.'),
  precision: Num('Decimals of `min` and `max`.'),
  from: Text('Chain id.'),
  to: Text('Chain id.'),
  via: TextOrNull('Chain passed through; null for a direct route.'),
  open: Bool('Whether transfers are accepted now; never while this instance lags a chain of the route.'),
  min: Text('Minimum amount.'),
  max: Text('Greatest amount that fits now.'),
  ...RouteLimits,
  backing: Text('What the vault holds for the asset, ledger units.'),
  how: Type.Object({ deposit: Type.Optional(DepositWay), withdraw: Type.Optional(WithdrawalWay) }),
  timing: Timing,
})
export type Route = Static<typeof Route>

export const RoutesAnswer = Type.Object({ routes: Type.Array(Route) })

const Reading = Type.Object({
  vault: Text('Address.'),
  source: Type.Enum(['rpc', 'ledger'], { description: 'The vault’s own views, or its events.' }),
  block: NumOrNull('Block that was read.'),
  time: NumOrNull('Its time, Unix seconds.'),
  ageSeconds: NumOrNull('Since when it was read.'),
  stale: Bool('Whether it is older than it should be: the endpoint does not answer.'),
  depositsPaused: Bool('Whether it takes no deposits.'),
  withdrawalsPaused: Bool('Whether it pays nothing out.'),
})

const StoredRoot = Type.Object({
  root: Text('Root of the finality tree, 0x and digits.'),
  lastBlock: Num('Last block of the ledger’s chain that it covers.'),
  block: Num('Block in which it was stored.'),
  time: Num('When.'),
  generation: Num('Generation of the finalizer policy that signed it.'),
})

const Source = Type.Object({
  id: Text('Chain id.'),
  name: Text('Name for people.'),
  chainId: NumOrNull('EIP-155 chain id; null for an Antelope chain.'),
  domain: Text('Domain.'),
  contracts: Type.Record(Type.String(), Type.String(), {
    description: 'Contracts by part: `vault`, `withdrawals`, `lightClient`; `bridge`, `wrap`.',
  }),
  timing: Type.Object({ deposit: Timing, withdrawal: Timing }),
  indexed: OrNull(
    Type.Object({
      block: Num('Last block indexed.'),
      final: Num('Last irreversible block.'),
      time: Num('Time of the last block, Unix seconds.'),
    }),
    'How far this instance has read the chain; null when it does not.',
  ),
  behind: Bool('Whether this instance lags the chain, or its nodes disagree: its routes are not open then.'),
  routes: Type.Array(
    Type.Object({
      symbol: Text('Asset.'),
      precision: Num('Decimals of amounts.'),
      token: Text('Token on this chain.'),
      ...RouteLimits,
      backing: Text('What the vault holds for the asset, ledger units.'),
      limits: OrNull(
        Type.Object({
          scale: Text('Raw units of a ledger unit.'),
          cap: Text('Cap of deposits, raw units.'),
          enabled: Bool('Whether deposits of it are taken.'),
          available: TextOrNull('Raw units that may leave now.'),
        }),
        'What the vault says of the asset; null when it is not known, or no contract.',
      ),
    }),
  ),
  vaults: Type.Array(Reading, { description: 'How well the vaults’ limits are known.' }),
  roots: Type.Array(StoredRoot, { description: 'Newest finality roots that the light client has stored.' }),
  provesFinality: Bool(
    'Whether proofs of deposits from it show that their block is final; otherwise only that the block has the deposit, and a gateway has to trust the block for a reason of its own.',
  ),
})

export const ChainsAnswer = Type.Object({
  sources: Type.Array(Source),
  ledger: Type.Object({
    id: Text('Chain id.'),
    name: Text('Name for people.'),
    domain: TextOrNull('Domain.'),
    contracts: Type.Record(Type.String(), Type.String()),
    indexed: Type.Object({
      block: Num('Last block indexed.'),
      final: Num('Last irreversible block.'),
      time: Num('Its time, Unix seconds.'),
    }),
    behind: Bool('As of a source: no route is open then.'),
    proved: NumOrNull('Last block whose burns can be proved; null while finality is not followed.'),
  }),
})
export type Source = Static<typeof Source>
export type ChainsAnswer = Static<typeof ChainsAnswer>

const End = Type.Object({ chain: Text('Chain id.'), address: TextOrNull('Who sent; null when unknown.') })
export const Goal = Type.Object({ chain: Text('Chain id.'), recipient: TextOrNull('Who receives; null when unknown.') })

export const Journey = Type.Object({
  key: Text('Key of the journey: that of its first leg.'),
  direction: Type.Enum(['hop', 'deposit', 'withdrawal'], {
    description: '`hop`: over the hop contract; else of one leg.',
  }),
  status: Type.Enum([...HOP_STATUSES], { description: 'Where it is.' }),
  progress: Type.Object({
    stage: Text('What happens now.'),
    percent: Num('0 to 100; 100 when it has ended well or is back.'),
    etaSeconds: NumOrNull(
      'Until it is there, from measured times; null when it waits for an action or takes longer than usual.',
    ),
  }),
  next: OrNull(
    Type.Object({
      actor: Type.Enum(['automatic', 'relayer', 'recipient', 'anyone'], { description: 'Who acts.' }),
      action: TextOrNull('What, where it is a call.'),
      deadline: NumOrNull('Until when, Unix seconds; null: any time.'),
    }),
    'Who acts next; null at the end.',
  ),
  from: End,
  to: Goal,
  back: OrNull(Goal, 'Where it returns when it is not delivered.'),
  deposit: Type.Object({
    symbol: TextOrNull('Asset; null when unknown.'),
    amount: Text('Smallest unit.'),
    precision: NumOrNull('Decimals of the amount; null when unknown.'),
    src_tx: TextOrNull('Source transaction; null when its chain is not indexed.'),
  }),
  src_time: Num('When it began: the earliest time known.'),
  warnings: Type.Array(Type.String(), { description: 'What is wrong with it, for people.' }),
  legs: Type.Array(
    Type.Object({ key: Text('Key.'), status: Text('Status of the leg.'), tx: TextOrNull('Latest transaction.') }),
  ),
})
export type Journey = Static<typeof Journey>

const Next = NumOrNull('`before` of the next page; null at the end.')

export const JourneysAnswer = Type.Object({ hops: Type.Array(Journey), next: Next })

export const Leg = Type.Object({
  key: Text('Key.'),
  kind: Type.Enum(['deposit', 'withdrawal']),
  direction: Type.Enum(['deposit', 'withdrawal'], { description: 'To the ledger’s chain, or from it.' }),
  status: Type.Enum([...LEG_STATUSES]),
  domain: Text('Domain of the other end.'),
  nonce: TextOrNull('Of a deposit.'),
  id: TextOrNull('Of a withdrawal.'),
  from: End,
  to: Goal,
  sender: TextOrNull('The address of `from`.'),
  recipient: TextOrNull('The recipient of `to`.'),
  symbol: TextOrNull('Asset; null when unknown.'),
  amount: Text('Ledger units; of a withdrawal with its fee.'),
  precision: NumOrNull('Decimals of the amount; null when unknown.'),
  fee: TextOrNull('Part of the amount that the sender of the release gets.'),
  memo: Text('0x and digits.'),
  memoText: TextOrNull('The same as text; null if it is not valid UTF-8.'),
  token: TextOrNull('Token at the other end.'),
  vault: TextOrNull('Vault at the other end.'),
  rawAmount: TextOrNull('Of a deposit: units of the token on its own chain.'),
  rawPrecision: NumOrNull('Decimals of those.'),
  src_block: NumOrNull('Block of the source transaction.'),
  src_tx: TextOrNull('Source transaction; null when its chain is not indexed.'),
  src_time: Num('Its time; the earliest time known, when its chain is not indexed.'),
  dst_tx: TextOrNull('Transaction that the status rests on.'),
  dst_time: NumOrNull('Its time.'),
  deadline: NumOrNull('Of a withdrawal: when it expires.'),
  refundTo: TextOrNull('Who gets it back.'),
  back: TextOrNull('Key of the withdrawal that takes a bounced deposit back.'),
  hasProof: Type.Optional(Bool('Of a withdrawal: whether its proof can be had.')),
})
export type Leg = Static<typeof Leg>

export const LegsAnswer = Type.Object({ transfers: Type.Array(Leg), next: Next })
