// CPU limits of transactions: signing without a limit, its possible cost, and the setting that requires a limit.
import { PrivateKey } from '@wharfkit/antelope'
import t, { type Test } from 'tap'
import type { CosignConfig } from '../../config/cosign-schema.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from './clock.ts'
import { TestNode, withKey } from './node.ts'
import { startTestCosigner } from './service.ts'
import { by, noop, pack, transfer, transferData, USER } from './transactions.ts'

async function setUp(t: Test, changes: Partial<CosignConfig> = {}) {
  const node = await new TestNode().start(t)
  node.accounts.set('liquid.svc', withKey(PrivateKey.generate('K1')))
  node.accounts.set(USER, withKey(PrivateKey.generate('K1')))
  const clock = new TestClock()
  const config = { node: node.url, tokens: 'any' as const, ...changes }
  const cosigner = await startTestCosigner(t, await testDatabase(t), config, { clock })
  let made = 0
  const actions = () => {
    const memo = `swapexactin#0#${USER}#0.000001 USDT@usdt.svc#0`
    return [transfer('swap.svc', { data: transferData('swap.svc', { memo, quantity: `${++made}.00000000 WAX` }) })]
  }
  const swap = (max_cpu_usage_ms: number) => pack([noop(), ...actions()], { ...node.reference, max_cpu_usage_ms })
  const unbounded = async () => (await cosigner.post('/api/v2/cpu/status', undefined)).body.unbounded
  const metric = async (name: string) => {
    const text = await (await fetch(`${cosigner.url}/metrics`)).text()
    return Number(new RegExp(`^headwater_cosign_unbounded_${name} (.*)$`, 'm').exec(text)?.[1])
  }
  return { node, clock, cosigner, actions, swap, unbounded, metric }
}

t.test('0 is signed after its trial; status and metrics show what it may cost until it expires', async (t) => {
  const { node, clock, cosigner, swap, unbounded, metric } = await setUp(t)
  t.equal(await unbounded(), undefined)
  t.same((await cosigner.sign(swap(7))).status, 201)
  t.equal(await unbounded(), undefined, 'one with a bound costs no more than that')
  const hex = swap(0)
  const { status, body } = await cosigner.sign(hex)
  t.same([status, Object.keys(body)], [201, ['signature']])
  await cosigner.sign(hex)
  await cosigner.sign(swap(0))
  t.same(await unbounded(), { transactions: 2, cpuMs: 300 }, 'each once, by the usual limit of chains')
  t.same([await metric('transactions'), await metric('cpu_seconds'), await metric('total')], [2, 0.3, 2])
  node.elapsedUs = 20_001
  t.match((await cosigner.sign(swap(0))).body, { error: /takes 20001 µs/ })
  t.same(await unbounded(), { transactions: 2, cpuMs: 300 }, 'what fails its trial is not signed')
  clock.advance(120_000)
  clock.advance(1000)
  t.equal(await unbounded(), undefined)
  t.same([await metric('transactions'), await metric('cpu_seconds'), await metric('total')], [0, 0, 2])
})

t.test('the CPU limit of the chain is used if the node returns it', async (t) => {
  const { node, cosigner, swap, unbounded } = await setUp(t)
  node.mostCpuUs = 30_000
  await cosigner.sign(swap(0))
  t.same(await unbounded(), { transactions: 1, cpuMs: 30 })
})

t.test('if a bound is required, refusals and signatures name it', async (t) => {
  const { node, cosigner, actions, swap, unbounded } = await setUp(t, { requireCpuBound: true })
  for (const bound of [0, 21, 255]) {
    const { status, body } = await cosigner.sign(swap(bound))
    t.same([status, body], [400, { error: `max_cpu_usage_ms is ${bound}: set 1 to 20` }])
  }
  for (const bound of [1, 20]) {
    const hex = swap(bound)
    for (const time of ['first', 'second']) {
      const { status, body } = await cosigner.sign(hex)
      t.match([status, body], [201, { signature: /^SIG_K1_/, maxCpuUsageMs: bound }], time)
    }
  }
  t.equal(await unbounded(), undefined)

  t.test('a wallet that sends 0 gets the ceiling in its transaction', async (t) => {
    const provide = async (max_cpu_usage_ms: number) => {
      const packedTransaction = pack(actions(), { ...node.reference, max_cpu_usage_ms })
      const body = JSON.stringify({ signer: by(USER), packedTransaction })
      const answer = await cosigner.post('/v1/resource_provider/request_transaction', body)
      t.equal(answer.body.code, 200, answer.text)
      return answer.body.data.request[1].max_cpu_usage_ms
    }
    t.equal(await provide(0), 20)
    t.equal(await provide(5), 5)
  })
})
