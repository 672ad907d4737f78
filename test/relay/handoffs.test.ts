// Hand-offs of finalizer policies to a real light client before a withdrawal needs them: when they are sent, what they may
// cost, and what is left to do for the withdrawal.
import t, { type Test } from 'tap'
import { msToSlot } from '../../core/antelope/time.ts'
import type { HandoffArguments } from '../../proofs/json.ts'
import type { Context } from '../../relay/context.ts'
import type { EvmChain } from '../../relay/evm/chain.ts'
import { Handoffs, handoffIsDue } from '../../relay/evm/handoffs.ts'
import type { EvmSender } from '../../relay/evm/sender.ts'
import { SILENT } from '../../relay/log.ts'
import { startRelayer } from '../../relay/start.ts'
import { relayStatus, statusText } from '../../relay/status.ts'
import { testDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'
import { startScene } from './scene.ts'

const scene = await startScene(t)
const { evm } = scene
const { url: databaseUrl, pool } = await testDatabase(t)
const lightClient = String(evm.lightClient.target).toLowerCase()

const newest = async () => Number(await evm.lightClient.getFunction('newest')())
const rows = async () =>
  (await pool.query(`select leg, action, step, state, fee_usd from relay.intents order by id`)).rows

/** A relayer in this process, until the end of a test. */
async function relayer(t: Test, relay: object) {
  const running = await startRelayer({ config: scene.config(relay), databaseUrl, log: SILENT })
  t.teardown(() => running.close())
  return running
}

t.test('a hand-off is due by the time that the finalizers have signed', async (t) => {
  const now = 1_767_225_600
  const signedAt = (seconds: number) =>
    ({ submitRoot: { finality: { timestamp: msToSlot(seconds * 1000) } } }) as HandoffArguments
  t.equal(handoffIsDue(signedAt(now - 899), 900, now), false)
  t.equal(handoffIsDue(signedAt(now - 900), 900, now), true)
  t.equal(handoffIsDue(signedAt(now - 900), 0, now), false, 'never')
})

t.test('a bridge API that hangs or fails holds back no turn, and its error is said once', async (t) => {
  const said: unknown[] = []
  const made = (answer: () => Promise<never>) => {
    const context = {
      config: { actions: ['release'], handoffMarginSeconds: 0.001 },
      api: { handoffs: answer },
      log: { ...SILENT, warn: (...what: unknown[]) => void said.push(what) },
    } as unknown as Context
    const chain = { name: 'mainnet', chainId: 1 } as EvmChain
    return new Handoffs(context, chain, {} as EvmSender, async () => {})
  }
  const head = { number: 1, time: 1, baseFee: 1n, finalNumber: 1 }
  await made(() => new Promise(() => {})).turn(head)
  const failing = made(() => Promise.reject(new Error('status 502')))
  for (let i = 0; i < 3; i++) {
    await failing.turn(head)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  t.same(said, [['waits', { of: 'hand-offs to mainnet', reason: 'status 502' }]])
})

t.test('a policy is handed over without a withdrawal, within the limit of a day, and never twice', async (t) => {
  scene.rotate([1, 2, 3, 4, 5, 6])
  const leg = `h:${lightClient}:2`
  const poor = await relayer(t, { handoffMarginSeconds: 1, handoffUsdDay: 0 })
  const refused = async () =>
    (await pool.query(`select reason, kind from relay.refusals where leg = $1`, [leg])).rows[0]
  await until('it costs too much', async () => (await refused()) !== undefined)
  t.same(await refused(), { reason: 'its gas costs more than relay.handoffUsdDay leaves', kind: 'left' })
  t.match(statusText(await relayStatus(databaseUrl)), `left: learn ${leg} on mainnet, 1 times: its gas costs more`)
  t.same([await rows(), await newest()], [[], 1])
  await poor.close()

  await pool.query('update relay.refusals set retry_at = now()')
  const rich = await relayer(t, { handoffMarginSeconds: 1, handoffUsdDay: 1e6 })
  await until('it is learned', async () => (await newest()) === 2)
  await scene.rpc('anvil_mine', '0x50')
  await until('it is final', async () => (await rows()).every(({ state }) => state === 'done'))
  t.same(await rows(), [{ leg, action: 'learn', step: 'learn', state: 'done', fee_usd: 0 }])
  t.equal(await refused(), undefined)
  t.match(
    await (await fetch(`${rich.url}/metrics`)).text(),
    /^headwater_relay_actions_total{chain="mainnet",action="learn"} 1$/m,
  )

  const key = await scene.burn('USDC', 5_000_000n)
  await until('the withdrawal is paid', async () => (await scene.paid(key)) === 1)
  t.same(
    (await rows()).slice(1).map(({ leg, action, step }) => `${leg} ${action} ${step}`),
    [`${key} release submit`],
    'by one call',
  )
})

t.test('several policies are handed over one after another', async (t) => {
  scene.rotate([2, 3, 4, 5])
  scene.rotate([0, 1, 2, 3, 4, 5])
  await relayer(t, { handoffMarginSeconds: 1, handoffUsdDay: 1e6 })
  await until('both are learned', async () => (await newest()) === 4)
  t.same(
    (await rows()).filter(({ action }) => action === 'learn').map(({ leg }) => leg),
    [2, 3, 4].map((generation) => `h:${lightClient}:${generation}`),
  )
})
