// The relayer against real contracts: killed between the steps of sending, a full base fee, refusals, limits, a second
// relayer.
import { fork } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { WithdrawalProof } from '../../proofs/json.ts'
import type { RelayedAction } from '../../relay/context.ts'
import { SILENT } from '../../relay/log.ts'
import { startRelayer } from '../../relay/start.ts'
import { relayStatus, statusText, switchRelayers } from '../../relay/status.ts'
import { childModule } from '../support/child-module.ts'
import { testDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'
import { refusingToken } from './refusing-token.ts'
import { ADDRESS, OTHER, RECIPIENT, startScene } from './scene.ts'
import { sessionsEnded } from './sessions-ended.ts'

const scene = await startScene(t)
const { evm, burn, listed } = scene
const { url: databaseUrl, pool } = await testDatabase(t)

interface Row {
  leg: string
  action: string
  step: string
  nonce: number
  state: string
  max_fee: string
  max_tip: string
}

const rows = async (leg?: string): Promise<Row[]> => {
  const text = `select leg, action, step, nonce::int4, state, max_fee, max_tip from relay.intents where leg = coalesce($1, leg) order by id`
  return (await pool.query<Row>(text, [leg ?? null])).rows
}
const refusal = async (leg: string) =>
  (await pool.query('select reason, kind from relay.refusals where leg = $1', [leg])).rows[0]

/** Runs a relayer that is killed at a step. */
async function killedAt(t: Test, step: 'intended' | 'sent'): Promise<void> {
  const { file, execArgv } = childModule('./child.ts', import.meta.url)
  const settings = JSON.stringify({ config: scene.config(), databaseUrl })
  const env = { ...process.env, HEADWATER_TEST_RELAY: settings, HEADWATER_TEST_KILL: step }
  const child = fork(file, { execArgv, env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const signal = await new Promise((resolve) => child.once('exit', (_, name) => resolve(name)))
  t.equal(signal, 'SIGKILL', `killed at ${step}`)
  await sessionsEnded(pool)
}

/** A relayer in this process, until the end of a test. */
async function relayer(t: Test, relay: object = {}): Promise<RelayedAction[]> {
  const seen: RelayedAction[] = []
  const onAction = (action: RelayedAction) => void seen.push(action)
  const running = await startRelayer({ config: scene.config(relay), databaseUrl, log: SILENT, onAction })
  t.teardown(() => running.close())
  return seen
}

const [older, newest] = [await burn('USDC', 5_000_000n, { fee: 1_000_000n }), await burn('USDC', 7_000_000n)]

t.test('killed between intent and send, and after the send: each withdrawal is paid once', async (t) => {
  await killedAt(t, 'intended')
  t.equal(await scene.sent(), 0, 'nothing was sent')
  t.match(await rows(), [{ leg: newest, step: 'submit', nonce: 0, state: 'intended' }], 'the newest brings the root')
  await killedAt(t, 'sent')
  t.equal(await scene.sent(), 1, 'the same bytes were sent')
  t.match(await rows(), [{ leg: newest, state: 'intended' }], 'which the journal does not know')

  const seen = await relayer(t)
  await until('both are paid', async () => (await scene.paid(older)) + (await scene.paid(newest)) === 2)
  await until('both are reported', () => seen.length === 2)
  t.same(
    seen.map(({ key, refused }) => [key, refused]).sort(),
    [
      [older, null],
      [newest, null],
    ].sort(),
  )
  await scene.rpc('anvil_mine', '0x50')
  await until('both are final', async () => (await rows()).every(({ state }) => state === 'done'))
  t.match(await rows(), [{ step: 'submit' }, { leg: older, step: 'light', nonce: 1 }], 'one root, then a light release')
  t.same([await scene.sent(), await scene.paid(older), await scene.paid(newest)], [2, 1, 1])
})

t.test('a second relayer with the same key is refused', async (t) => {
  await relayer(t)
  const config = scene.config()
  await t.rejects(startRelayer({ config, databaseUrl, log: SILENT }), { code: 'RELAY_KEY_IN_USE' })
})

t.test('a transaction that a base fee outruns is replaced with its nonce', async (t) => {
  listed.clear()
  const key = await burn('USDC', 3_000_000n)
  await scene.rpc('evm_setAutomine', false)
  await relayer(t, { replaceSeconds: 0.3 })
  await until('the first one', async () => (await rows(key)).some(({ state }) => state === 'sent'))
  const spike = `0x${(50n * 10n ** 9n).toString(16)}`
  await scene.rpc('anvil_setNextBlockBaseFeePerGas', spike)
  await scene.rpc('evm_mine')
  await until('a replacement above the spike', async () =>
    (await rows(key)).some(({ max_fee }) => BigInt(max_fee) > 50n * 10n ** 9n),
  )
  await scene.rpc('evm_setAutomine', true)
  await until('the payment', async () => {
    await scene.rpc('anvil_mine', '0x1')
    return (await scene.paid(key)) === 1
  })
  await scene.rpc('anvil_mine', '0x50')
  await until('the end', async () => (await rows(key)).every(({ state }) => ['done', 'replaced'].includes(state)))
  const all = await rows(key)
  t.equal(new Set(all.map(({ nonce }) => nonce)).size, 1, 'one nonce')
  t.equal(all.filter(({ state }) => state === 'done').length, 1)
  for (const [i, { max_fee, max_tip }] of all.entries()) {
    const before = all[i - 1]
    if (before === undefined) continue
    t.ok(BigInt(max_fee) * 8n >= BigInt(before.max_fee) * 9n && BigInt(max_tip) * 8n >= BigInt(before.max_tip) * 9n)
  }
})

t.test('a reorganisation that removes the block of a release brings it again', async (t) => {
  listed.clear()
  const key = await burn('USDC', 4_000_000n)
  const undo = await evm.anvil.snapshot()
  await relayer(t)
  await until('it is in a block', async () => (await rows(key)).some(({ state }) => state === 'mined'))
  t.equal(await scene.paid(key), 1)
  await scene.rpc('evm_setAutomine', false)
  await undo()
  t.equal(await scene.paid(key), 0)
  await scene.rpc('evm_setAutomine', true)
  await until('it is paid on the new branch', async () => {
    await scene.rpc('anvil_mine', '0x1')
    return (await scene.paid(key)) === 1 && (await rows(key)).some(({ state }) => state === 'mined')
  })
  await scene.rpc('anvil_mine', '0x50')
  await until('the end', async () => (await rows(key)).every(({ state }) => ['done', 'replaced'].includes(state)))
  t.equal(await scene.paid(key), 1)
})

t.test('a hand-off comes before the root, also while the API does not know of it', async (t) => {
  listed.clear()
  scene.rotate([1, 2, 3, 4, 5, 6])
  const key = await burn('USDC', 6_000_000n)
  let stale: WithdrawalProof | undefined
  scene.tamper = (proof) => (stale ??= proof)
  await relayer(t)
  await until('it is paid', async () => (await scene.paid(key)) === 1)
  t.equal(stale?.hard.handoffs.length, 1)
  t.match(
    (await rows(key)).map(({ step }) => step),
    ['learn', 'submit'],
  )
  t.equal(await refusal(key), undefined, 'a policy that is known is no refusal')
  scene.tamper = (proof) => proof
})

t.test('two relayers with keys of their own pay everything once', async (t) => {
  listed.clear()
  const keys = [await burn('USDC', 1_100_000n), await burn('USDC', 1_200_000n), await burn('USDC', 1_300_000n)]
  const other = join(t.testdir({ key: OTHER.privateKey }), 'key')
  chmodSync(other, 0o600)
  await relayer(t)
  await relayer(t, { evmKeyFile: other })
  const paid = async () => Promise.all(keys.map((key) => scene.paid(key)))
  await until('all are paid', async () => (await paid()).every((count) => count > 0))
  await until('nothing is open', async () => {
    // The slower relayer may send its refused call, or free its nonce, after the last payment: that has to be final too.
    await scene.rpc('anvil_mine', '0x8')
    return (await rows()).every(({ state }) => !['intended', 'sent', 'mined'].includes(state))
  })
  t.same(await paid(), [1, 1, 1])
})

t.test('killed 25 times, at both steps', { skip: !process.env.HEADWATER_TEST_LONG && 'in test:long' }, async (t) => {
  listed.clear()
  const keys: string[] = []
  for (let round = 0; round < 25; round++) {
    keys.push(await burn('USDC', 1_000_000n + BigInt(round)))
    await killedAt(t, round % 3 === 0 ? 'sent' : 'intended')
  }
  await relayer(t)
  await until('all are paid', async () =>
    (await Promise.all(keys.map((key) => scene.paid(key)))).every((count) => count === 1),
  )
  await scene.rpc('anvil_mine', '0x50')
  await until('nothing is open', async () =>
    (await rows()).every(({ state }) => !['intended', 'sent', 'mined'].includes(state)),
  )
  for (const key of keys) t.equal(await scene.paid(key), 1, key)
})

t.test('what is refused, done by another, or wrong is not sent, and said', async (t) => {
  listed.clear()
  const sent = await scene.sent()
  listed.add(older)
  // It ended long ago: what ended a moment ago is not tried at all.
  await pool.query(`update relay.intents set ended_at = ended_at - interval '1 hour'`)
  // A contract that takes no coins.
  const stubborn = await burn('ETH', 1_000n, { recipient: `${evm.token.target}`.toLowerCase() })
  const [wrong, foreign] = [await burn('USDC', 2_000_000n), await burn('USDC', 2_100_000n)]
  scene.tamper = (proof) => {
    const change = (release: typeof proof.hard.release) =>
      `w:${release.id}` === wrong ? { ...release, fee: '1' } : release
    const { light, hard } = proof
    if (`w:${hard.release.id}` === foreign) {
      const releaseTo = `${evm.token.target}`
      return { ...proof, light: light && { ...light, releaseTo }, hard: { ...hard, releaseTo } }
    }
    return {
      ...proof,
      light: light && { ...light, release: change(light.release) },
      hard: { ...hard, release: change(hard.release) },
    }
  }
  const seen = await relayer(t)
  await until(
    'all are refused',
    async () =>
      (await refusal(stubborn)) && (await refusal(wrong)) && (await refusal(older)) && (await refusal(foreign)),
  )
  t.match(await refusal(stubborn), { reason: 'NativeSendFailed', kind: 'later' })
  t.match(await refusal(wrong), { reason: 'ActionNotInBlock', kind: 'proof' })
  t.match(await refusal(foreign), { reason: /^RELAY_NOT_ALLOWED/, kind: 'proof' }, 'a contract of the API alone')
  t.match(await refusal(older), { reason: 'AlreadySettled', kind: 'done' })
  t.equal(await scene.sent(), sent)
  t.ok(seen.every(({ refused }) => refused !== null))
  const text = statusText(await relayStatus(databaseUrl))
  t.match(text, `PROOF REFUSED: release ${wrong} on mainnet`)
  t.match(text, new RegExp(`mainnet ${ADDRESS}: 0 open`))
  scene.tamper = (proof) => proof
})

t.test('a token that refuses its transfer costs nothing, is explained, and is tried again later', async (t) => {
  listed.clear()
  const refuse = await refusingToken(scene.rpc, evm.token)
  t.teardown(() => refuse(null))
  const [balance, count] = [await scene.rpc<string>('eth_getBalance', ADDRESS, 'latest'), (await rows()).length]
  const keys: string[] = []
  for (const how of ['reverts', 'returns false'] as const) {
    const key = await burn('USDC', 1_400_000n, { fee: 400_000n })
    keys.push(key)
    await refuse(how)
    const running = await startRelayer({ config: scene.config(), databaseUrl, log: SILENT })
    await until(`${how}: it is refused`, async () => (await refusal(key)) !== undefined)
    await running.close()
    const { rows: found } = await pool.query(
      `select reason, kind, count, extract(epoch from retry_at - last_at)::int4 as pause from relay.refusals where leg = $1`,
      [key],
    )
    t.same(found, [{ reason: 'TransferFailed', kind: 'later', count: 1, pause: 5 }], how)
    const text = statusText(await relayStatus(databaseUrl))
    t.match(text, `refused: release ${key} on mainnet, 1 times: TransferFailed; again at `)
    listed.delete(key)
  }
  t.equal((await rows()).length, count, 'nothing was signed')
  t.equal(await scene.rpc('eth_getBalance', ADDRESS, 'latest'), balance, 'nothing was spent')
  for (const key of keys) listed.add(key)
  await pool.query('update relay.refusals set retry_at = now() where leg = any($1)', [keys])
  await relayer(t)
  const again = async () => (await pool.query('select count from relay.refusals where leg = any($1)', [keys])).rows
  await until('each is refused again', async () => (await again()).every((row) => row.count === 2))
  t.same([await scene.paid(keys[0]!), await scene.paid(keys[1]!), (await rows()).length], [0, 0, count])
  await refuse(null)
  await pool.query('update relay.refusals set retry_at = now() where leg = any($1)', [keys])
  await until('both are paid', async () => (await scene.paid(keys[0]!)) + (await scene.paid(keys[1]!)) === 2)
  await until('they are no longer explained', async () => (await again()).length === 0)
})

t.test('a token that refuses only in the block costs the gas of one call', async (t) => {
  listed.clear()
  const refuse = await refusingToken(scene.rpc, evm.token)
  t.teardown(() => refuse(null))
  const key = await burn('USDC', 1_500_000n)
  await scene.rpc('evm_setAutomine', false)
  await relayer(t)
  await until('it is sent', async () => (await rows(key)).some(({ state }) => state === 'sent'))
  await refuse('reverts')
  await scene.rpc('evm_setAutomine', true)
  await scene.rpc('anvil_mine', '0x50')
  await until('it has failed, and is explained', async () => (await refusal(key)) !== undefined)
  t.match(await rows(key), [{ state: 'reverted' }])
  t.match(await refusal(key), { reason: 'TransferFailed', kind: 'later' })
  t.equal(await scene.paid(key), 0)
})

t.test('profit is judged by the proof: a list that names an own party and little gas gains nothing', async (t) => {
  listed.clear()
  const own = '0x00000000000000000000000000000000000000bb'
  const leg = await burn('USDC', 5_000_000n, { fee: 1_000_000n })
  t.teardown(() => (scene.list = (entry) => entry))
  scene.list = (entry) =>
    entry.key === leg ? { ...entry, recipient: own, estimatedGas: { light: null, hard: 1, handoffs: 0 } } : entry
  await t.test('a stranger’s withdrawal with a fee below its gas is not sent', async (t) => {
    const fee = `0x${(5n * 10n ** 9n).toString(16)}`
    await scene.rpc('anvil_setNextBlockBaseFeePerGas', fee)
    await scene.rpc('evm_mine')
    await relayer(t, { policy: 'profit', own: [own] })
    await until('the loss is seen', async () => (await refusal(leg)) !== undefined)
    t.match(await refusal(leg), { kind: 'left', reason: 'by its proof: loss' })
    t.same(await rows(leg), [])
  })
  await t.test('that of an own party is sent whatever it earns', async (t) => {
    await pool.query('delete from relay.refusals where leg = $1', [leg])
    await relayer(t, { policy: 'profit', own: [RECIPIENT, own] })
    await until('it is paid', async () => (await scene.paid(leg)) === 1)
  })
})

t.test('the switch, the day’s gas and a dry run keep everything back', async (t) => {
  listed.clear()
  const [key, sent] = [await burn('USDC', 1_000_000n), await scene.sent()]
  const kept = async (relay: object, limit: string) => {
    const said: unknown[] = []
    const note = (_: string, fields: object = {}) => void said.push(fields)
    const log = { ...SILENT, warn: note, info: note }
    const running = await startRelayer({ config: scene.config(relay), databaseUrl, log })
    await until(limit, () => JSON.stringify(said).includes(limit))
    await running.close()
    t.equal(await scene.sent(), sent, limit)
  }
  await switchRelayers(databaseUrl, false)
  await kept({}, 'switched-off')
  t.match(statusText(await relayStatus(databaseUrl)), 'switched off: every relayer')
  await switchRelayers(databaseUrl, true)
  await kept({ gasUsdDay: 0 }, 'gas-day')
  await kept({ stopFile: import.meta.filename }, 'stop-file')
  await kept({ deny: [RECIPIENT] }, 'denied')
  await kept({ dryRun: true }, `"${key}","action":"release"`)
  await relayer(t)
  await until('it is paid', async () => (await scene.paid(key)) === 1)
})

t.test('fees of others pay for a root by their proofs, not by the list', async (t) => {
  listed.clear()
  t.teardown(() => (scene.list = (entry) => entry))
  const [rich, poor] = [await burn('USDC', 50_000_000n, { fee: 40_000_000n }), await burn('USDC', 5_000_000n)]
  const newest = await burn('USDC', 9_000_000n, { fee: 7_000_000n })
  await scene.rpc('anvil_setNextBlockBaseFeePerGas', `0x${(10n ** 10n).toString(16)}`)
  await scene.rpc('evm_mine')
  // At 10 gwei a root costs more than 9 USD. The list says that it costs little, and that others pay for it.
  listed.delete(rich)
  scene.list = ({ estimatedGas, ...entry }) => {
    const cheap = { light: estimatedGas?.light ?? null, hard: 200_000, handoffs: 0 }
    return { ...entry, estimatedGas: cheap, ...(entry.key === poor && { fee: '40000000' }) }
  }
  await t.test('a fee that only the list has', async (t) => {
    await relayer(t, { policy: 'profit' })
    await until('it is left', async () => (await refusal(newest)) !== undefined)
    t.match(await refusal(newest), { kind: 'left', reason: 'its gas costs more than its fee pays for' })
    t.same(await rows(newest), [])
  })
  await t.test('a fee that the contract would pay', async (t) => {
    listed.add(rich)
    await pool.query('delete from relay.refusals')
    await relayer(t, { policy: 'profit' })
    await until('both are paid', async () => (await scene.paid(newest)) + (await scene.paid(rich)) === 2)
    t.same(
      (
        await pool.query('select leg, step, shares from relay.intents where leg = any($1) order by id', [
          [newest, rich],
        ])
      ).rows,
      [
        { leg: newest, step: 'submit', shares: [rich] },
        { leg: rich, step: 'light', shares: [] },
      ],
    )
    t.equal(await scene.paid(poor), 0)
  })
})

t.test('a withdrawal after its deadline is expired, with its root', async (t) => {
  listed.clear()
  t.teardown(() => (scene.list = (entry) => entry))
  const key = await burn('USDC', 1_000_000n)
  scene.list = (entry) => ({ ...entry, action: 'expire' })
  const seen = await relayer(t)
  await until('the contract refuses', () => seen.some(({ refused }) => refused === 'BeforeDeadline'))
  await scene.rpc('evm_increaseTime', 30 * 86_400)
  await scene.rpc('evm_mine')
  await pool.query('update relay.refusals set retry_at = now()')
  await until('it is expired', () =>
    seen.some((one) => one.key === key && one.what === 'expire' && one.refused === null),
  )
  t.equal((await evm.vault.queryFilter(evm.vault.filters.Voided!(BigInt(key.slice(2))))).length, 1)
  t.equal(await scene.paid(key), 0)
})
