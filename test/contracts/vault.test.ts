// Rules of the vault: accepted and refused calls, and the rights of each role.

import { JsonRpcSigner, MaxUint256, ZeroAddress } from 'ethers'
import t from 'tap'
import { makePolicy } from '../../bench/proofs/made-proof.ts'
import { EvmSide, eventsOf } from '../proofs/destination.ts'

const evm = await EvmSide.open(1, makePolicy(1, [1n, 1n, 1n]).since.policy)
t.teardown(() => evm.anvil.stop())
const { anvil, vault, token } = evm
const TELOS_TO = 3773036822876127232n // alice
const REFUND = '0x00000000000000000000000000000000000000dd'
const MEMO = '0x6869'
const refusal = (method: string, ...parameters: unknown[]) => anvil.refusal(vault, method, ...parameters)
const view = (name: string, ...parameters: unknown[]) => vault.getFunction(name)(...parameters)

t.test('an ERC-20 deposit takes whole canonical units and logs them', async (t) => {
  await anvil.send(token, 'approve', vault.target, MaxUint256)
  await anvil.send(vault, 'setAsset', token.target, 1, 10n ** 15n, true, 1_000)
  const before = await token.getFunction('balanceOf')(vault.target)
  const nonce = await view('nonce')
  const sent = await anvil.send(vault, 'deposit', token.target, 5_000, TELOS_TO, REFUND, 0, 0, MEMO)
  t.match(eventsOf(sent, vault), [
    {
      name: 'Deposit',
      args: { amount: 5_000n, canonical: 5_000n, telosTo: TELOS_TO, nonce, memo: MEMO, fillFee: 0n, filler: 0n },
    },
  ])
  t.equal(await view('nonce'), nonce + 1n)
  t.equal((await token.getFunction('balanceOf')(vault.target)) - before, 5_000n)
})

t.test('a native deposit returns the remainder below one canonical unit', async (t) => {
  const before = await anvil.provider.getBalance(vault.target)
  const sent = await anvil.send(vault, 'depositNative', TELOS_TO, REFUND, 0, 0, '0x', { value: 3n * 10n ** 10n + 7n })
  t.match(eventsOf(sent, vault), [{ args: { token: ZeroAddress, amount: 3n * 10n ** 10n, canonical: 3n } }])
  t.equal((await anvil.provider.getBalance(vault.target)) - before, 3n * 10n ** 10n)
})

t.test('deposits are refused for the reasons of the ABI', async (t) => {
  const deposit = (change: {
    token?: unknown
    amount?: unknown
    to?: bigint
    refund?: string
    fee?: bigint
    memo?: string
  }) => {
    const { amount = 5_000, to = TELOS_TO, refund = REFUND, fee = 0n, memo = MEMO } = change
    return refusal('deposit', change.token ?? token.target, amount, to, refund, fee, 0, memo)
  }
  t.equal(await deposit({}), null)
  t.equal(await deposit({ token: ZeroAddress }), 'UseDepositNative')
  t.equal(await deposit({ token: REFUND }), 'AssetDisabled')
  t.equal(await deposit({ amount: 0 }), 'AmountTooSmall')
  t.equal(await deposit({ amount: 999 }), 'BelowMinimum')
  t.equal(await deposit({ amount: 1n << 62n }), 'AmountTooLarge')
  t.equal(await deposit({ to: 0n }), 'ZeroAccount')
  t.equal(await deposit({ refund: ZeroAddress }), 'ZeroRefundAddress')
  t.equal(await deposit({ fee: 5_001n }), 'FillFeeTooLarge')
  t.equal(await deposit({ memo: `0x${'00'.repeat(257)}` }), 'MemoTooLong')
  t.equal(await deposit({ memo: `0x${'00'.repeat(256)}` }), null)
  t.equal(await deposit({ amount: 2n * 10n ** 15n }), 'CapExceeded')
  const undo = await anvil.snapshot()
  await anvil.send(token, 'approve', vault.target, 0)
  t.equal(await deposit({}), 'TransferFailed')
  await anvil.send(vault, 'setPaused', true, false)
  t.equal(await deposit({}), 'DepositsPaused')
  await anvil.send(vault, 'setAsset', token.target, 1, 10n ** 15n, false, 1)
  t.equal(await deposit({}), 'AssetDisabled')
  await undo()
})

t.test('only the owner sets terms, only guardians halt, only the releaser pays out', async (t) => {
  const other = vault.connect(await anvil.provider.getSigner(1)) as typeof vault
  for (const [method, ...parameters] of [
    ['setAsset', token.target, 1, 1, true, 1],
    ['setLimit', token.target, 1],
    ['setReleaser', token.target],
    ['acceptReleaser'],
    ['acceptLimit', token.target],
    ['setGuardian', REFUND, true],
    ['setPaused', true, true],
    ['offerOwnership', REFUND],
    ['rescue', token.target, REFUND, 1],
  ] as const) {
    t.equal(await anvil.refusal(other, method, ...parameters), 'NotOwner', method)
  }
  t.equal(await anvil.refusal(other, 'halt'), 'NotGuardian')
  t.equal(await anvil.refusal(other, 'acceptOwnership'), 'NotPendingOwner')
  t.equal(await refusal('release', 1, token.target, REFUND, 1, REFUND, 0), 'NotReleaser')
  t.equal(await refusal('voidWithdrawal', 1), 'NotReleaser')
  t.equal(await refusal('setAsset', token.target, 2, 1, true, 1), 'ScaleIsImmutable')
  t.equal(await refusal('setAsset', token.target, 0, 1, true, 1), 'ScaleMustBePositive')
  t.equal(await refusal('setAsset', token.target, 1, 1n << 96n, true, 1), 'CapTooLarge')
  t.equal(await refusal('setAsset', REFUND, 1, 1, true, 1), 'NotAContract')
  t.equal(await refusal('setReleaser', REFUND), 'NotAContract')
  t.equal(await refusal('setLimit', REFUND, 1), 'AssetNotConfigured')
  const undo = await anvil.snapshot()
  const address = await (await anvil.provider.getSigner(1)).getAddress()
  await anvil.send(vault, 'setGuardian', address, true)
  await anvil.send(other, 'halt')
  t.ok((await view('depositsPaused')) && (await view('withdrawalsPaused')))
  await anvil.send(vault, 'offerOwnership', address)
  await anvil.send(other, 'acceptOwnership')
  t.equal(await view('owner'), address)
  await undo()
})

t.test('the owner’s withdrawals of a configured token count against its limit', async (t) => {
  const undo = await anvil.snapshot()
  await anvil.send(vault, 'setLimit', token.target, 1_000)
  t.equal(await refusal('rescue', token.target, REFUND, 1_001), 'OutflowLimited')
  await anvil.send(vault, 'rescue', token.target, REFUND, 1_000)
  t.ok((await view('available', token.target)) < 10n)
  const { timestamp } = (await anvil.provider.getBlock('latest'))!
  await anvil.setTime(timestamp + 43_200)
  t.equal(await view('available', token.target), 500n, 'half of it has leaked after half a day')
  await undo()
})

/** Seconds from a proposal until it may be accepted. */
const DELAY = 259_200

/** Unix seconds of the newest block. */
const now = async () => (await anvil.provider.getBlock('latest'))!.timestamp

t.test('the cap counts deposits less payouts, not the vault’s balance', async (t) => {
  const undo = await anvil.snapshot()
  const place = [TELOS_TO, REFUND, 0, 0, MEMO] as const
  const locked = async () => Number(await view('locked', token.target))
  const before = await locked()
  await anvil.send(vault, 'setAsset', token.target, 1, before + 10_000, true, 1)
  await anvil.send(token, 'transfer', vault.target, 10n ** 12n)
  t.equal(await locked(), before, 'a transfer is no deposit')
  t.equal(await refusal('deposit', token.target, 10_001, ...place), 'CapExceeded')
  await anvil.send(vault, 'deposit', token.target, 10_000, ...place)
  t.equal(await locked(), before + 10_000)
  t.equal(await refusal('deposit', token.target, 1, ...place), 'CapExceeded')

  const releaser = evm.withdrawals.target as string
  await anvil.provider.send('anvil_impersonateAccount', [releaser])
  await anvil.provider.send('anvil_setBalance', [releaser, '0xde0b6b3a7640000'])
  const paying = vault.connect(new JsonRpcSigner(anvil.provider, releaser)) as typeof vault
  await anvil.send(paying, 'release', 1, token.target, REFUND, 3_000, releaser, 1_000)
  t.equal(await locked(), before + 6_000, 'a payout and its fee make room')
  t.equal(await refusal('deposit', token.target, 4_001, ...place), 'CapExceeded')
  t.equal(await refusal('deposit', token.target, 4_000, ...place), null)
  await anvil.send(paying, 'release', 2, token.target, REFUND, before + 6_001, releaser, 0)
  t.equal(await locked(), 0, 'a payout from what was never deposited')

  const scale = 10n ** 10n
  const coins = await view('locked', ZeroAddress)
  await anvil.send(vault, 'setAsset', ZeroAddress, scale, coins + 5n * scale, true, 1)
  await anvil.provider.send('anvil_setBalance', [vault.target, '0xd3c21bcecceda1000000'])
  t.equal(await anvil.refusal(vault, 'depositNative', ...place, { value: 5n * scale }), null)
  t.equal(await anvil.refusal(vault, 'depositNative', ...place, { value: 6n * scale }), 'CapExceeded')
  await undo()
})

t.test('the owner takes donated tokens first; deposits that the owner takes no longer count', async (t) => {
  const undo = await anvil.snapshot()
  const other = await anvil.deploy('PlainToken', 'OTHER', 6, 10_000)
  await anvil.send(vault, 'setAsset', other.target, 10, 10_000, true, 1)
  await anvil.send(vault, 'setLimit', other.target, 10_000)
  await anvil.send(other, 'approve', vault.target, MaxUint256)
  await anvil.send(vault, 'deposit', other.target, 3_000, TELOS_TO, REFUND, 0, 0, MEMO)
  await anvil.send(other, 'transfer', vault.target, 1_000)
  await anvil.send(vault, 'rescue', other.target, REFUND, 1_000)
  t.equal(await view('locked', other.target), 3_000n)
  await anvil.send(vault, 'rescue', other.target, REFUND, 15)
  t.equal(await view('locked', other.target), 2_980n, 'whole canonical units')
  await undo()
})

t.test('another releaser acts three days after it was proposed', async (t) => {
  const undo = await anvil.snapshot()
  const [first, next] = [evm.withdrawals.target, token.target]
  t.equal(await view('releaser'), first, 'the first one acted at once')
  t.equal(await refusal('acceptReleaser'), 'NothingProposed')
  const sent = await anvil.send(vault, 'setReleaser', next)
  const readyAt = BigInt((await now()) + DELAY)
  t.match(eventsOf(sent, vault), [{ name: 'ReleaserProposed', args: { releaser: next, readyAt } }])
  t.equal(await view('releaser'), first)
  t.same([...(await view('pendingReleaser'))], [next, readyAt])
  await anvil.setTime(Number(readyAt) - 10)
  t.equal(await refusal('acceptReleaser'), 'TooEarly')
  await anvil.setTime(Number(readyAt))
  const withdrawn = await anvil.snapshot()
  await anvil.send(vault, 'setReleaser', first)
  t.equal(await refusal('acceptReleaser'), 'NothingProposed', 'the present one withdraws the proposal')
  await withdrawn()
  t.match(eventsOf(await anvil.send(vault, 'acceptReleaser'), vault), [
    { name: 'ReleaserSet', args: { releaser: next } },
  ])
  t.equal(await view('releaser'), next)
  t.equal(await refusal('acceptReleaser'), 'NothingProposed')
  await undo()
})

t.test('a higher limit acts three days after it was proposed, a lower one at once', async (t) => {
  const undo = await anvil.snapshot()
  const perPeriod = async () => (await view('limits', token.target)).perPeriod
  await anvil.send(vault, 'setLimit', token.target, 1_000)
  t.equal(await perPeriod(), 1_000n)
  t.equal(await refusal('acceptLimit', token.target), 'NothingProposed')
  const sent = await anvil.send(vault, 'setLimit', token.target, 2_000)
  const readyAt = BigInt((await now()) + DELAY)
  t.match(eventsOf(sent, vault), [{ name: 'LimitProposed', args: { token: token.target, perPeriod: 2_000n, readyAt } }])
  t.equal(await perPeriod(), 1_000n)
  t.equal(await refusal('rescue', token.target, REFUND, 1_001), 'OutflowLimited')
  await anvil.setTime(Number(readyAt) - 10)
  t.equal(await refusal('acceptLimit', token.target), 'TooEarly')
  await anvil.setTime(Number(readyAt))
  const withdrawn = await anvil.snapshot()
  await anvil.send(vault, 'setLimit', token.target, 0)
  t.equal(await refusal('acceptLimit', token.target), 'NothingProposed', 'a lower one withdraws the proposal')
  await anvil.send(vault, 'setLimit', token.target, 1)
  t.equal(await perPeriod(), 0n, 'up from nothing is a proposal, too')
  await withdrawn()
  await anvil.send(vault, 'acceptLimit', token.target)
  t.equal(await perPeriod(), 2_000n)
  await undo()
})
