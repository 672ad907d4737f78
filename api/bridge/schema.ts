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
  error: Text('Name of the status.'),
  message: Text('The reason, and what to change.'),
})

/** Responses of an endpoint, with the documented errors. */
export const answers = <S extends TSchema>(schema: S) => ({ 200: schema, 400: Problem, 404: Problem, 503: Problem })

export const KeyParams = Type.Object({ key: Text('`d:<domain>:<nonce>` of a deposit, or `w:<id>` of a withdrawal.') })

export const DomainParams = Type.Object({ domain: Text('Domain of an EVM chain, decimal.') })

export const ProofQuery = Type.Object({
  relayer: Type.Optional(
    Text('For a deposit: account that will push the actions. Without it, the actions contain the empty name.'),
  ),
  learned: Type.Optional(
    Type.Integer({
      description:
        'For a withdrawal: newest generation of finalizers that the light client has learned. `handoffs` begins after this generation. Needed only if this instance does not index the light client.',
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
      description:
        'Only transfers that began before this time, Unix seconds. For the next page: `next`, or the `src_time` of the last row.',
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
    }),
  ),
}

export const HopsQuery = Type.Object({
  party: Type.Optional(
    Text('Sender, recipient, or recipient of a refund: an account, or an address in upper or lower case.'),
  ),
  tx: Transaction,
  direct: Type.Optional(Type.Boolean({ description: 'Whether to include journeys of one leg.' })),
  ...PageMembers,
})

export const TransfersQuery = Type.Object({
  account: Type.Optional(Text('Account that takes part in the leg.')),
  address: Type.Optional(Text('Address that takes part in the leg, in upper or lower case.')),
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
  measured: Bool('Whether the times were measured on recent transfers; otherwise they are typical times.'),
  samples: Num('Number of measured transfers; 0 for typical times.'),
  human: Text('The times as text for people.'),
})

const DepositWay = Type.Object({
  contract: Text('Contract that takes the deposit: the vault, or the account to transfer to.'),
  token: Text('Token: on an EVM chain its address, all zeros for the native coin; on an Antelope chain its contract.'),
  telosTo: Text('Receiving account on the ledger’s chain; `hop.svc` for a route that goes on to another chain.'),
  memo: Text('Template of the memo; empty if the deposit has no memo.'),
})
const WithdrawalWay = Type.Object({
  contract: Text('Account to transfer to.'),
  memo: Text('Template of the memo.'),
  token: Text('Contract of the token to transfer.'),
})

const RouteLimits = {
  antelopeToken: Text('Contract of the token on the Antelope chain.'),
  withdrawableNow: TextOrNull(
    'Amount that the vault at the destination may pay out now, ledger units; null if unknown.',
  ),
}

export const Route = Type.Object({
  symbol: Text('Symbol of the asset.'),
  precision: Num('Decimals of `min` and `max`.'),
  from: Text('Id of the source chain.'),
  to: Text('Id of the destination chain.'),
  via: TextOrNull('Id of the chain between them; null for a direct route.'),
  open: Bool('Whether transfers are accepted now; never while this instance lags a chain of the route.'),
  min: Text('Minimum amount, ledger units.'),
  max: Text('Maximum amount at present, ledger units.'),
  ...RouteLimits,
  backing: Text('Amount of the asset that the vault holds, ledger units.'),
  how: Type.Object({ deposit: Type.Optional(DepositWay), withdraw: Type.Optional(WithdrawalWay) }),
  timing: Timing,
})
export type Route = Static<typeof Route>

export const RoutesAnswer = Type.Object({ routes: Type.Array(Route) })

const Reading = Type.Object({
  vault: Text('Address of the vault.'),
  source: Type.Enum(['rpc', 'ledger'], {
    description: '`rpc`: read from the contract by an EVM endpoint; `ledger`: computed from the vault’s events.',
  }),
  block: NumOrNull('Block at which the vault was read.'),
  time: NumOrNull('Time of that block, Unix seconds.'),
  ageSeconds: NumOrNull('Seconds since the vault was read.'),
  stale: Bool('Whether the reading is too old, because no endpoint has answered since.'),
  depositsPaused: Bool('Whether the vault refuses deposits.'),
  withdrawalsPaused: Bool('Whether the vault refuses payouts.'),
})

const StoredRoot = Type.Object({
  root: Text('Root of the finality tree, 0x and hexadecimal digits.'),
  lastBlock: Num('Last block of the ledger’s chain that the root covers.'),
  block: Num('Block of the light client’s chain in which the root was stored.'),
  time: Num('Time of that block, Unix seconds.'),
  generation: Num('Generation of the finalizer policy that signed the root.'),
})

const Source = Type.Object({
  id: Text('Chain id.'),
  name: Text('Display name.'),
  chainId: NumOrNull('EIP-155 chain id; null for an Antelope chain.'),
  domain: Text('Number of the chain in the bridge’s contracts.'),
  contracts: Type.Record(Type.String(), Type.String(), {
    description:
      'Contracts by role: on an EVM chain `vault`, `withdrawals`, `lightClient`; on an Antelope chain `bridge`, `wrap`.',
  }),
  timing: Type.Object({ deposit: Timing, withdrawal: Timing }),
  indexed: OrNull(
    Type.Object({
      block: Num('Last block indexed.'),
      final: Num('Last irreversible block.'),
      time: Num('Time of the last block, Unix seconds.'),
    }),
    'How far this instance has indexed the chain; null if it does not index the chain.',
  ),
  behind: Bool(
    'Whether this instance lags the chain, or the nodes of the chain disagree. Then no route of the chain is open.',
  ),
  routes: Type.Array(
    Type.Object({
      symbol: Text('Symbol of the asset.'),
      precision: Num('Decimals of ledger units.'),
      token: Text('Token on this chain.'),
      ...RouteLimits,
      backing: Text('Amount of the asset that the vault holds, ledger units.'),
      limits: OrNull(
        Type.Object({
          scale: Text('Raw units per ledger unit.'),
          cap: Text('Cap of deposits, raw units.'),
          enabled: Bool('Whether the vault accepts deposits of the asset.'),
          available: TextOrNull('Raw units that the vault may pay out now; null if unknown.'),
        }),
        'Limits of the asset in the vault; null if unknown, or if the vault is not a contract.',
      ),
    }),
  ),
  vaults: Type.Array(Reading, { description: 'Source and age of the vaults’ limits.' }),
  roots: Type.Array(StoredRoot, { description: 'Newest finality roots that the light client has stored.' }),
  provesFinality: Bool(
    'Whether a proof of a deposit from this chain also shows that its block is final. Otherwise it shows only that the block contains the deposit, and the gateway must have another reason to trust the block.',
  ),
})

export const ChainsAnswer = Type.Object({
  sources: Type.Array(Source),
  ledger: Type.Object({
    id: Text('Chain id.'),
    name: Text('Display name.'),
    domain: TextOrNull('Number of the chain in the bridge’s contracts.'),
    contracts: Type.Record(Type.String(), Type.String(), { description: 'Contracts by role.' }),
    indexed: Type.Object({
      block: Num('Last block indexed.'),
      final: Num('Last irreversible block.'),
      time: Num('Time of the last block indexed, Unix seconds.'),
    }),
    behind: Bool('Whether this instance lags the chain, or the nodes of the chain disagree. Then no route is open.'),
    proved: NumOrNull('Last block whose burns can be proved; null while this instance does not follow finality.'),
  }),
})
export type Source = Static<typeof Source>
export type ChainsAnswer = Static<typeof ChainsAnswer>

const End = Type.Object({
  chain: Text('Id of the source chain.'),
  address: TextOrNull('Account or address of the sender; null if unknown.'),
})
export const Goal = Type.Object({
  chain: Text('Id of the destination chain.'),
  recipient: TextOrNull('Account or address of the recipient; null if unknown.'),
})

export const Journey = Type.Object({
  key: Text('Key of the first leg.'),
  direction: Type.Enum(['hop', 'deposit', 'withdrawal'], {
    description: '`hop`: two legs, joined by the hop contract; `deposit`, `withdrawal`: one leg.',
  }),
  status: Type.Enum([...HOP_STATUSES], { description: 'Status of the journey.' }),
  progress: Type.Object({
    stage: Text('Current step, as text for people.'),
    percent: Num('0 to 100; 100 when the tokens are delivered or returned.'),
    etaSeconds: NumOrNull(
      'Estimated seconds until the tokens arrive; null while the journey waits for an action or takes longer than usual.',
    ),
  }),
  next: OrNull(
    Type.Object({
      actor: Type.Enum(['automatic', 'relayer', 'recipient', 'anyone'], { description: 'Who acts.' }),
      action: TextOrNull('Name of the contract call that the actor makes; null if it is not known or none is needed.'),
      deadline: NumOrNull('Latest time of the action, Unix seconds; null if there is no deadline.'),
    }),
    'Next action; null when the journey has ended.',
  ),
  from: End,
  to: Goal,
  back: OrNull(Goal, 'Where the tokens return if they are not delivered.'),
  deposit: Type.Object({
    symbol: TextOrNull('Symbol of the asset; null if unknown.'),
    amount: Text('Amount in the smallest unit.'),
    precision: NumOrNull('Decimals of the amount; null if unknown.'),
    src_tx: TextOrNull('Source transaction; null if its chain is not indexed.'),
  }),
  src_time: Num('Start of the journey, Unix seconds: the earliest known time.'),
  warnings: Type.Array(Type.String(), { description: 'Problems of the journey, as text for people.' }),
  legs: Type.Array(
    Type.Object({
      key: Text('Key of the leg.'),
      status: Text('Status of the leg.'),
      tx: TextOrNull('Latest transaction of the leg.'),
    }),
  ),
})
export type Journey = Static<typeof Journey>

const Next = NumOrNull('`before` of the next page; null at the end.')

export const JourneysAnswer = Type.Object({ hops: Type.Array(Journey), next: Next })

export const Leg = Type.Object({
  key: Text('Key of the leg.'),
  kind: Type.Enum(['deposit', 'withdrawal']),
  direction: Type.Enum(['deposit', 'withdrawal'], { description: 'To the ledger’s chain, or from it.' }),
  status: Type.Enum([...LEG_STATUSES]),
  domain: Text('Domain of the chain at the other end of the leg.'),
  nonce: TextOrNull('Number of a deposit; null for a withdrawal.'),
  id: TextOrNull('Number of a withdrawal; null for a deposit.'),
  from: End,
  to: Goal,
  sender: TextOrNull('The address of `from`.'),
  recipient: TextOrNull('The recipient of `to`.'),
  symbol: TextOrNull('Symbol of the asset; null if unknown.'),
  amount: Text('Amount in ledger units. For a withdrawal, the fee is included.'),
  precision: NumOrNull('Decimals of the amount; null if unknown.'),
  fee: TextOrNull('Part of the amount that the sender of the release gets, ledger units.'),
  memo: Text('Memo: 0x and hexadecimal digits.'),
  memoText: TextOrNull('Memo as text; null if it is not valid UTF-8.'),
  token: TextOrNull('Token at the other end.'),
  vault: TextOrNull('Vault at the other end.'),
  rawAmount: TextOrNull('For a deposit: amount in raw units of the token on the source chain.'),
  rawPrecision: NumOrNull('Decimals of `rawAmount`.'),
  src_block: NumOrNull('Block of the source transaction.'),
  src_tx: TextOrNull('Source transaction; null if its chain is not indexed.'),
  src_time: Num('Time of the source transaction, Unix seconds; the earliest known time if its chain is not indexed.'),
  dst_tx: TextOrNull('Transaction that caused the status.'),
  dst_time: NumOrNull('Time of that transaction, Unix seconds.'),
  deadline: NumOrNull('For a withdrawal: when it expires, Unix seconds.'),
  refundTo: TextOrNull('Recipient of a refund.'),
  back: TextOrNull('Key of the withdrawal that returns a bounced deposit.'),
  hasProof: Type.Optional(Bool('For a withdrawal: whether its proof is available.')),
})
export type Leg = Static<typeof Leg>

export const LegsAnswer = Type.Object({ transfers: Type.Array(Leg), next: Next })
