// Limits of the operator on transactions that are sent, or were sent before a setting changed.
import t, { type Test } from 'tap'
import { releaseCalls } from '../../proofs/release-calls.ts'
import type { Context } from '../../relay/context.ts'
import { recipientOf } from '../../relay/evm/allowed.ts'
import { testDatabase } from '../support/database.ts'
import { senderScene } from './sender-scene.ts'

const database = await testDatabase(t)
const scene = (t: Test, relay: Partial<Context['config']> = {}) => senderScene(t, database, relay)

const HASH = `0x${'00'.repeat(32)}`
const RECIPIENT = `0x${'ab'.repeat(20)}`
const CONTRACT = `0x${'77'.repeat(20)}`
const RELEASE = {
  ...{ id: '1', domain: '1', token: CONTRACT, recipient: RECIPIENT, amount: '5', deadline: '9', fee: '0', memo: '0x' },
  ...{ recvSequence: '1', witness: HASH, actionSiblings: [], actionPath: '0', actionMroot: HASH, majorVersion: 1 },
  ...{ minorVersion: 0, blockNum: 1, timestamp: 1, parentTimestamp: 1, finalityDigest: HASH, treeSiblings: [] },
  ...{ treePath: '0', finalityMroot: HASH },
}

/** A call that ends a withdrawal by a stored root. */
function callOf(action: 'release' | 'expire'): string {
  const proof = { light: { releaseTo: CONTRACT, release: RELEASE }, hard: {} }
  return releaseCalls(proof as never, action)[0]?.data ?? ''
}

t.test('the maximum fee is what the budget pays for, and not less than the price now', async (t) => {
  const { node, send, settle, age, states } = await scene(t)
  await send('w:1', { budgetUsd: 3 })
  t.match(await states(), [{ state: 'sent', gwei: 12 }], '100,000 gas at 12 gwei are 3 USD, twice the base fee is 20')
  node.baseFee = 11_500_000_000n
  await age(3600)
  await settle()
  t.equal((await states()).length, 1, 'a replacement at 12.625 gwei would lose')
  await send('w:2', { budgetUsd: 3.125 })
  await send('w:3', { budgetUsd: 1000 })
  await send('w:4')
  t.same(
    (await states()).slice(1).map(({ gwei }) => gwei),
    [12.5, 24, 24],
    'base fee and tip at the least; twice the base fee where the budget is large or has no limit',
  )
  node.baseFee = 10n ** 10n
  await age(3600)
  await settle()
  const replaced = (await states()).slice(4).map(({ gwei }) => gwei)
  t.same(replaced, [13.5, 14.0625, 27, 27], 'nodes demand an eighth more')
})

t.test('a dry run needs no coins', async (t) => {
  const { node, send, context, states, limited } = await scene(t, { dryRun: true })
  const said: object[] = []
  context.log = { ...context.log, info: (message, fields) => void said.push([message, fields]) }
  node.balance = 0n
  node.feeCallError = { message: 'insufficient funds for gas * price + value' }
  t.equal(await send('w:1'), 'dry-run')
  t.match(said, [['would send', { leg: 'w:1', limit: 'balance' }]])
  t.same([await states(), limited], [[], []])
})

t.test('one whose fee no block takes is cancelled when others wait for its nonce', async (t) => {
  const { node, send, settle, age, states, journal } = await scene(t)
  await send('w:1', { budgetUsd: 3 })
  node.baseFee = 13_000_000_000n
  await age(3600)
  await settle()
  t.match(await states(), [{ nonce: 0, state: 'sent', gwei: 12 }], 'alone it waits for a lower base fee')
  await send('w:2', { budgetUsd: 1000 })
  await age(3600)
  await settle()
  t.match(await states(), [
    { nonce: 0, action: 'release', state: 'sent' },
    { nonce: 1, action: 'release', state: 'sent' },
    { nonce: 0, action: 'cancel', state: 'sent' },
  ])
  t.match((await journal.refusals(['w:1'])).of('w:1', 'release'), { kind: 'left' })
})

t.test('a release to a recipient that is denied after it was sent frees its nonce at once', async (t) => {
  t.equal(recipientOf(callOf('release')), RECIPIENT)
  t.equal(recipientOf(callOf('expire')), null, 'it pays no one')
  t.equal(recipientOf(callOf('release').slice(0, 20)), null)
  const { node, send, settle, states, context, journal } = await scene(t)
  await send('w:1', { data: callOf('release') })
  await send('w:2', { data: callOf('expire'), action: 'expire' })
  context.config = { ...context.config, deny: [RECIPIENT.toUpperCase().replace('X', 'x')] }
  await settle()
  t.match(await states(), [
    { nonce: 0, action: 'release', state: 'sent' },
    { nonce: 1, action: 'expire', state: 'sent' },
    { nonce: 0, action: 'cancel', state: 'sent' },
  ])
  const { kind, reason } = (await journal.refusals(['w:1'])).of('w:1', 'release') ?? {}
  t.same([kind, reason], ['left', 'its recipient is in relay.deny'])
  await settle()
  t.equal(node.got.length, 3)
})

t.test('one that no node has yet is not sent', async (t) => {
  const { node, send, settle, states, context } = await scene(t)
  node.sendError = 'txpool is full'
  await send('w:1', { data: callOf('release') })
  context.config = { ...context.config, deny: [RECIPIENT] }
  node.sendError = null
  await settle()
  t.match(await states(), [
    { action: 'release', state: 'intended' },
    { action: 'cancel', state: 'sent' },
  ])
  t.same(
    node.got.map(({ data }) => data),
    ['0x'],
  )
})
