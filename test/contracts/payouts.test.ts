// Cost of a payout, and which payouts count as paid: recipients and tokens that burn gas, return long data, move
// nothing, or keep a part.

import { setTimeout } from 'node:timers/promises'
import { JsonRpcSigner, type Signer, ZeroAddress } from 'ethers'
import t from 'tap'
import { addressOf, makePolicy, makeProof } from '../../bench/proofs/made-proof.ts'
import type { ReleaseArguments } from '../../proofs/json.ts'
import { EvmSide, rootArguments } from '../proofs/destination.ts'
import { START } from '../proofs/telos.ts'

const active = makePolicy(1, [1n])
const evm = await EvmSide.open(1, active.since.policy)
t.teardown(() => evm.anvil.stop())
const { anvil, vault, withdrawals, lightClient } = evm
const { provider, sender } = anvil
const hostile = await anvil.deploy('HostileToken', 10n ** 12n)
await anvil.send(vault, 'setAsset', hostile.target, 1, 10n ** 12n, true, 1)
await anvil.send(vault, 'setLimit', hostile.target, 10n ** 12n)
const REFUND = '0x00000000000000000000000000000000000000dd'
const deposit = (amount: number) => [hostile.target, amount, 1, REFUND, 0, 0, '0x'] as const
await anvil.send(vault, 'deposit', ...deposit(1_000_000))

/** Modes of `HostileToken`. */
const MODE = { honest: 0, nothing: 1, empty: 2, feeOfReceiver: 3, feeOfSender: 4, bomb: 5, burner: 6, liar: 7, hook: 8 }

/** Code of recipients, in EVM instructions. */
const CODE = {
  /** Loops until less than 5,000 gas is left, then accepts. */
  burner: '0x5b5a61138810600057' + '00',
  /** Loops for ever. */
  endless: '0x5b600056',
  /** Returns a megabyte of zeros: 2.1 million gas for its memory. */
  bomb: '0x621000005ff3',
  /** Returns 128 kB, for 45,000 gas. */
  smallBomb: '0x620200005ff3',
  /** Reverts with 128 kB. */
  refusingBomb: '0x620200005ffd',
  /** Loops 7,700 times, for 200,000 gas, then accepts. */
  heavy: '0x62001e145b6001900380600457' + '00',
  /** A log with an empty topic, as a wallet contract writes on receipt. */
  wallet: '0x5f5f5fa1' + '00',
}

let nextId = 1
/** A release by a light proof: 4,000 units, fee 1,000. */
async function burned(token: string, recipient: string): Promise<ReleaseArguments> {
  const { submitRoot, release } = makeProof({
    withdrawal: {
      id: BigInt(nextId++ * 128),
      domain: 1n,
      vault: addressOf(vault.target as string),
      token: addressOf(token),
      recipient: addressOf(recipient),
      amount: 5_000n,
      deadline: BigInt(START / 1000 + 7 * 86_400),
      fee: 1_000n,
      memo: new Uint8Array(),
    },
    actionDepth: 6,
    treeDepth: 26,
    active,
    pending: null,
    votes: () => true,
  })
  await anvil.send(lightClient, 'submitRoot', ...rootArguments(submitRoot))
  return release
}

let nextRecipient = 0xabc000
async function recipientOf(code: string): Promise<string> {
  const address = `0x${(nextRecipient++).toString(16).padStart(40, '1')}`
  await provider.send('anvil_setCode', [address, code])
  return address
}

/** Sends a release, by default with much more gas than its limit. */
async function release(
  proof: ReleaseArguments,
  from: Signer = sender,
  gasLimit = 10_000_000n,
): Promise<{ paid: boolean; gas: bigint }> {
  const request = await withdrawals.getFunction('release').populateTransaction(proof)
  const { hash } = await from.sendTransaction({ ...request, gasLimit })
  // The provider's own wait needs new blocks, and there are none after a restored snapshot.
  let receipt = await provider.getTransactionReceipt(hash)
  for (; receipt === null; receipt = await provider.getTransactionReceipt(hash)) await setTimeout(5)
  const { status, gasUsed } = receipt
  t.equal(await vault.getFunction('released')(proof.id), status === 1)
  return { paid: status === 1, gas: gasUsed }
}

/** Sends a transaction from a contract's address. */
async function as(address: string): Promise<Signer> {
  await provider.send('anvil_impersonateAccount', [address])
  await provider.send('anvil_setBalance', [address, '0xde0b6b3a7640000'])
  return new JsonRpcSigner(provider, address)
}

t.test('a recipient of the coin cannot make a release cost more than 240,000 gas', async (t) => {
  const ordinary = await release(await burned(ZeroAddress, await recipientOf('0x')))
  t.ok(ordinary.paid && ordinary.gas < 160_000n, `${ordinary.gas} for an account without a balance`)
  for (const [name, isPaid] of [
    ['burner', true],
    ['endless', false],
    ['bomb', false],
    ['smallBomb', true],
    ['refusingBomb', false],
    ['heavy', false],
    ['wallet', true],
  ] as const) {
    const recipient = await recipientOf(CODE[name])
    const proof = await burned(ZeroAddress, recipient)
    const { paid, gas } = await release(proof)
    t.equal(paid, isPaid, name)
    t.ok(gas < 240_000n, `${gas} for ${name}`)
    t.equal(await provider.getBalance(recipient), isPaid ? 4_000n * 10n ** 10n : 0n)
    if (!isPaid) t.equal(await anvil.refusal(withdrawals, 'release', proof), 'NativeSendFailed')
  }
})

t.test('a recipient that needs more gas sends the release itself, or is refunded after the deadline', async (t) => {
  const recipient = await recipientOf(CODE.heavy)
  const proof = await burned(ZeroAddress, recipient)
  t.notOk((await release(proof)).paid)
  const undo = await anvil.snapshot()
  const self = await release(proof, await as(recipient))
  t.ok(self.paid && self.gas > 300_000n, `${self.gas}`)
  await undo()
  const again = await anvil.snapshot()
  await anvil.setTime(Number(proof.deadline) + 1)
  await anvil.send(withdrawals, 'expire', proof)
  t.notOk(await vault.getFunction('released')(proof.id))
  t.equal(await anvil.refusal(withdrawals, 'expire', proof), 'AlreadySettled')
  await again()
})

t.test('too low a gas limit fails the release, not only the payment', async (t) => {
  const recipient = await recipientOf(CODE.wallet)
  const proof = await burned(ZeroAddress, recipient)
  const undo = await anvil.snapshot()
  const { gas } = await release(proof)
  await undo()
  for (const less of [30_000n, 20_000n, 10_000n, 5_000n, 1_000n]) {
    const { paid } = await release(proof, sender, gas - less)
    t.notOk(paid, `${less} less`)
    t.equal(await provider.getBalance(recipient), 0n)
  }
  t.ok((await release(proof, sender, gas * 2n)).paid)
})

t.test('a withdrawal of a token counts as paid only when all of it has arrived', async (t) => {
  const held = () => hostile.getFunction('balanceOf')(vault.target)
  const recipient = await recipientOf('0x')
  const proof = await burned(hostile.target as string, recipient)
  for (const mode of ['nothing', 'empty', 'feeOfReceiver', 'feeOfSender', 'bomb', 'burner', 'liar'] as const) {
    const undo = await anvil.snapshot()
    await anvil.send(hostile, 'setMode', MODE[mode])
    const before = await held()
    t.equal(await anvil.refusal(withdrawals, 'release', proof), 'TransferFailed', mode)
    const { paid, gas } = await release(proof)
    t.notOk(paid)
    t.ok(gas < 450_000n, `${gas} for ${mode}`)
    t.equal(await held(), before)
    await undo()
  }
  const before = await held()
  t.ok((await release(proof)).paid, 'the same withdrawal, when the token behaves')
  t.equal(await hostile.getFunction('balanceOf')(recipient), 4_000n)
  t.equal(before - (await held()), 5_000n)
  const toVault = await burned(hostile.target as string, vault.target as string)
  t.equal(await anvil.refusal(withdrawals, 'release', toVault), 'TransferFailed', 'the vault cannot be paid')
})

t.test('a recipient that a token calls cannot make a release cost more than 450,000 gas', async (t) => {
  await anvil.send(hostile, 'setMode', MODE.hook)
  for (const [name, isPaid] of [
    ['burner', true],
    ['endless', false],
    ['bomb', false],
    ['smallBomb', true],
    ['refusingBomb', false],
  ] as const) {
    const { paid, gas } = await release(await burned(hostile.target as string, await recipientOf(CODE[name])))
    t.equal(paid, isPaid, name)
    t.ok(gas < 450_000n, `${gas} for ${name}`)
  }
  await anvil.send(hostile, 'setMode', MODE.honest)
})

t.test('a deposit of a token counts only when all of it has arrived', async (t) => {
  for (const mode of ['nothing', 'empty', 'feeOfReceiver', 'liar'] as const) {
    const undo = await anvil.snapshot()
    await anvil.send(hostile, 'setMode', MODE[mode])
    t.equal(await anvil.refusal(vault, 'deposit', ...deposit(5_000)), 'TransferFailed', mode)
    await undo()
  }
  t.equal(await anvil.refusal(vault, 'deposit', ...deposit(5_000)), null)
})

t.test('a token that the owner takes out must have left the vault', async (t) => {
  const other = await anvil.deploy('HostileToken', 10_000)
  await anvil.send(other, 'transfer', vault.target, 10_000)
  for (const [mode, refusal] of [
    ['nothing', 'TransferFailed'],
    ['empty', 'TransferFailed'],
    ['feeOfReceiver', null],
    ['honest', null],
  ] as const) {
    await anvil.send(other, 'setMode', MODE[mode])
    t.equal(await anvil.refusal(vault, 'rescue', other.target, REFUND, 5_000), refusal, mode)
  }
})
