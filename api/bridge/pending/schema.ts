// Schema of `/pending`.
import { type Static, Type } from 'typebox'
import { Bool, Goal, Num, NumOrNull, OrNull, Text, TextOrNull } from '../schema.ts'
import { CURSOR_FORM, KINDS, MAX_PAGE } from './page.ts'

const ACTIONS = ['release', 'expire', 'credit', 'forward', 'bounce', 'settle', 'refund', 'recover'] as const

export const PendingQuery = Type.Object({
  kind: Type.Optional(
    Type.Enum([...KINDS], {
      description:
        'Only this list: `withdrawal` for `pending`, `deposit` for `deposits`, `settlement` for `settlements`, `hop` for `hops`. The others are empty.',
    }),
  ),
  domain: Type.Optional(
    Type.String({
      description:
        'Only with this domain at the other end: where a withdrawal is paid, a deposit comes from, a journey goes back to.',
      pattern: '^[0-9]{1,20}$',
      expect: 'the number of a domain',
    }),
  ),
  action: Type.Optional(Type.Enum([...ACTIONS], { description: 'Only what this action may be sent for.' })),
  key: Type.Optional(Text('Only this leg, or this journey.')),
  limit: Type.Optional(
    Type.Integer({
      description: `Maximum number of entries of each list. Default and maximum ${MAX_PAGE}.`,
      minimum: 0,
      maximum: MAX_PAGE,
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      description: 'Start of the next page of a list: a member of `next`. The other lists are empty then.',
      ...CURSOR_FORM,
    }),
  ),
})

/** Why an entry cannot succeed now. */
const Obstacle = <O extends string>(obstacles: O[], description: string) =>
  OrNull(
    Type.Enum(obstacles),
    `Why it cannot succeed now, null when nothing is known to stand in its way. ${description}`,
  )

const Gas = OrNull(
  Type.Object({
    light: NumOrNull('`release` or `expire`; null while no stored root covers the burn.'),
    hard: Num('`submitAndRelease` or `submitAndExpire`, and the hand-overs before it.'),
    handoffs: Num(
      'Of `hard`, the hand-overs: calls of `submitAndLearn`, each a transaction of its own; 0 without any.',
    ),
  }),
  'Estimated gas; null where no contract is called.',
)

const Pending = Type.Object({
  key: Text('Key.'),
  action: Type.Enum(['release', 'expire'], { description: 'What is to be sent.' }),
  id: Text('Withdrawal id.'),
  domain: Text('Destination domain.'),
  chain: Text('Destination.'),
  releaseTo: TextOrNull('Contract to call; null where the relayer pays.'),
  track: OrNull(Type.Enum(['light', 'hard']), 'Which proof to send.'),
  recipient: Text('Who is paid.'),
  token: Text('Token at the destination.'),
  symbol: TextOrNull('Asset.'),
  amount: Text('Ledger units, the fee included.'),
  precision: NumOrNull('Decimals.'),
  fee: Text('Part of the amount that its sender gets.'),
  deadline: Num('After it, `expire` is right.'),
  estimatedGas: Gas,
  fits: OrNull(
    Type.Boolean(),
    'Whether what those before it in the list leave of the vault’s allowance is enough now; null when unknown, or for `expire`.',
  ),
  hasProof: Bool('Whether its proof can be had.'),
  src_time: Num('Time of the burn.'),
  obstacle: Obstacle(
    ['no_account', 'overtaken', 'paused', 'allowance', 'no_proof', 'no_contract'],
    '`no_account`: the recipient does not exist. `overtaken`: burned ten minutes before one that was paid or released; so it was probably refused. `paused`, `allowance`: the vault pays nothing, or not so much. `no_proof`: there is none yet. `no_contract`: it is not known which contract to call.',
  ),
})
export type Pending = Static<typeof Pending>

const PendingDeposit = Type.Object({
  key: Text('Key.'),
  action: Type.Enum(['credit', 'forward', 'bounce'], { description: 'What to try first.' }),
  actions: Type.Array(Type.Enum(['credit', 'forward', 'bounce']), {
    description: 'What may be sent now, in the order to try.',
  }),
  contract: TextOrNull('Account of the action on the ledger’s chain.'),
  domain: Text('Source domain.'),
  nonce: Text('Nonce.'),
  chain: Text('Source.'),
  recipient: TextOrNull('Receiver on the ledger’s chain.'),
  symbol: TextOrNull('Asset.'),
  amount: Text('Ledger units.'),
  precision: NumOrNull('Decimals.'),
  src_time: Num('When it was deposited.'),
  bounceFrom: NumOrNull('From when on it may bounce; null before it arrives.'),
  obstacle: Obstacle(
    ['no_account', 'overtaken', 'no_contract'],
    '`no_account`: the recipient does not exist. `overtaken`: it has waited for ten minutes, and later ones of its chain got through. `no_contract`: it is not known which account takes it.',
  ),
})
export type PendingDeposit = Static<typeof PendingDeposit>

const Settlement = Type.Object({
  key: Text('Key.'),
  action: Type.Enum(['settle', 'refund'], {
    description: '`settle`: the outcome can be reported to the ledger. `refund`: its owner can take it back.',
  }),
  contract: TextOrNull('Account on the ledger’s chain: the gateway for `settle`, the bridge for `refund`.'),
  id: Text('Withdrawal id.'),
  domain: Text('Destination domain.'),
  chain: Text('Destination.'),
  released: OrNull(Type.Boolean(), 'What `settle` says; null for `refund`.'),
  tx: TextOrNull('The final transaction at the destination that shows it; null for `refund`.'),
  owner: TextOrNull('Who gets a refund.'),
  src_time: Num('Time of the burn.'),
})
export type Settlement = Static<typeof Settlement>

const PendingHop = Type.Object({
  key: Text('Key of the journey.'),
  action: Type.Enum(['recover']),
  contract: TextOrNull('Account of the action.'),
  id: Text('Hop id.'),
  back: Goal,
})
export type PendingHop = Static<typeof PendingHop>

export const PendingAnswer = Type.Object({
  pending: Type.Array(Pending, { description: 'Withdrawals that are ready to settle.' }),
  deposits: Type.Array(PendingDeposit, { description: 'Deposits that wait for an action.' }),
  settlements: Type.Array(Settlement, {
    description: 'Withdrawals that have ended at their destination and not on the ledger.',
  }),
  hops: Type.Array(PendingHop, { description: 'Journeys that came back and wait to be sent on.' }),
  next: Type.Object(
    {
      pending: TextOrNull('Of `pending`.'),
      deposits: TextOrNull('Of `deposits`.'),
      settlements: TextOrNull('Of `settlements`.'),
      hops: TextOrNull('Of `hops`.'),
    },
    { description: '`cursor` of the next page of each list; null at its end.' },
  ),
})
export type PendingAnswer = Static<typeof PendingAnswer>
