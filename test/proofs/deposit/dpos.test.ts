// Proofs of deposits of an Antelope chain before Savanna, heavy and light, across a change of producers.
import t from 'tap'
import type { HeadwaterError } from '../../../core/errors.ts'
import { fromHex, toHex } from '../../../core/hex.ts'
import { type LegacyDepositSource, proveLegacyDeposit } from '../../../proofs/deposit/antelope/dpos.ts'
import { dposDepositProblem, type ScheduleTrust } from '../../../proofs/deposit/antelope/dpos-check.ts'
import type { DepositAction } from '../../../proofs/deposit/json.ts'
import { LegacyChain, scheduleOf } from './legacy-chain.ts'

const GATEWAY = { kind: 'antelope', account: 'gateway.wax', relayer: '' } as const
const FIRST = scheduleOf(1, ['prod.a', 'prod.b', 'prod.c', 'prod.d'])
const SECOND = scheduleOf(2, ['prod.c', 'prod.d', 'prod.e', 'prod.f', 'prod.g'])
const names = (actions: readonly DepositAction[] | undefined) => actions?.map(({ name }) => name)

const prove = (chain: LegacyDepositSource, nonce: bigint, version = 1, proved: readonly number[] = []) =>
  proveLegacyDeposit(chain, nonce, GATEWAY, { version, proved })

async function problemOf(
  chain: LegacyChain,
  nonce: bigint,
  actions: readonly DepositAction[],
  trust: Partial<ScheduleTrust> = {},
) {
  const expected = { gateway: GATEWAY.account, bridge: chain.bridge, nonce, data: (await chain.log(nonce))!.data }
  return dposDepositProblem(actions, { schedules: [FIRST], roots: [], ...trust }, expected)
}

const heavyOf = ({ decoded }: DepositAction) =>
  (decoded.proof as [string, { block: { confirmations: { path: number[] }[] } }])[1].block

t.test('two rounds of producers prove a deposit', async (t) => {
  const chain = new LegacyChain(FIRST)
  chain.idle(37)
  chain.produce([0n, 1n, 2n])
  t.equal(await prove(chain, 0n), null)
  chain.idle(7)
  t.equal(await prove(chain, 0n), null, 'three of four, and one')
  chain.idle(20)
  for (const nonce of [0n, 1n, 2n]) {
    const proof = (await prove(chain, nonce))!
    t.same(names(proof.actions), ['credit'])
    t.equal(heavyOf(proof.actions[0]!).confirmations.length, 4, 'two in each round besides the first')
    t.equal(await problemOf(chain, nonce, proof.actions), null)
  }
  t.equal(await prove(chain, 3n), null, 'no such deposit')
})

t.test('with a root that was proved before, the path to that root suffices', async (t) => {
  const chain = new LegacyChain(FIRST)
  chain.idle(10)
  chain.produce([0n])
  chain.idle(15)
  chain.produce([1n])
  chain.idle(20)
  const proved = (await chain.log(1n))!.blockNum
  for (const nonce of [0n, 1n]) {
    const proof = (await prove(chain, nonce, 1, [proved - 5, proved, proved + 3]))!
    t.match(proof.actions, [{ name: 'credit', decoded: { proof: ['light_proof', {}] } }])
    t.match(await problemOf(chain, nonce, proof.actions), /not trusted/)
  }
  const later = await prove(chain, 1n, 1, [proved - 5])
  t.match(later?.actions[0]?.decoded.proof, ['heavy_proof'], 'a root of an earlier block is of no use')
})

t.test('the block that contains a new schedule hands it over', async (t) => {
  const chain = new LegacyChain(FIRST)
  chain.idle(20)
  chain.produce([], SECOND)
  chain.idle(6)
  chain.produce([0n])
  chain.idle(8)
  chain.activate()
  chain.idle(4)
  chain.produce([1n])
  chain.idle(30)
  for (const nonce of [0n, 1n]) {
    const proof = (await prove(chain, nonce))!
    t.same(names(proof.actions), ['schedule', 'credit'])
    t.match(await problemOf(chain, nonce, proof.actions.slice(1)), /is not known|another signature/)
    t.match(await problemOf(chain, nonce, proof.actions), null)
  }
  const known = (await prove(chain, 1n, 2))!
  t.equal(heavyOf(known.actions[0]!).confirmations.length, 6, 'three of five besides the first, twice')
  t.same(names(known.actions), ['credit'])
})

t.test('the self-check detects any change of an action', async (t) => {
  const chain = new LegacyChain(FIRST)
  chain.idle(11)
  chain.produce([0n, 1n])
  chain.idle(20)
  const proof = (await prove(chain, 1n))!
  const [credit] = proof.actions as [DepositAction]
  for (let at = 8; at < credit.data.length / 2; at += 3) {
    const bytes = fromHex(credit.data)
    bytes[at]! ^= 1 << (at % 8)
    const changed = [{ ...credit, data: toHex(bytes) }]
    if ((await problemOf(chain, 1n, changed)) === null) t.fail(`a change of byte ${at} is not found`)
  }
  t.match(await problemOf(chain, 1n, []), /nothing is credited/)
  t.match(await problemOf(chain, 1n, [credit, credit]), /after the credit/)
  t.match(await problemOf(chain, 1n, [{ ...credit, account: 'other' }]), /an action of other/)
  t.match(await problemOf(chain, 0n, [credit]), /another nonce/)
  t.match(await problemOf(chain, 1n, [credit], { schedules: [] }), /schedule 1 is not known/)
  const strangers = scheduleOf(1, ['prod.a', 'prod.b', 'prod.c'])
  t.match(await problemOf(chain, 1n, [credit], { schedules: [strangers] }), /no producer|another signature/)
})

t.test('an error names missing blocks', async (t) => {
  const chain = new LegacyChain(FIRST)
  chain.idle(5)
  chain.produce([0n])
  chain.idle(20)
  const code = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: HeadwaterError) => error.code,
    )
  const holes: LegacyDepositSource = {
    chain: chain.chain,
    bridge: chain.bridge,
    headers: async () => [],
    ids: (from, to) => chain.ids(from, to),
    nodes: (positions) => chain.nodes(positions),
    schedules: () => chain.schedules(),
    log: (nonce) => chain.log(nonce),
  }
  t.equal(await code(prove(holes, 0n)), 'BLOCK_NOT_STORED')
})
