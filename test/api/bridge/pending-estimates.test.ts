// Estimates for pending work: gas of all transactions needed, an allowance shared by several withdrawals, and no time
// for legs that nothing can advance.
import t from 'tap'
import { estimateGas } from '../../../api/bridge/gas.ts'
import { packFinalizerPolicy } from '../../../core/finality/finalizer-policy.ts'
import { certificateVerifier } from '../../../proofs/certificates.ts'
import { proveWithdrawal } from '../../../proofs/prove.ts'
import { EvmSide, rootArguments } from '../../proofs/destination.ts'
import { LEDGER, Telos } from '../../proofs/telos.ts'
import {
  ADDRESS,
  arrival,
  BASE,
  bridgeApi,
  HOUR,
  LIGHT_CLIENT,
  MINUTE,
  openScene,
  PROVED,
  provenBurn,
  raw,
  type Scene,
  text,
  USDC,
  VAULT,
  vaultDeposit,
  WAX,
} from './scene.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into.
type Any = any

/** A policy that became pending in a block of the ledger's chain, and the signers of the first root over that block. */
async function addPolicy(scene: Scene, generation: number, count: number, block: number): Promise<void> {
  const finalizer = { description: 'f', weight: 1n, publicKey: new Uint8Array(96) }
  const finalizers = Array.from({ length: count }, () => finalizer)
  await scene.run(
    `insert into ledger.finalizer_policies values ('telos', $1, $2, now(), 1, '\\x00', $3)`,
    ...[generation, block, Buffer.from(packFinalizerPolicy({ generation, threshold: BigInt(count), finalizers }))],
  )
  if (generation === 1) return
  const signed = {
    block_num: block + 2,
    claim_num: block,
    active_generation: generation - 1,
    last_pending_generation: generation,
  }
  await scene.run(
    `insert into ledger.finality select (r).* from
      (select jsonb_populate_record(f, $1) as r from ledger.finality f where f.block_num = $2) x`,
    ...[JSON.stringify(signed), PROVED + 2],
  )
  await scene.run(
    `insert into ledger.certificates select (r).* from
      (select jsonb_populate_record(c, $1) as r from ledger.certificates c where c.target = $2) x`,
    ...[JSON.stringify({ block_num: block + 3, target: block + 2 }), PROVED + 2],
  )
}

t.test('the estimate of a hard proof includes the hand-offs before it', async (t) => {
  const scene = await openScene(t)
  for (const [generation, count, block] of [
    [1, 4, 100],
    [2, 6, 200],
    [3, 21, 300],
  ] as const)
    await addPolicy(scene, generation, count, block)
  await scene.run(
    `update ledger.finality set active_generation = 3, last_pending_generation = 3 where block_num > $1`,
    PROVED,
  )
  const learned = {
    chain: 'mainnet',
    contract: raw(LIGHT_CLIENT),
    log_index: 0,
    digest: text('d'),
    threshold: 3,
    finalizers: 4,
  }
  await scene.add({ ago: 9 * HOUR }, ['learned_policies', { ...learned, generation: 1 }])
  await scene.add({ ago: HOUR, block: PROVED }, ...provenBurn(2, '1'))
  // Burned while the second policy was still active: the root of that time needs no later policy.
  await scene.add({ ago: 2 * HOUR, block: 250 }, ...provenBurn(1, '1'))
  await scene.add({ ago: HOUR, block: PROVED }, ...provenBurn(3, WAX))
  const api = await bridgeApi(t, scene)
  const gas = async () => {
    const { pending } = (await api.get(`${BASE}/pending`)).body
    return Object.fromEntries(pending.map(({ key, estimatedGas }: Any) => [key, estimatedGas]))
  }
  const second = 318_000 + 4 * 2_500 + 6 * 9_500
  const third = 318_000 + 6 * 2_500 + 21 * 9_500
  const joint = 356_000 + 6 * 2_500 + 63_000 + 21 * 2_500
  t.same(await gas(), {
    'w:1': { light: null, hard: joint + second, handoffs: second },
    'w:2': { light: null, hard: 356_000 + 21 * 2_500 + second + third, handoffs: second + third },
    'w:3': null,
  })
  await scene.add({ ago: 9 * HOUR }, ['learned_policies', { ...learned, generation: 3 }])
  await scene.run(`update meta.position set block_id = repeat('0e', 32) where chain = 'mainnet'`)
  t.match((await gas())['w:2'], { hard: 356_000 + 21 * 2_500, handoffs: 0 }, 'once it has learned them, nothing')
})

t.test('estimates are 0 to 10 percent above the gas used', async (t) => {
  const evm = await EvmSide.open(56, new Telos([], 4).chain.genesisPolicy())
  t.teardown(() => evm.anvil.stop())
  const telos = new Telos([...evm.routes], 4)
  telos.idle(3)
  telos.produce({ finalizers: Array.from({ length: 21 }, (_, i) => 10 + i) })
  telos.idle(6)
  const id = telos.withdraw('USDC', 3_000_000n, 56, `0x${'bb'.repeat(20)}`)
  telos.idle(3)
  telos.follow()
  const proving = { source: telos.store, verify: certificateVerifier(), ledger: LEDGER }
  const { hard } = (await proveWithdrawal(proving, id, await evm.destination()))!.proof
  let used = 0n
  for (const { submitRoot, learn } of hard.handoffs)
    used += (await evm.anvil.send(evm.lightClient, 'submitAndLearn', ...rootArguments(submitRoot), learn)).gas
  used += (await evm.anvil.send(evm.withdrawals, 'submitAndRelease', ...rootArguments(hard.submitRoot), hard.release))
    .gas
  t.equal(hard.handoffs.length, 1)
  const handoffs = [{ finalizers: 4, learned: 21 }]
  const cases = { memoBytes: 0, hasFee: false, finalizers: 21, pending: 0, covered: false }
  const estimated = estimateGas({ ...cases, handoffs }).hard
  t.ok(estimated >= Number(used) && estimated < Number(used) * 1.1, `${estimated} for ${used}`)
  t.ok(estimateGas({ ...cases, handoffs: [] }).hard < Number(used) * 0.6, 'the release alone is half of it')
})

t.test('withdrawals that share an allowance fit while the earlier ones leave enough of it', async (t) => {
  const scene = await openScene(t)
  const change = (type: string, details: object) =>
    scene.add({ ago: 20 * HOUR }, [
      'vault_changes',
      { chain: 'mainnet', contract: raw(VAULT), log_index: 0, type, token: raw(USDC), details },
    ])
  await change('AssetSet', { token: USDC, scale: '1', cap: '55000000000', enabled: true, minDeposit: '1' })
  await change('LimitSet', { token: USDC, perPeriod: '40000000' })
  // The allowance is 40. Each withdrawal is smaller; together they exceed it.
  for (const [id, amount] of [
    [1, 15_000_000],
    [2, 20_000_000],
    [3, 10_000_000],
    [4, 5_000_000],
    [5, 5_000_000],
  ] as const)
    await scene.add({ ago: 10 * HOUR - id * MINUTE, block: PROVED }, ...provenBurn(id, '1', { amount }))
  await scene.add({ ago: HOUR, block: PROVED }, ...provenBurn(6, WAX, { amount: 90_000_000 }))
  const api = await bridgeApi(t, scene)
  const list = async (query: string) =>
    (await api.get(`${BASE}/pending${query}`)).body.pending.map(({ key, fits, obstacle }: Any) => [key, fits, obstacle])
  const first = [
    ['w:1', true, null],
    ['w:2', true, null],
    ['w:4', true, null],
  ]
  const rest = [
    ['w:3', false, 'allowance'],
    ['w:5', false, 'allowance'],
  ]
  t.same(await list('?domain=1'), [...first, ...rest])
  t.same(await list('?key=w:5'), [['w:5', false, 'allowance']], 'the same when it is asked for alone')
  t.same(await list(`?domain=${WAX}`), [['w:6', true, null]], 'what a relayer pays has no such limit')
  t.same((await list('')).length, 6)
})

t.test('a journey that cannot continue has no estimated time and a warning', async (t) => {
  const scene = await openScene(t)
  const way = (to: string) => text(`${to}|${WAX}:carol`)
  const stuck = [
    ['1:0x12', 'no address'],
    [`777:${ADDRESS}`, 'no route'],
    [`${WAX}:bob`, 'below the least amount of the route'],
    ['nonsense', 'no way at all'],
  ] as const
  for (const [nonce, [to]] of stuck.entries()) {
    const memo = to === 'nonsense' ? text(to) : way(to)
    const more = nonce === 2 ? { amount: 1_000_000 } : {}
    await scene.add({ ago: MINUTE }, vaultDeposit(nonce, { telos_to: 'hop.svc', memo, canonical: 1_000_000 }))
    await scene.add(
      { ago: MINUTE },
      arrival('parked', '1', nonce, { account: 'hop.svc', memo, refund_to: raw(ADDRESS), ...more }),
    )
  }
  const memo = way(`${WAX}:bob`)
  for (const [nonce, ago] of [
    [8, MINUTE],
    [9, 11 * MINUTE],
  ] as const) {
    await scene.add({ ago: HOUR }, vaultDeposit(nonce, { telos_to: 'hop.svc', memo }))
    await scene.add({ ago }, arrival('parked', '1', nonce, { account: 'hop.svc', memo, refund_to: raw(ADDRESS) }))
  }
  const api = await bridgeApi(t, scene)
  const hop = async (nonce: number) => (await api.get(`${BASE}/hops/d:1:${nonce}`)).body
  for (const [nonce, [, what]] of stuck.entries()) {
    const { progress, next, warnings } = await hop(nonce)
    t.match(progress, { stage: /cannot be passed on/, etaSeconds: null }, what)
    t.match(next, { actor: 'relayer', action: 'bounce' }, what)
    t.equal(warnings.length, 1, what)
  }
  t.match(await hop(8), { progress: { etaSeconds: 120 }, next: { action: 'forward' }, warnings: [] })
  t.match(await hop(9), { progress: { etaSeconds: null }, next: { action: 'forward' } }, 'refused for ten minutes')
})
