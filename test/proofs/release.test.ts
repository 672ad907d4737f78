// Proofs of withdrawals on a simulated ledger, accepted and refused by the contracts on a real EVM.
import t from 'tap'
import { certificateVerifier } from '../../proofs/certificates.ts'
import { releaseProblem, rootProblem } from '../../proofs/check.ts'
import type { HardProof } from '../../proofs/json.ts'
import { type Proof, proveWithdrawal } from '../../proofs/prove.ts'
import { EvmSide, eventsOf, rootArguments } from './destination.ts'
import { mutationsOf } from './mutations.ts'
import { addressBytes, LEDGER, Telos } from './telos.ts'

const RECIPIENT = '0x00000000000000000000000000000000000000AA'
const WEEK = 7 * 86_400

const evm = await EvmSide.open(1, new Telos([]).chain.genesisPolicy())
t.teardown(() => evm.anvil.stop())
const telos = new Telos(evm.routes)
const verify = certificateVerifier()

async function prove(id: bigint): Promise<Proof | null> {
  telos.follow()
  return proveWithdrawal({ source: telos.store, verify, ledger: LEDGER }, id, await evm.destination())
}

/** A burned withdrawal in a final block, with its proof. */
async function proven(amount = 5_000_000n, fee = 0n, memo = ''): Promise<{ id: bigint; proof: Proof }> {
  const id = telos.withdraw('USDC', amount, 1, RECIPIENT, fee, memo)
  telos.idle(2)
  return { id, proof: (await prove(id))! }
}

const held = (address: string): Promise<bigint> => evm.token.getFunction('balanceOf')(address)
const light = ({ proof }: Proof) => [proof.light!.release]

t.test('there is no proof before a strong certificate covers the burn', async (t) => {
  t.equal(await prove(99n), null, 'no such withdrawal')
  const id = telos.withdraw('USDC', 5_000_000n, 1, RECIPIENT)
  t.equal(await prove(id), null)
  telos.idle(1)
  t.equal(await prove(id), null, 'claimed, and not certified')
  telos.idle(1)
  t.equal((await prove(id))?.proof.track, 'hard')
})

t.test('a hard proof releases, pays the fee to the sender, and makes later proofs of that root light', async (t) => {
  const before = telos.withdraw('USDC', 7_000_000n, 1, RECIPIENT)
  const { id, proof } = await proven(5_000_000n, 1_000n, 'for you')
  t.equal(proof.proof.track, 'hard')
  t.equal(proof.proof.light, null)
  t.notOk(proof.immutable)
  t.same(proof.proof.hard.handoffs, [])
  const sender = await evm.anvil.sender.getAddress()
  const [had, senderHad] = await Promise.all([held(RECIPIENT), held(sender)])
  const sent = await evm.submit(proof.proof.hard)
  t.equal((await held(RECIPIENT)) - had, 4_999_000n)
  t.equal((await held(sender)) - senderHad, 1_000n)
  const memo = `0x${Buffer.from('for you').toString('hex')}`
  t.match(eventsOf(sent, evm.withdrawals), [
    { name: 'Released', args: { id, to: RECIPIENT, amount: 5_000_000n, memo } },
  ])
  t.match(eventsOf(sent, evm.vault), [
    { name: 'Released', args: { id, to: RECIPIENT, amount: 4_999_000n, feeTo: sender, fee: 1_000n } },
  ])
  t.equal(await evm.refusal(proof.proof.hard), 'AlreadySettled', 'once')
  t.ok(await evm.vault.getFunction('released')(id))

  const again = (await prove(before))!
  t.equal(again.proof.track, 'light')
  t.ok(again.immutable)
  t.equal(await evm.refusal(again.proof.hard), null, 'the hard one would do too')
  const { receipt } = await evm.anvil.send(evm.withdrawals, 'release', ...light(again))
  t.equal(receipt.status, 1)
  t.equal(await evm.anvil.refusal(evm.withdrawals, 'release', ...light(again)), 'AlreadySettled')
  telos.idle(3)
  t.same((await prove(before))!.proof, again.proof, 'stays the same while the chain goes on')
})

t.test('the native coin is released in its own decimals', async (t) => {
  const id = telos.withdraw('ETH', 150_000_000n, 1, RECIPIENT)
  telos.idle(2)
  const { provider } = evm.anvil
  const had = await provider.getBalance(RECIPIENT)
  await evm.submit((await prove(id))!.proof.hard)
  t.equal((await provider.getBalance(RECIPIENT)) - had, 1_500_000_000_000_000_000n)
})

t.test('a proof with any changed member is refused by the contracts and by the self-check', async (t) => {
  telos.withdrawAll(
    Array.from({ length: 5 }, () => ({ symbol: 'USDC', amount: 2_000_000n, domain: 1, recipient: RECIPIENT })),
  )
  const { proof } = await proven(5_000_000n, 1_000n, 'memo')
  const { hard } = proof.proof
  t.equal(await evm.refusal(hard), null)
  const expected = {
    ledger: LEDGER,
    vault: addressBytes(evm.vault.target as string),
    root: addressBytes(hard.release.finalityMroot),
  }
  const active = telos.chain.genesisPolicy()
  t.equal(releaseProblem(hard.release, expected), null)
  t.equal(rootProblem(hard.submitRoot, active), null)
  const { submitRoot, release } = hard
  const mutations = mutationsOf({ submitRoot, release })
  t.ok(mutations.length > 80)
  for (const { where, value } of mutations) {
    t.type(await evm.refusal({ ...hard, ...value }), 'string', where)
    if (where.startsWith('release'))
      t.type(
        problem(() => releaseProblem(value.release, expected)),
        'string',
        where,
      )
    else
      t.type(
        problem(() => rootProblem(value.submitRoot, active)),
        'string',
        where,
      )
  }
})

/** An exception counts as a problem too: a changed text may be unreadable. */
function problem(check: () => string | null): string | null {
  try {
    return check()
  } catch (error) {
    return String(error)
  }
}

t.test('the self-check names each reason of a refusal', async (t) => {
  const { proof } = await proven()
  const { hard } = proof.proof
  const refusal = (change: Partial<HardProof['release']>) =>
    evm.refusal({ ...hard, release: { ...hard.release, ...change } })
  t.equal(await refusal({ domain: '56' }), 'WrongDomain')
  t.equal(await refusal({ amount: '5000001' }), 'ActionNotInBlock')
  t.equal(await refusal({ blockNum: 1 }), 'BlockNotInRoot')
  t.equal(await refusal({ treePath: (1n << 70n).toString() }), 'BranchTooLong')
  t.equal(await refusal({ deadline: '1' }), 'PastDeadline')
  t.equal(await evm.anvil.refusal(evm.withdrawals, 'release', hard.release), 'UntrustedRoot')
  t.equal(await evm.refusal(hard, 'submitAndExpire'), 'BeforeDeadline')
})

t.test('a release over the daily allowance consumes nothing and works later', async (t) => {
  const undo = await evm.anvil.snapshot()
  await evm.anvil.send(evm.vault, 'setLimit', evm.token.target, 6_000_000n)
  const [first, second] = [await proven(4_000_000n), await proven(5_000_000n)]
  // Earlier releases use the same allowance: wait until it has fully recovered.
  const { timestamp } = (await evm.anvil.provider.getBlock('latest'))!
  await evm.anvil.setTime(timestamp + 86_400)
  t.equal(await evm.vault.getFunction('available')(evm.token.target), 6_000_000n)
  await evm.submit(first.proof.proof.hard)
  t.equal(await evm.refusal(second.proof.proof.hard), 'OutflowLimited')
  await evm.anvil.setTime(timestamp + 86_400 + 21_600)
  t.equal(await evm.refusal(second.proof.proof.hard), 'OutflowLimited', 'a quarter of it is back')
  await evm.anvil.setTime(timestamp + 86_400 + 43_500)
  await evm.submit(second.proof.proof.hard)
  await undo()
})

t.test('after its deadline a withdrawal is voided and cannot be released', async (t) => {
  const { id, proof } = await proven()
  const { id: other, proof: lightOne } = await proven()
  const undo = await evm.anvil.snapshot()
  const { deadline } = proof.proof.hard.release
  t.equal(Number(deadline), Math.floor(blockTime(proof)) + WEEK)
  await evm.anvil.setTime(Number(deadline) + 10)
  t.equal(await evm.refusal(proof.proof.hard), 'PastDeadline')
  const sent = await evm.submit(proof.proof.hard, 'submitAndExpire')
  t.match(eventsOf(sent, evm.withdrawals), [{ name: 'Expired', args: { id } }])
  t.match(eventsOf(sent, evm.vault), [{ name: 'Voided', args: { id } }])
  t.notOk(await evm.vault.getFunction('released')(id))
  t.equal(await evm.refusal(proof.proof.hard, 'submitAndExpire'), 'AlreadySettled')
  await evm.anvil.send(evm.lightClient, 'submitRoot', ...rootArguments(lightOne.proof.hard.submitRoot))
  const now = (await prove(other))!.proof.light!
  t.equal(await evm.anvil.refusal(evm.withdrawals, 'expire', now.release), null, 'also by a light proof')
  await undo()
})

/** Unix seconds. */
const blockTime = ({ proof }: Proof): number => (946_684_800_000 + proof.hard.release.timestamp * 500) / 1000

t.test('a weak certificate proves nothing', async (t) => {
  const id = telos.withdraw('USDC', 5_000_000n, 1, RECIPIENT)
  telos.idle(1)
  telos.produce({ certificate: 'weak' })
  t.equal(await prove(id), null, 'the block that covers it has a weak certificate')
  telos.produce({ certificate: 'none' })
  telos.produce({ certificate: 'none' })
  t.equal(await prove(id), null)
  telos.idle(2)
  t.equal((await prove(id))?.proof.hard.submitRoot.pending.policy, '0x')
  await evm.submit((await prove(id))!.proof.hard)
})
