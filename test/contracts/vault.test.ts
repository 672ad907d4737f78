// Rules of the vault: what it takes, what it refuses, who may do what.

import { MaxUint256, ZeroAddress } from 'ethers'
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

t.test('a native deposit returns what is less than a canonical unit', async (t) => {
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

t.test('what the owner takes out of a configured token counts against its limit', async (t) => {
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
