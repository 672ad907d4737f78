// What an operator is told about an EVM chain: a low balance, a node that lags, what a transaction cost and earned.
import t, { type Test } from 'tap'
import { EvmLane } from '../../relay/evm/lane.ts'
import { testDatabase } from '../support/database.ts'
import { senderScene } from './sender-scene.ts'

const database = await testDatabase(t)

async function scene(t: Test, relay: object = {}) {
  const made = await senderScene(t, database, relay)
  const said: [string, object][] = []
  const note = (message: string, fields: object = {}) => void said.push([message, fields])
  made.context.log = { info: note, warn: note, error: note }
  made.node.time = Math.floor(Date.now() / 1000)
  const lane = new EvmLane(made.context, made.chain, made.sender, async () => {})
  const gaugeOf = async (gauge: 'balance' | 'lowBalance' | 'open' | 'oldest') =>
    (await made.context.metrics[gauge].get()).values[0]?.value
  return { ...made, said, lane, gaugeOf }
}

t.test('a low balance is said once, and again after it was high', async (t) => {
  const { node, lane, said, gaugeOf, key } = await scene(t, { warnBalance: ['0.5', 'mainnet=2'] })
  const isLow = { chain: 'mainnet', key: key.address, balance: 1 }
  for (const balance of [1n, 1n, 2n, 1n]) {
    node.balance = balance * 10n ** 18n
    await lane.settle()
    t.same([await gaugeOf('balance'), await gaugeOf('lowBalance')], [Number(balance), balance < 2n ? 1 : 0])
  }
  t.same(said, [
    ['the balance is low', isLow],
    ['the balance is low', isLow],
  ])
})

t.test('a node that lags is not used, and open transactions stay as they are', async (t) => {
  const { node, lane, said, send, age, states, context } = await scene(t, { maxLagSeconds: 600 })
  await send('w:1')
  await age(3600)
  node.time -= 3600
  said.length = 0
  t.equal(await lane.settle(), null)
  t.equal(await lane.settle(), null)
  t.same(said, [['kept back', { chain: 'mainnet', limit: 'node-lags', leg: undefined }]])
  t.match((await context.metrics.limited.get()).values, [{ labels: { limit: 'node-lags' }, value: 2 }])
  t.equal((await states()).length, 1)
  node.time += 3600
  t.ok(await lane.settle())
  t.equal((await states()).length, 2, 'it is late, and replaced now')
})

t.test('the age of an open transaction grows while the node lags or does not answer', async (t) => {
  const { context, node, chain, lane, send, age, gaugeOf } = await scene(t, { maxLagSeconds: 600 })
  const isNear = (seconds = 0, wanted = 0) => Math.abs(seconds - wanted) < 30
  await lane.settle()
  t.same([await gaugeOf('open'), await gaugeOf('oldest')], [0, 0])
  await send('w:1')
  await age(100)
  node.time -= 3600
  t.equal(await lane.settle(), null)
  t.equal(await gaugeOf('open'), 1, 'sent after the last look before the node lags')
  t.ok(isNear(await gaugeOf('oldest'), 100))
  const real = Date.now
  const clock = t.intercept(Date, 'now', { value: () => real() + 1_000_000 })
  t.ok(isNear(await gaugeOf('oldest'), 1100), 'without another look')
  clock.restore()

  await age(100)
  t.intercept(chain, 'head', { value: async () => Promise.reject(new Error('the node does not answer')) })
  await t.rejects(lane.settle(), { message: 'the node does not answer' })
  t.same([await gaugeOf('open'), isNear(await gaugeOf('oldest'), 200)], [1, true])

  t.intercept(context.journal, 'open', { value: async () => Promise.reject(new Error('the database does not answer')) })
  await t.rejects(lane.settle(), { message: 'the node does not answer' }, 'the cause, not what it led to')
  t.equal(await gaugeOf('open'), 1)
})

t.test('of a nonce with a transaction in a block, none is open while the node lags', async (t) => {
  const { node, lane, send, age, gaugeOf, states } = await scene(t, { maxLagSeconds: 600 })
  await send('w:1')
  await age(3600)
  await lane.settle()
  node.receipts.set(node.got[1]?.hash ?? '', { succeeded: true, block: 150 })
  node.count = 1
  await lane.settle()
  t.match(await states(), [{ state: 'sent' }, { state: 'mined' }], 'replaced, and in a block that is not final')
  node.time -= 3600
  await lane.settle()
  t.same([await gaugeOf('open'), await gaugeOf('oldest')], [0, 0])
})

t.test('a transaction in a block is said with its hash, cost, fee and profit', async (t) => {
  const { node, lane, said, send, key } = await scene(t)
  await send('w:1')
  await send('w:2', { step: 'learn' })
  for (const { hash } of node.got) node.receipts.set(hash ?? '', { succeeded: true, block: 150 })
  node.count = 2
  said.length = 0
  await lane.settle()
  const shared = { chain: 'mainnet', key: key.address, action: 'release', costUsd: 2.5 }
  const [release, learn] = node.got
  t.same(said, [
    ['relayed', { ...shared, leg: 'w:1', step: 'light', hash: release?.hash, feeUsd: 5, profitUsd: 2.5 }],
    ['relayed', { ...shared, leg: 'w:2', step: 'learn', hash: learn?.hash, feeUsd: 0, profitUsd: -2.5 }],
  ])
})
