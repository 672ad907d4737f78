// Proofs across changes of the finalizer policy: joint certificates, handovers, light clients with an older policy.
import t from 'tap'
import { submitRootArguments } from '../../proofs/build.ts'
import { certificateVerifier } from '../../proofs/certificates.ts'
import { learnProblem, rootProblem } from '../../proofs/check.ts'
import { handoffsAhead, type Proof, proveWithdrawal } from '../../proofs/prove.ts'
import { EvmSide, rootArguments } from './destination.ts'
import { mutationsOf } from './mutations.ts'
import { LEDGER, Telos } from './telos.ts'

const RECIPIENT = '0x00000000000000000000000000000000000000bb'

const genesis = new Telos([]).chain.genesisPolicy()
const evm = await EvmSide.open(56, genesis)
t.teardown(() => evm.anvil.stop())
const lagging = await EvmSide.onSameNode(evm, genesis)
const telos = new Telos([...evm.routes])
const verify = certificateVerifier()

async function prove(id: bigint, side = evm): Promise<Proof> {
  telos.follow()
  return (await proveWithdrawal({ source: telos.store, verify, ledger: LEDGER }, id, await side.destination()))!
}

const withdraw = (): bigint => telos.withdraw('USDC', 3_000_000n, 56, RECIPIENT)
/** A withdrawal proved under the first policy, with its proof of that time. It is never released. */
let early: { id: bigint; proof: Proof }
const pendingPolicy = ({ proof }: Proof): string => proof.hard.submitRoot.pending.policy

t.test('while a policy is pending, both policies must sign', async (t) => {
  telos.produce({ finalizers: [1, 2, 3, 4, 5, 6] })
  const before = withdraw()
  const id = withdraw()
  telos.idle(2)
  early = { id: before, proof: await prove(before) }
  const { proof } = await prove(id)
  const { submitRoot, release } = proof.hard
  t.equal(submitRoot.finality.activeGeneration, 1)
  t.equal(submitRoot.finality.lastPendingGeneration, 2)
  t.same(proof.hard.handoffs, [])
  t.equal(rootProblem(submitRoot, genesis), null)
  t.equal(await evm.refusal(proof.hard), null)
  for (const { where, value } of mutationsOf(submitRoot.pending, 'pending')) {
    const changed = { ...submitRoot, pending: value }
    t.type(await evm.refusal({ ...proof.hard, submitRoot: changed, release }), 'string', where)
  }
  const alone = { ...submitRoot, pending: { policy: '0x', bits: '0x', signature: '0x' } }
  t.equal(await evm.refusal({ ...proof.hard, submitRoot: alone, release }), 'WrongPendingPolicy')
  const once = { ...submitRoot, pending: { ...submitRoot.pending, signature: submitRoot.signature } }
  t.equal(await evm.refusal({ ...proof.hard, submitRoot: once, release }), 'InvalidSignature')
  t.not(rootProblem(once, genesis), null)
  await evm.submit(proof.hard)
})

t.test('a new active policy must be handed over first', async (t) => {
  telos.idle(3)
  t.equal(await evm.refusal(early.proof.proof.hard), null)
  const id = withdraw()
  telos.idle(2)
  const proof = await prove(id)
  const { hard } = proof.proof
  t.equal(hard.submitRoot.finality.activeGeneration, 2)
  t.equal(pendingPolicy(proof), '0x')
  t.equal(hard.handoffs.length, 1)
  t.equal(await evm.refusal(hard), 'UnknownPolicy')
  const { submitRoot, learn } = hard.handoffs[0]!
  t.equal(submitRoot.finality.activeGeneration, 1)
  t.equal(learnProblem(learn), null)
  t.equal(
    await evm.anvil.refusal(evm.lightClient, 'learn', { ...learn, finalityMroot: learn.actionMroot }),
    'RootNotStored',
  )
  for (const { where, value } of mutationsOf(learn)) {
    t.type(
      textOf(() => learnProblem(value)),
      'string',
      where,
    )
  }
  for (const { where, value } of mutationsOf(learn).filter((_, i) => i % 7 === 0 || i < 24)) {
    const refused = await evm.anvil.refusal(evm.lightClient, 'submitAndLearn', ...rootArguments(submitRoot), value)
    t.type(refused, 'string', where)
  }
  await evm.submit(hard)
  t.equal(Number(await evm.lightClient.getFunction('generation')()), 2)
  t.equal(await evm.refusal(early.proof.proof.hard), 'UnknownPolicy', 'the first policy signs nothing any more')
  const again = ['learn', learn] as const
  t.equal(await evm.anvil.refusal(evm.lightClient, ...again), 'PolicyIsOld')
})

/** An exception counts as a problem too: a changed text may be unreadable. */
function textOf(check: () => string | null): string | null {
  try {
    return check()
  } catch (error) {
    return String(error)
  }
}

t.test('several policies are handed over in order; each destination needs its own handovers', async (t) => {
  telos.produce({ finalizers: [2, 3, 4, 5] })
  telos.idle(8)
  telos.produce({ finalizers: [0, 1, 2, 3, 4, 5, 6, 7, 8] })
  telos.idle(8)
  const id = withdraw()
  telos.idle(2)
  const here = await prove(id)
  t.same(
    here.proof.hard.handoffs.map(({ learn }) => learn.lastPendingGeneration),
    [3, 4],
  )
  await evm.submit(here.proof.hard)
  const there = await prove(id, lagging)
  t.equal((await prove(id)).proof.track, 'light', 'the root is stored here')
  t.equal(there.proof.track, 'hard', 'and not there')
  t.equal(there.proof.hard.handoffs.length, 3)
  for (const { submitRoot, learn } of there.proof.hard.handoffs) {
    await lagging.anvil.send(lagging.lightClient, 'submitAndLearn', ...rootArguments(submitRoot), learn)
  }
  await lagging.anvil.send(lagging.lightClient, 'submitRoot', ...rootArguments(there.proof.hard.submitRoot))
  t.equal((await prove(id, lagging)).proof.track, 'light')
  const proving = { source: telos.store, verify, ledger: LEDGER }
  const ahead = async (newest: number, most?: number) =>
    (await handoffsAhead(proving, { newest, generation: 1 }, most)).map(({ learn }) => learn.lastPendingGeneration)
  t.same([await ahead(1), await ahead(1, 2), await ahead(3), await ahead(4)], [[2, 3, 4], [2, 3], [4], []])
  const first = await prove(early.id, lagging)
  t.equal(first.proof.track, 'light', 'a root covers every block before it')
  t.ok(first.immutable)
})

t.test('the contract refuses a weak certificate too', async (t) => {
  withdraw()
  telos.idle(1)
  telos.produce({ certificate: 'weak' })
  telos.follow()
  const num = telos.chain.head.num
  const { certificate } = telos.read(num, telos.storeAt(num - 1)).tracked
  const block = (await telos.store.block(certificate!.blockNum))!
  const active = (await telos.store.policies()).find(({ policy }) => policy.generation === block.data.activeGeneration)!
  const weak = { block, certificate: certificate!, active, pending: null }
  t.throws(() => submitRootArguments(weak), { code: 'WEAK_CERTIFICATE' })
  const { strong, weak: weakly, signature } = certificate!.active
  const strongOnly = submitRootArguments({
    ...weak,
    certificate: { ...certificate!, active: { strong, weak: null, signature } },
  })
  const all = strong!.map((voted, i) => voted || weakly![i]!)
  const merged = submitRootArguments({
    ...weak,
    certificate: { ...certificate!, active: { strong: all, weak: null, signature } },
  })
  for (const forged of [strongOnly, merged]) {
    t.not(rootProblem(forged, active.policy), null)
    t.match(
      await evm.anvil.refusal(evm.lightClient, 'submitRoot', ...rootArguments(forged)),
      /^(NoQuorum|InvalidSignature)$/,
    )
  }
  telos.idle(3)
})
