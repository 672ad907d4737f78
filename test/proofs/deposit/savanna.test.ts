// Proofs of deposits of an Antelope chain under Savanna, across changes of its finalizers.
import t from 'tap'
import type { HeadwaterError } from '../../../core/errors.ts'
import type { SavannaProof } from '../../../core/finality/light-client.ts'
import { fromHex, toHex } from '../../../core/hex.ts'
import { gatewayAbi } from '../../../proofs/deposit/abi.ts'
import { type PolicyTrust, savannaDepositProblem } from '../../../proofs/deposit/antelope/check.ts'
import { proveSavannaDeposit, type SavannaKnowledge } from '../../../proofs/deposit/antelope/savanna.ts'
import type { DepositAction } from '../../../proofs/deposit/json.ts'
import { WaxChain } from './wax-chain.ts'

const GATEWAY = { kind: 'antelope', account: 'gateway.wax', relayer: '' } as const
const NOTHING: SavannaKnowledge = { since: null, roots: [] }
const prove = (chain: WaxChain, nonce: bigint, knowledge = NOTHING) =>
  proveSavannaDeposit(chain, nonce, GATEWAY, knowledge)
const names = (actions: readonly DepositAction[] | undefined) => actions?.map(({ name }) => name)

/** The proof inside a credit action. */
function creditOf(actions: readonly DepositAction[]): SavannaProof {
  const { proof } = gatewayAbi('antelope').decodeAction('credit', fromHex(actions.at(-1)!.data))
  return (gatewayAbi('antelope').decode('deposit_proof', proof as Uint8Array) as [string, SavannaProof])[1]
}

t.test('a deposit is proved two blocks later', async (t) => {
  const chain = new WaxChain()
  chain.idle(3)
  chain.deposit(100n, 200n, 300n)
  t.equal(await prove(chain, 1n), null)
  chain.idle(1)
  t.equal(await prove(chain, 1n), null)
  chain.idle(1)
  for (const nonce of [0n, 1n, 2n]) {
    const proof = (await prove(chain, nonce))!
    t.same(names(proof.actions), ['submitroot', 'credit'])
    t.match(proof.actions[1], {
      account: 'gateway.wax',
      authorization: [],
      decoded: { nonce: `${nonce}`, relayer: '' },
    })
    t.equal(proof.immutable, false)
    t.equal(creditOf(proof.actions).blockNum, chain.blocks.head.num - 2)
  }
  t.equal(await prove(chain, 3n), null, 'no such deposit')
})

t.test('a root that the gateway trusts suffices, then and later', async (t) => {
  const chain = new WaxChain()
  chain.idle(3)
  chain.deposit(1n)
  chain.deposit(2n)
  chain.idle(2)
  const hard = (await prove(chain, 1n))!
  const { finalityMroot: root, blockNum } = creditOf(hard.actions)
  const knowledge = { since: blockNum, roots: [{ root, blockNum }] }
  const first = await prove(chain, 0n, knowledge)
  t.same(names(first?.actions), ['credit'])
  t.equal(first?.immutable, true)
  chain.deposit(3n)
  chain.idle(3)
  const later = creditOf((await prove(chain, 2n))!.actions)
  const more = {
    since: later.blockNum,
    roots: [...knowledge.roots, { root: later.finalityMroot, blockNum: later.blockNum }],
  }
  t.same(await prove(chain, 0n, more), first, 'others that come do not change it')
  t.same(names((await prove(chain, 2n, more))?.actions), ['credit'])
  t.same(names((await prove(chain, 2n, knowledge))?.actions), ['submitroot', 'credit'], 'the root is too old')
  const strange = { since: blockNum, roots: [{ root: '11'.repeat(32), blockNum }] }
  t.same(names((await prove(chain, 0n, strange))?.actions), ['submitroot', 'credit'], 'a root of another branch')
})

t.test('handovers of policies that the gateway may lack come first', async (t) => {
  const chain = new WaxChain()
  chain.deposit(1n)
  chain.idle(3)
  const { blockNum: since } = creditOf((await prove(chain, 0n))!.actions)
  for (const finalizers of [
    [1, 2, 3, 4, 5],
    [5, 6, 7, 8],
  ]) {
    chain.produce({ finalizers })
    chain.idle(7)
  }
  chain.deposit(2n)
  chain.idle(3)
  const proof = (await prove(chain, 1n, { since, roots: [] }))!
  t.same(names(proof.actions), ['learn', 'learn', 'submitroot', 'credit'])
  const policies = await chain.source.policies()
  const trusting = (generation: number): PolicyTrust => ({
    roots: [],
    policies: policies.map(({ policy }) => policy).filter((policy) => policy.generation === generation),
  })
  const data = (await chain.log(1n))!.data
  const expected = { gateway: GATEWAY.account, bridge: chain.bridge, nonce: 1n, data }
  t.equal(savannaDepositProblem(proof.actions, trusting(1), expected), null)
  t.match(savannaDepositProblem(proof.actions.slice(1), trusting(1), expected), /policy 2 is not known/)
  t.match(savannaDepositProblem(proof.actions, trusting(3), expected), /policy 1 is not known/)
})

t.test('while a policy is pending, both policies sign', async (t) => {
  const chain = new WaxChain()
  chain.idle(3)
  chain.produce({ finalizers: [2, 3, 4, 5, 6] })
  chain.deposit(1n)
  chain.idle(2)
  const proof = (await prove(chain, 0n))!
  t.same(names(proof.actions), ['submitroot', 'credit'])
  const [submit] = proof.actions as [DepositAction]
  t.match(submit.decoded, { root: { pending: { policy: /^02000000/ } } })
})

t.test('the self-check detects any change of an action', async (t) => {
  const chain = new WaxChain()
  chain.deposit(1n, 5n)
  chain.idle(2)
  chain.produce({ finalizers: [1, 2, 3, 4, 5] })
  chain.idle(7)
  chain.deposit(2n)
  chain.idle(3)
  const proof = (await prove(chain, 2n, { since: (await chain.log(0n))!.blockNum, roots: [] }))!
  t.same(names(proof.actions), ['learn', 'submitroot', 'credit'])
  const [first] = await chain.source.policies()
  const expected = { gateway: GATEWAY.account, bridge: chain.bridge, nonce: 2n, data: (await chain.log(2n))!.data }
  const problem = (actions: readonly DepositAction[], other = {}) =>
    savannaDepositProblem(actions, { roots: [], policies: [first!.policy] }, { ...expected, ...other })
  t.equal(problem(proof.actions), null)
  let tried = 0
  for (const [place, action] of proof.actions.entries()) {
    for (let at = 8; at < action.data.length / 2; at += 11, tried++) {
      const bytes = fromHex(action.data)
      bytes[at]! ^= 1 << (at % 8)
      const changed = proof.actions.with(place, { ...action, data: toHex(bytes) })
      if (problem(changed) === null) t.fail(`${action.name}: a change of byte ${at} is not found`)
    }
  }
  t.ok(tried > 150, `${tried} changes`)
  const [learn, submit, credit] = proof.actions as [DepositAction, DepositAction, DepositAction]
  t.match(problem([learn, credit]), /not trusted/)
  t.match(problem([learn, submit]), /nothing is credited/)
  t.match(problem([learn, submit, credit, credit]), /after the credit/)
  t.match(problem([learn, submit, { ...credit, account: 'other' }]), /an action of other/)
  t.match(problem(proof.actions, { nonce: 1n }), /another nonce/)
  t.match(problem(proof.actions, { bridge: 'other' }), /not in the block/)
  t.match(problem(proof.actions, { data: (await chain.log(1n))!.data }), /another deposit/)
})

t.test('an invalid certificate is refused', async (t) => {
  const chain = new WaxChain()
  chain.deposit(1n)
  chain.idle(4)
  const lying = {
    chain: 'wax',
    bridge: chain.bridge,
    source: chain.source,
    verify: async () => false,
    log: (n: bigint) => chain.log(n),
  }
  const error = await proveSavannaDeposit(lying, 0n, GATEWAY, NOTHING).catch((e: HeadwaterError) => e)
  t.match(error, { code: 'CERTIFICATE_INVALID', place: { chain: 'wax' } })
})
