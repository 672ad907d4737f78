// The relayer is killed while it replaces a transaction, frees a nonce, has made the first of two calls, or has seen a
// receipt; and its transactions leave the pool of the node. Each withdrawal is paid once all the same.
import { fork } from 'node:child_process'
import t, { type Test } from 'tap'
import { SILENT } from '../../relay/log.ts'
import { startRelayer } from '../../relay/start.ts'
import { childModule } from '../support/child-module.ts'
import { testDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'
import { RECIPIENT, startScene } from './scene.ts'
import { sessionsEnded } from './sessions-ended.ts'

const scene = await startScene(t)
const { burn, listed } = scene
const { url: databaseUrl, pool } = await testDatabase(t)

interface Row {
  action: string
  step: string
  nonce: number
  state: string
  hash: string
}

const rows = async (leg: string): Promise<Row[]> =>
  (
    await pool.query<Row>(
      'select action, step, nonce::int4, state, hash from relay.intents where leg = $1 order by id',
      [leg],
    )
  ).rows

/** Runs a relayer that is killed at a step. @param at  `intended 2`: of the second transaction */
async function killedAt(t: Test, at: string, relay: object = {}): Promise<void> {
  const { file, execArgv } = childModule('./child.ts', import.meta.url)
  const settings = JSON.stringify({ config: scene.config(relay), databaseUrl })
  const env = { ...process.env, HEADWATER_TEST_RELAY: settings, HEADWATER_TEST_KILL: at }
  const child = fork(file, { execArgv, env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const signal = await new Promise((resolve) => child.once('exit', (_, name) => resolve(name)))
  t.equal(signal, 'SIGKILL', `killed at ${at}`)
  await sessionsEnded(pool)
}

async function relayer(t: Test, relay: object = {}) {
  const running = await startRelayer({ config: scene.config(relay), databaseUrl, log: SILENT })
  t.teardown(() => running.close())
  return running
}

/** Mines until a withdrawal is paid and nothing of it is open. */
async function paidOnce(t: Test, key: string): Promise<void> {
  await scene.rpc('evm_setAutomine', true)
  await until('the payment', async () => {
    await scene.rpc('anvil_mine', '0x1')
    return (await scene.paid(key)) === 1
  })
  await scene.rpc('anvil_mine', '0x50')
  await until('nothing is open', async () =>
    (await rows(key)).every(({ state }) => !['intended', 'sent', 'mined'].includes(state)),
  )
  t.equal(await scene.paid(key), 1)
}

t.test('killed before and after a replacement is sent', async (t) => {
  for (const at of ['intended 2', 'sent 2']) {
    listed.clear()
    const key = await burn('USDC', 1_000_000n)
    await scene.rpc('evm_setAutomine', false)
    await killedAt(t, at, { replaceSeconds: 0.3 })
    const [first, second] = await rows(key)
    t.equal(second?.nonce, first?.nonce, 'a replacement')
    t.match([first, second], [{ state: 'sent' }, { state: 'intended' }])
    const running = await relayer(t)
    await paidOnce(t, key)
    await running.close()
  }
})

t.test('killed before and after the transfer that frees a nonce is sent', async (t) => {
  for (const at of ['intended', 'sent']) {
    listed.clear()
    const key = await burn('USDC', 2_000_000n)
    await scene.rpc('evm_setAutomine', false)
    await killedAt(t, 'sent')
    await killedAt(t, at, { deny: [RECIPIENT] })
    t.match(await rows(key), [{ action: 'release' }, { action: 'cancel', state: 'intended' }])
    const denying = await relayer(t, { deny: [RECIPIENT] })
    await until('the transfer is sent', async () => (await rows(key))[1]?.state === 'sent')
    await scene.rpc('evm_setAutomine', true)
    await until('the nonce is free', async () => {
      await scene.rpc('anvil_mine', '0x8')
      return (await rows(key)).some(({ state }) => state === 'cancelled')
    })
    t.equal(await scene.paid(key), 0)
    await denying.close()
    await pool.query('delete from relay.refusals')
    const running = await relayer(t)
    await paidOnce(t, key)
    await running.close()
  }
})

t.test('a transaction that the node drops is sent again', async (t) => {
  listed.clear()
  const key = await burn('USDC', 3_000_000n)
  await scene.rpc('evm_setAutomine', false)
  const running = await relayer(t)
  await until('it is sent', async () => (await rows(key)).some(({ state }) => state === 'sent'))
  const [{ hash = '' } = {}] = await rows(key)
  const isThere = async () => (await scene.rpc('eth_getTransactionByHash', hash)) !== null
  await until('the node has it', isThere)
  await scene.rpc('anvil_dropTransaction', hash)
  await until('the node has it again', isThere)
  await paidOnce(t, key)
  t.equal((await rows(key)).length, 1, 'the same bytes')
  await running.close()
})

t.test('killed after a receipt was seen and before it is recorded', async (t) => {
  listed.clear()
  const key = await burn('USDC', 4_000_000n)
  const before = await scene.sent()
  await killedAt(t, 'seen')
  t.match(await rows(key), [{ state: 'sent' }], 'the journal does not know of its block')
  t.same([await scene.sent(), await scene.paid(key)], [before + 1, 1])
  const running = await relayer(t)
  await paidOnce(t, key)
  t.same([await scene.sent(), (await rows(key)).length], [before + 1, 1], 'it is recorded, and nothing is sent again')
  await running.close()
})

t.test('killed between a hand-off and the release that needs it', async (t) => {
  listed.clear()
  scene.rotate([1, 2, 3, 4, 5, 6])
  const key = await burn('USDC', 6_000_000n)
  await killedAt(t, 'intended 2')
  t.match(
    (await rows(key)).map(({ step, state }) => `${step} ${state}`),
    [/^learn /, 'submit intended'],
  )
  await relayer(t)
  await paidOnce(t, key)
  t.same(
    (await rows(key)).map(({ step, state }) => `${step} ${state}`),
    ['learn done', 'submit done'],
  )
})
