// The sender of EVM transactions with a node that a test moves: balance, fees, receipts, refusals, nonces.
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { NotAllowed } from '../../relay/choice/refusal.ts'
import type { Context } from '../../relay/context.ts'
import type { CallGuard } from '../../relay/evm/allowed.ts'
import { EvmChain } from '../../relay/evm/chain.ts'
import { EvmKey, type EvmSigner } from '../../relay/evm/key.ts'
import { EvmSender } from '../../relay/evm/sender.ts'
import { SignerApi } from '../../relay/signer-api.ts'
import { testDatabase } from '../support/database.ts'
import { startFakeEvmNode } from './evm-node.ts'
import { keyFile } from './key-file.ts'
import { senderScene } from './sender-scene.ts'

const database = await testDatabase(t)
const { pool } = database
const { signal } = new AbortController()
const scene = (t: Test, relay: Partial<Context['config']> = {}, signer?: EvmSigner['sign'], guard?: CallGuard) =>
  senderScene(t, database, relay, signer, guard)

t.test('an empty balance keeps a transaction back, and later ones are sent again as they are', async (t) => {
  const { node, send, settle, age, states, limited } = await scene(t)
  node.balance = 120_000n * 21n * 10n ** 9n - 1n
  t.equal(await send('w:1'), 'limited', 'one wei less than its gas limit at its highest fee')
  t.same([limited, await states()], [['balance'], []], 'no intent')
  node.balance = 2n * 120_000n * 21n * 10n ** 9n - 1n
  node.sendError = 'insufficient funds for gas * price + value'
  t.equal(await send('w:1'), 'sent')
  t.equal(await send('w:2'), 'limited', 'the open one may cost the rest')
  await age(3600)
  await settle()
  t.match(await states(), [{ state: 'intended', gwei: 21 }], 'no node has it: no replacement')
  node.sendError = null
  await settle()
  t.match(await states(), [{ state: 'sent', gwei: 21 }])
  t.equal(node.got.length, 1, 'the same bytes')
})

t.test('at the cap of the fee, the day’s gas or the profit, the same bytes are sent again', async (t) => {
  const { node, send, settle, age, states, limited, context } = await scene(t, { maxFeeGwei: ['22'] })
  await send('w:1', { budgetUsd: 100 })
  await age(3600)
  await settle()
  t.match(await states(), [{ state: 'sent' }], 'an eighth above 21 gwei is above 22')
  context.config = { ...context.config, maxFeeGwei: ['200'], gasUsdDay: 6.4 }
  await age(3600)
  await settle()
  context.config = { ...context.config, gasUsdDay: 1e6 }
  await pool.query(`update relay.intents set call = jsonb_set(call, '{budgetUsd}', '2') where leg = 'w:1'`)
  await age(3600)
  await settle()
  t.same(limited, ['fee-cap', 'gas-day', 'loss'], '120,000 gas at 21 gwei are 6.30 USD; 100,000 at 12 gwei are 3')
  t.match(await states(), [{ state: 'sent', gwei: 21 }])
  t.equal(new Set(node.got.map(({ hash }) => hash)).size, 1)
  t.equal(node.got.length, 4)
  await pool.query(`update relay.intents set call = jsonb_set(call, '{budgetUsd}', '4') where leg = 'w:1'`)
  await age(3600)
  await settle()
  t.match(await states(), [{ nonce: 0 }, { nonce: 0, state: 'sent', gwei: 23.625 }], 'within its limits it is replaced')
})

t.test('a call that someone wrote into the journal is not signed', async (t) => {
  const to = `0x${'77'.repeat(20)}`
  const guard: CallGuard = async (calls) => {
    for (const call of calls) if (call.to !== to) throw new NotAllowed(`the call of ${call.to}`)
  }
  const { node, send, settle, age } = await scene(t, {}, undefined, guard)
  const target = `0x${'66'.repeat(20)}`
  await t.rejects(send('w:0', { to: target }), { message: /RELAY_NOT_ALLOWED/ })
  await send('w:1')
  await pool.query(`update relay.intents set call = jsonb_set(call, '{to}', to_jsonb($1::text)) where leg = 'w:1'`, [
    target,
  ])
  await age(3600)
  await settle()
  const all = node.got.map(({ hash }) => hash)
  const { rows } = await pool.query(
    `select action, call->>'to' as to from relay.intents where hash = any($1) order by id`,
    [all],
  )
  t.equal(rows.length, 2)
  t.match(rows[1], { action: 'cancel' }, 'its nonce is freed by a transfer of nothing')
  await pool.query(
    `update relay.intents set call = jsonb_build_object('to', $1::text, 'data', '0x01') where hash = $2`,
    [target, all[1]],
  )
  await age(3600)
  await settle()
  const renewed = await pool.query(`select call->>'to' as to from relay.intents where hash = any($1) order by id`, [
    node.got.slice(2).map(({ hash }) => hash),
  ])
  t.ok(
    renewed.rows.length > 0 && renewed.rows.every(({ to }) => to !== target),
    'a row that only claims to be a cancel',
  )
})

t.test('a receipt that one backend lacks ends no transaction', async (t) => {
  const { node, send, settle, age, states } = await scene(t)
  await send('w:1')
  await age(3600)
  node.count = 1
  for (let look = 0; look < 5; look++) await settle()
  node.finalCount = 1
  for (let look = 0; look < 5; look++) await settle()
  t.match(await states(), [{ state: 'sent' }])
  node.receipts.set(node.got[0]?.hash ?? '', { succeeded: true, block: 90 })
  await settle()
  t.match(await states(), [{ state: 'done' }])
  await send('w:2')
  node.count = node.finalCount = 2
  for (let look = 0; look < 3; look++) {
    await settle()
    node.finalNumber++
  }
  t.match(await states(), [{ state: 'done' }, { state: 'foreign' }], 'final, and still no receipt')
})

t.test('a recipient that refuses in a block alone backs off', async (t) => {
  const { node, send, settle, journal } = await scene(t)
  for (let round = 0; round < 3; round++) {
    t.equal(await send('w:1'), 'sent')
    node.count = round + 1
    node.receipts.set(node.got[round]?.hash ?? '', { succeeded: false, block: 90 })
    await settle()
    t.equal((await journal.refusals(['w:1'])).of('w:1', 'release')?.count, round + 1)
  }
  await send('w:1')
  node.count = 4
  node.receipts.set(node.got[3]?.hash ?? '', { succeeded: true, block: 90 })
  await settle()
  t.equal((await journal.refusals(['w:1'])).of('w:1', 'release'), undefined, 'in a block with success')

  node.feeCallError = { message: 'execution reverted', data: '0x' }
  t.equal(await send('w:2'), 'refused', 'it refuses a price of gas above 0')
  node.feeCallError = { message: 'max fee per gas less than block base fee' }
  t.equal(await send('w:3'), 'sent', 'which says nothing about the contract')
})

t.test('a gap of nonces is filled, and one of a transaction that ended a moment ago is not', async (t) => {
  const { node, send, settle, states } = await scene(t)
  await send('w:1')
  await send('w:2', { data: '0x0a0b' })
  await pool.query(`update relay.intents set nonce = 2 where leg = 'w:2' and state = 'sent' and nonce = 1`)
  await send('w:3')
  t.same(
    (await states()).map(({ nonce }) => nonce),
    [0, 2, 1],
  )
  node.receipts.set(node.got[0]?.hash ?? '', { succeeded: true, block: 90 })
  node.count = 1
  await settle()
  node.count = 0
  await send('w:4')
  t.equal((await states()).at(-1)?.nonce, 3, 'the node lags behind its own receipt')
})

t.test('what a provider adds to an error is no refusal, and an endpoint of another chain is not used', async (t) => {
  const { node, send } = await scene(t)
  node.callError = { message: 'header not found', data: { request: 7 } }
  await t.rejects(send('w:1'), { code: 'EVM_RPC' })
  node.callError = { message: 'server busy', data: 'request 0x7' }
  await t.rejects(send('w:1'), { code: 'EVM_RPC' })
  const chain = new EvmChain({ name: 'bsc', chainId: 56, urls: [node.url], timeoutMs: 5000 }, signal)
  await t.rejects(chain.balance(`0x${'77'.repeat(20)}`), { code: 'OTHER_CHAIN' })
})

t.test('a stop file that cannot be looked at stops', async (t) => {
  const { send, limited } = await scene(t, { stopFile: join(import.meta.filename, 'stop') })
  t.equal(await send('w:1'), 'limited')
  t.same(limited, ['stop-file'])
})

t.test('a loss by the real gas is left with pauses, and raises no alarm of a deadline', async (t) => {
  const { node, send, journal } = await scene(t)
  t.equal(await send('w:1', { budgetUsd: 2.7 }), 'refused', '100,000 gas at 11 gwei are 2.75 USD')
  t.match((await journal.refusals(['w:1'])).of('w:1', 'release'), { kind: 'left', isClosed: true })
  t.equal(await send('w:2', { budgetUsd: 2.75 }), 'sent')
  t.equal(node.got.length, 1)
  t.equal(await send('w:1', { budgetUsd: 2.75 }), 'sent')
  t.equal((await journal.refusals(['w:1'])).of('w:1', 'release'), undefined, 'it is no loss now')
})

t.test('the calls of one withdrawal share its budget, and a root its fees with no other root', async (t) => {
  const { node, send, settle, journal, sender } = await scene(t)
  const later = { handoffs: 1, gas: 200_000n }
  const learn = { step: 'learn', later, shares: ['w:2'] }
  t.equal(await send('w:1', { ...learn, budgetUsd: 10.99 }), 'refused', 'four times 2.75 USD: two learn, one submit')
  t.equal(await send('w:1', { ...learn, budgetUsd: 11 }), 'sent')
  const hash = node.got[0]?.hash ?? ''
  node.receipts.set(hash, { succeeded: true, block: 90 })
  node.count = 1
  await settle()
  const { spent, shared } = await journal.costs(sender.address, 'mainnet', 'w:3', ['w:1', 'w:2', 'w:3'])
  t.same([...spent], [['w:1', 2.5]], '100,000 gas at 10 gwei')
  t.same([...shared], ['w:2'])
  const own = await journal.costs(sender.address, 'mainnet', 'w:1', ['w:1', 'w:2'])
  t.same([...own.shared], [], 'for the root that it pays')
  t.equal(await send('w:1', { step: 'submit', budgetUsd: 5.24 }), 'refused', '2.50 USD are spent')
  t.equal(await send('w:1', { step: 'submit', budgetUsd: 5.26 }), 'sent')
  await send('w:4', { shares: ['w:5'] })
  node.receipts.set(node.got[2]?.hash ?? '', { succeeded: false, block: 90 })
  node.count = 3
  await settle()
  const failed = await journal.costs(sender.address, 'mainnet', 'w:3', ['w:5'])
  t.same([...failed.shared], [], 'a root that failed cost the others nothing')
})

t.test('without a signature nothing is written or sent, and open transactions go on', async (t) => {
  let mode: 'well' | 'fails' = 'fails'
  const key = EvmKey.read(keyFile(t, '99'.repeat(32)))
  const wrong = new SignerApi('http://127.0.0.1:9', signal).wrong('answers with no signature')
  const sign: EvmSigner['sign'] = async (transaction) => {
    if (mode === 'fails') throw wrong
    return key.sign(transaction)
  }
  const { node, send, settle, age, states } = await scene(t, {}, sign)
  await t.rejects(send('w:1'), { code: 'RELAY_SIGNER_WRONG' })
  t.same([await states(), node.got], [[], []])
  mode = 'well'
  await send('w:1')
  await send('w:2', { data: '0x0a0b' })
  await age(3600)
  node.receipts.set(node.got[1]?.hash ?? '', { succeeded: true, block: 90 })
  mode = 'fails'
  await t.rejects(settle(), { code: 'RELAY_SIGNER_WRONG' }, 'a replacement needs one')
  t.match(await states(), [{ state: 'sent' }, { state: 'done' }])
})

t.test('two chains of one key keep the limit of a day together', async (t) => {
  const { node, context, key, states } = await scene(t, { gasUsdDay: 6.4 })
  const bsc = new EvmChain(
    { name: 'bsc', chainId: 56, urls: [(await startFakeEvmNode(t, 56)).url], timeoutMs: 5000 },
    signal,
  )
  const mainnet = new EvmChain({ name: 'mainnet', chainId: 1, urls: [node.url], timeoutMs: 5000 }, signal)
  const sendTo = async (chain: EvmChain) => {
    const other = new EvmSender(context, chain, key, async () => {})
    const call = {
      leg: 'w:1',
      action: 'release' as const,
      step: 'light',
      to: `0x${'77'.repeat(20)}`,
      data: '0x01020304',
    }
    const money = { feeUsd: 5, valueUsd: 10, budgetUsd: null, later: { handoffs: 0, gas: 0n }, shares: [] }
    return other.send({ ...call, ...money, refusal: undefined }, await chain.head())
  }
  const sent = await Promise.all([sendTo(mainnet), sendTo(bsc)])
  t.same(sent.sort(), ['limited', 'sent'], 'each may cost 6.30 USD')
  t.equal((await states()).length, 1)
})

t.test('a node that demands a higher tip gets it, and the nonce is not blocked', async (t) => {
  const { node, send, settle, states } = await scene(t)
  node.sendError = 'transaction underpriced: gas tip cap 1000000000, minimum needed 25000000000'
  await send('w:1')
  t.match(await states(), [{ state: 'intended' }])
  node.sendError = null
  await settle()
  t.same(
    node.got.map(({ nonce, maxPriorityFeePerGas }) => [nonce, maxPriorityFeePerGas]),
    [[0, 25_000_000_000n]],
    'at once, with its nonce',
  )
  await send('w:2')
  t.equal(node.got[1]?.maxPriorityFeePerGas, 25_000_000_000n, 'the next one begins with it')

  const costly = await scene(t)
  costly.node.sendError = 'transaction underpriced'
  costly.node.suggestedTip = 40_000_000_000n
  await costly.send('w:3', { budgetUsd: 3 })
  costly.node.sendError = null
  await costly.settle()
  t.match(
    await costly.states(),
    [{ action: 'release' }, { action: 'cancel', state: 'sent' }],
    'it would lose: its nonce is freed',
  )
  t.match((await costly.journal.refusals(['w:3'])).of('w:3', 'release'), { kind: 'left' })
})

t.test('what the node forgets and cannot include is replaced, however often it is sent again', async (t) => {
  const { node, send, settle, age, states } = await scene(t)
  await send('w:1')
  node.baseFee = 50n * 10n ** 9n
  for (let turn = 0; turn < 11; turn++) {
    node.pool.clear()
    await age(5)
    await settle()
  }
  t.match(await states(), [{ state: 'sent', gwei: 21 }], 'after 55 s of 60')
  t.equal(new Set(node.got.map(({ hash }) => hash)).size, 1)
  for (let turn = 0; turn < 3; turn++) {
    node.pool.clear()
    await age(5)
    await settle()
  }
  t.match(await states(), [{ nonce: 0 }, { nonce: 0, state: 'sent', gwei: 101 }], 'twice the base fee and the tip')
})

t.test('behind a node that forgets at times, what is late is replaced as well', async (t) => {
  const { node, send, settle, age, states } = await scene(t)
  await send('w:1')
  for (let turn = 0; turn < 14; turn++) {
    if (turn % 2 === 0) node.pool.clear()
    await age(5)
    await settle()
  }
  t.match(await states(), [{ nonce: 0 }, { nonce: 0, gwei: 23.625 }])
})

t.test('old refusals, and those beyond a number, are removed', async (t) => {
  const { journal, sender } = await scene(t)
  await pool.query(
    `insert into relay.refusals select $1, 'w:' || n, 'release', 'mainnet', 'x', 'later', 1, now(),
      now() - n * interval '1 second' - case when n = 50005 then interval '31 days' else '0' end, null
    from generate_series(1, 50005) n`,
    [sender.address],
  )
  await journal.prune()
  const { rows } = await pool.query(
    `select count(*)::int4 as count, max(substr(leg, 3)::int4) as oldest from relay.refusals where signer = $1`,
    [sender.address],
  )
  t.same(rows, [{ count: 50_000, oldest: 50_000 }])
  await pool.query('delete from relay.refusals where signer = $1', [sender.address])
})
