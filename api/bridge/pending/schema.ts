// Schema of `/pending`.
import { type Static, Type } from 'typebox'
import { Bool, Goal, Num, NumOrNull, OrNull, Text, TextOrNull } from '../schema.ts'
import { CURSOR_FORM, KINDS, MAX_PAGE } from './page.ts'

const ACTIONS = ['release', 'expire', 'credit', 'forward', 'bounce', 'settle', 'refund', 'recover'] as const

export const PendingQuery = Type.Object({
  kind: Type.Optional(
    Type.Enum([...KINDS], {
      description:
        'Only this list: `withdrawal` for `pending`, `deposit` for `deposits`, `settlement` for `settlements`, `hop` for `hops`. The other lists are empty.',
    }),
  ),
  domain: Type.Optional(
    Type.String({
      description:
        'Only entries of this domain: the destination of a withdrawal, the source of a deposit, or the domain to which a journey returns.',
      pattern: '^[0-9]{1,20}$',
      expect: 'the number of a domain',
    }),
  ),
  action: Type.Optional(Type.Enum([...ACTIONS], { description: 'Only entries for which this action can be sent.' })),
  key: Type.Optional(Text('Only the leg or the journey with this key.')),
  limit: Type.Optional(
    Type.Integer({
      description: `Maximum number of entries of each list. Default and maximum ${MAX_PAGE}.`,
      minimum: 0,
      maximum: MAX_PAGE,
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      description: 'Start of a page of one list: a value from `next` of the previous page. The other lists are empty.',
      ...CURSOR_FORM,
    }),
  ),
})

/** Why an entry cannot succeed now. */
const Obstacle = <O extends string>(obstacles: O[], description: string) =>
  OrNull(Type.Enum(obstacles), `Why the action cannot succeed now; null if no reason is known. ${description}`)

const Gas = OrNull(
  Type.Object({
    light: NumOrNull('Gas of `release` or `expire`; null while no stored root covers the burn.'),
    hard: Num('Gas of `submitAndRelease` or `submitAndExpire`, including the hand-offs before it.'),
    handoffs: Num('The part of `hard` for hand-offs: calls of `submitAndLearn`, each in its own transaction.'),
  }),
  'Estimated gas; null if no EVM contract is called.',
)

const Pending = Type.Object({
  key: Text('Key of the withdrawal.'),
  action: Type.Enum(['release', 'expire'], { description: 'Action to send.' }),
  id: Text('Withdrawal id.'),
  domain: Text('Destination domain.'),
  chain: Text('Id of the destination chain.'),
  releaseTo: TextOrNull('Contract to call; null if the relayer pays without a contract.'),
  track: OrNull(Type.Enum(['light', 'hard']), 'Kind of proof to send.'),
  recipient: Text('Recipient of the payout.'),
  token: Text('Token at the destination.'),
  symbol: TextOrNull('Symbol of the asset; null if unknown.'),
  amount: Text('Amount in ledger units, the fee included.'),
  precision: NumOrNull('Decimals of the amount; null if unknown.'),
  fee: Text('Part of the amount that the sender of the release gets, ledger units.'),
  deadline: Num('Unix seconds: after this time the action is `expire`.'),
  estimatedGas: Gas,
  fits: OrNull(
    Type.Boolean(),
    'Whether the vault’s allowance is enough for this withdrawal after all withdrawals before it in the list; null if unknown, and for `expire`.',
  ),
  hasProof: Bool('Whether its proof is available.'),
  src_time: Num('Time of the burn, Unix seconds.'),
  obstacle: Obstacle(
    ['no_account', 'overtaken', 'paused', 'allowance', 'no_proof', 'no_contract'],
    '`no_account`: the recipient does not exist. `overtaken`: a withdrawal that was burned ten minutes later is already paid, so a payout of this one was probably refused. `paused`: the vault refuses payouts. `allowance`: the amount is above the vault’s allowance. `no_proof`: its proof is not available yet. `no_contract`: the contract to call is unknown.',
  ),
})
export type Pending = Static<typeof Pending>

const PendingDeposit = Type.Object({
  key: Text('Key of the deposit.'),
  action: Type.Enum(['credit', 'forward', 'bounce'], { description: 'Action to try first.' }),
  actions: Type.Array(Type.Enum(['credit', 'forward', 'bounce']), {
    description: 'Actions that can be sent now, in the order to try.',
  }),
  contract: TextOrNull('Account on the ledger’s chain that has the action; null if unknown.'),
  domain: Text('Source domain.'),
  nonce: Text('Number of the deposit.'),
  chain: Text('Id of the source chain.'),
  recipient: TextOrNull('Recipient on the ledger’s chain; null if unknown.'),
  symbol: TextOrNull('Symbol of the asset; null if unknown.'),
  amount: Text('Amount in ledger units.'),
  precision: NumOrNull('Decimals of the amount; null if unknown.'),
  src_time: Num('Time of the deposit, Unix seconds.'),
  bounceFrom: NumOrNull('Earliest time of a `bounce`, Unix seconds; null before the deposit is parked.'),
  obstacle: Obstacle(
    ['no_account', 'overtaken', 'no_contract'],
    '`no_account`: the recipient does not exist. `overtaken`: the deposit has waited for ten minutes, and later deposits of its chain are already credited. `no_contract`: the account that credits it is unknown.',
  ),
})
export type PendingDeposit = Static<typeof PendingDeposit>

const Settlement = Type.Object({
  key: Text('Key of the withdrawal.'),
  action: Type.Enum(['settle', 'refund'], {
    description:
      '`settle`: the outcome can be reported to the ledger’s chain. `refund`: the owner can get the tokens back.',
  }),
  contract: TextOrNull('Account on the ledger’s chain: the gateway for `settle`, the bridge for `refund`.'),
  id: Text('Withdrawal id.'),
  domain: Text('Destination domain.'),
  chain: Text('Id of the destination chain.'),
  released: OrNull(Type.Boolean(), 'Whether `settle` reports a release, not an expiry; null for `refund`.'),
  tx: TextOrNull('Final transaction at the destination that proves the outcome; null for `refund`.'),
  owner: TextOrNull('Recipient of the refund.'),
  src_time: Num('Time of the burn, Unix seconds.'),
})
export type Settlement = Static<typeof Settlement>

const PendingHop = Type.Object({
  key: Text('Key of the journey.'),
  action: Type.Enum(['recover']),
  contract: TextOrNull('Account that has the action; null if unknown.'),
  id: Text('Hop id.'),
  back: Goal,
})
export type PendingHop = Static<typeof PendingHop>

export const PendingAnswer = Type.Object({
  pending: Type.Array(Pending, { description: 'Withdrawals that can be released or expired.' }),
  deposits: Type.Array(PendingDeposit, { description: 'Deposits that wait for an action.' }),
  settlements: Type.Array(Settlement, {
    description: 'Withdrawals that have ended at their destination, but not yet on the ledger’s chain.',
  }),
  hops: Type.Array(PendingHop, {
    description: 'Journeys whose tokens came back to the hop contract and wait to be returned.',
  }),
  next: Type.Object(
    {
      pending: TextOrNull('Cursor for `pending`; null at the end.'),
      deposits: TextOrNull('Cursor for `deposits`; null at the end.'),
      settlements: TextOrNull('Cursor for `settlements`; null at the end.'),
      hops: TextOrNull('Cursor for `hops`; null at the end.'),
    },
    { description: '`cursor` of the next page of each list.' },
  ),
})
export type PendingAnswer = Static<typeof PendingAnswer>
