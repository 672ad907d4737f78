// The relayer on Antelope chains: each transaction once, refusals, and the ways back on the devnet's own contracts.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PrivateKey } from '@wharfkit/antelope'
import t, { type Test } from 'tap'
import { loadConfig } from '../../config/load.ts'
import { RetryableError } from '../../core/errors.ts'
import { WAX_DOMAIN } from '../../devnet/contracts/bridge/domains.ts'
import { BRIDGE, HOP } from '../../devnet/contracts/exchange.ts'
import { AntelopeKey, type AntelopeSigner } from '../../relay/antelope/key.ts'
import { AntelopeLane } from '../../relay/antelope/lane.ts'
import { AntelopeChain } from '../../relay/antelope/node.ts'
import { Outcomes } from '../../relay/antelope/outcomes.ts'
import { Board, Decisions } from '../../relay/board.ts'
import { BridgeApi } from '../../relay/bridge-api.ts'
import { type Task, tasksOf } from '../../relay/choice/task.ts'
import { Tokens } from '../../relay/choice/tokens.ts'
import { type Context, Limits, type RelayedAction } from '../../relay/context.ts'
import { SILENT } from '../../relay/log.ts'
import { RelayMetrics } from '../../relay/metrics.ts'
import type { PendingDeposit, PendingWork } from '../../relay/pending.ts'
import { Journal } from '../../relay/state/journal.ts'
import { relayStatus, statusText } from '../../relay/status.ts'
import { testDatabase } from '../support/database.ts'
import { CHAIN_ID, type FakeNode, startFakeNode } from './antelope-node.ts'
import { keyFile } from './key-file.ts'
import { lateJourney } from './late-journey.ts'

const { url: databaseUrl, pool } = await testDatabase(t)
const status = { code: 200 }
const server = createServer((_, response) => {
  const credit = { account: 'gateway.evm', name: 'credit', authorization: [], data: '00', decoded: {} }
  response.writeHead(status.code, { connection: 'close' }).end(JSON.stringify([credit]))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
t.teardown(() => void server.close())
const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
const relayConfig = loadConfig({ env: {}, program: { chains: ['telos', 'mainnet'] } }).config.relay
const settings = { ...relayConfig, api, policy: 'always' as const, gasUsdDay: 1e6, maxLagSeconds: 1e9 }

const TOKENS = new Tokens([
  { domain: '1', token: '0x55', symbol: 'USDC', decimals: 6 },
  { domain: `${WAX_DOMAIN}`, token: 'wrap.svc', symbol: 'USDC', decimals: 6 },
])
/** Tasks of lists. */
const listOf = (work: PendingWork) => tasksOf(work, TOKENS)

const refusal = async (leg: string) =>
  (await pool.query('select reason, kind from relay.refusals where leg = $1', [leg])).rows[0]

/** A relayer of a node, each look by a new process. */
function lanes(t: Test, node: FakeNode, ledger: unknown = null) {
  const key = AntelopeKey.read(keyFile(t, String(PrivateKey.generate('K1'))))
  const signer = { signed: 0, error: null as Error | null }
  const sign: AntelopeSigner['sign'] = async (...what) => {
    if (signer.error) throw signer.error
    signer.signed++
    return key.sign(...what)
  }
  const seen: RelayedAction[] = []
  const metrics = new RelayMetrics()

  /** A look at the work. @param tasks  null: the API does not answer @param end  step at which it ends */
  const turn = async (tasks: Task[] | null, end?: 'intended' | 'sent', relay: object = {}): Promise<void> => {
    const journal = await Journal.open(databaseUrl, ['relayer.svc'])
    const { signal } = new AbortController()
    const context: Context = {
      config: { ...settings, ...relay },
      ...{
        journal,
        log: SILENT,
        limits: new Limits(),
        metrics,
        api: new BridgeApi(settings.api, signal),
      },
      prices: () => new Map([['USDC', 1]]),
      tokens: () => TOKENS,
      onAction: (action) => void seen.push(action),
      onStep: (step) => {
        if (step === end) throw new Error('the process ends')
      },
    }
    const chain = new AntelopeChain('telos', node.url, signal, SILENT)
    const contracts = { bridge: ['bridge.svc'], hop: ['hop.svc'], gateways: ['gateway.evm'] }
    const sender = { account: 'relayer.svc', permission: 'relay' }
    const maker = { chain, api: context.api, ...sender, contracts, ledger: ledger as null }
    const lane = new AntelopeLane(
      context,
      { ...maker, outcomes: new Outcomes(new Map()) },
      { publicKey: key.publicKey, sign },
      CHAIN_ID,
    )
    const look = async () => {
      const info = await lane.settle(tasks && { tasks, requestedAt: Number.POSITIVE_INFINITY })
      const refusals = await journal.refusals((tasks ?? []).map(({ leg }) => leg))
      const board = new Board(refusals, await journal.busy(), new Decisions(SILENT))
      if (info !== null && tasks !== null) await lane.turn(info, tasks, board)
    }
    const turned = look()
    try {
      await (end === undefined ? turned : t.rejects(turned, { message: 'the process ends' }))
    } finally {
      await journal.close()
    }
  }
  return { turn, seen, signer, metrics }
}

t.test('an Antelope transaction runs once, whatever happens between its steps', async (t) => {
  const node = await startFakeNode(t)
  const { turn, seen } = lanes(t, node)
  const deposit = { key: 'd:1:4', contract: 'bridge.svc', domain: '1', nonce: '4', recipient: 'bob', symbol: 'USDC' }
  const work = { pending: [], settlements: [], hops: [] }
  const listed = listOf({
    ...work,
    deposits: [{ ...deposit, amount: '5', precision: 6, actions: ['forward', 'bounce'] }],
  })
  const states = async () =>
    (await pool.query('select action, state from relay.intents where leg = $1 order by id', [deposit.key])).rows

  await turn(listed, 'intended')
  t.same([node.ran.length, await states()], [0, [{ action: 'forward', state: 'intended' }]])
  await turn(listed, 'sent')
  t.same([node.ran.length, await states()], [1, [{ action: 'forward', state: 'intended' }]])
  await turn(listed)
  t.same([node.ran.length, await states()], [1, [{ action: 'forward', state: 'sent' }]], 'the node has the bytes')
  await turn([])
  t.match(await states(), [{ state: 'sent' }], 'not final yet')

  // A fork drops it, and the work is listed when it can be in no block any more.
  node.time += 600_000
  await turn(listed)
  t.match(await states(), [{ state: 'expired' }])
  await turn(listed)
  t.match(await states(), [{ state: 'expired' }, { state: 'mined' }])
  t.equal(node.ran.length, 2)
  node.time += 600_000
  await turn([])
  t.match(await states(), [{ state: 'expired' }, { state: 'done' }])
  t.match(seen, [{ key: deposit.key, what: 'forward', refused: null }])

  // The actions of a credit come from the API as they are sent.
  await turn(
    listOf({
      ...work,
      deposits: [{ ...deposit, key: 'd:1:5', nonce: '5', amount: '5', precision: 6, actions: ['credit'] }],
    }),
  )
  t.match(seen.at(-1), { key: 'd:1:5', what: 'credit', refused: null })
  node.ran.pop()

  // The receiver refuses: the way back is tried in the same look.
  await pool.query(`update relay.intents set ended_at = ended_at - interval '1 hour'`)
  node.refusal = 'assertion failure with message: no such order'
  await turn(listed)
  const refused = await pool.query(`select action, kind, reason from relay.refusals where leg = $1 order by 1`, [
    deposit.key,
  ])
  const reason = node.refusal
  t.same(refused.rows, [
    { action: 'bounce', kind: 'later', reason },
    { action: 'forward', kind: 'later', reason },
  ])
  t.equal(node.ran.length, 2)

  // Entries that the relayer cannot take, before one that it can; a denied recipient's deposit goes back.
  node.refusal = null
  const one = (nonce: string, more: Partial<PendingDeposit> = {}): PendingDeposit => {
    return { ...deposit, key: `d:1:${nonce}`, nonce, amount: '5', precision: 6, actions: ['forward'], ...more }
  }
  const denied = one('8', { recipient: 'mallory', actions: ['forward', 'bounce'] })
  const listedNow = [one('6', { contract: 'eosio.token' }), one('7'), denied]
  const settle = {
    key: 'w:77',
    contract: 'gateway.evm',
    id: '77',
    domain: 'one',
    owner: 'dave',
    tx: '00',
    released: true,
  }
  await turn(listOf({ ...work, deposits: listedNow, settlements: [{ ...settle, action: 'settle' }] }), undefined, {
    deny: ['mallory'],
  })
  t.match(await refusal('d:1:6'), { reason: /^RELAY_NOT_ALLOWED: eosio.token::forward/, kind: 'proof' })
  t.match(await refusal('w:77'), { kind: 'later' }, 'trouble of one entry')
  const sent = await pool.query(
    `select leg, action from relay.intents where leg in ('d:1:6', 'd:1:7', 'd:1:8') order by 1`,
  )
  t.same(sent.rows, [
    { leg: 'd:1:7', action: 'forward' },
    { leg: 'd:1:8', action: 'bounce' },
  ])

  // A lack of CPU ends no transaction, and neither does a refusal of bytes that were sent before.
  Object.assign(node, { refusal: 'billed CPU time is too high', refusalKind: 'tx_cpu_usage_exceeded', triesWell: true })
  const cpu = listOf({ ...work, deposits: [one('9')] })
  const stateOf9 = async () => (await pool.query(`select state from relay.intents where leg = 'd:1:9'`)).rows
  await turn(cpu)
  t.same(await stateOf9(), [{ state: 'intended' }])
  t.match(await refusal('d:1:9'), { reason: /relayer.svc lacks CPU/, kind: 'later' })
  node.refusalKind = 'eosio_assert_message_exception'
  await turn(cpu)
  t.same(await stateOf9(), [{ state: 'intended' }], 'the first push may still come into a block')
  node.time += 600_000
  await turn(cpu)
  t.same(await stateOf9(), [{ state: 'expired' }])
})

t.test('an action that cannot be made here, or not yet, is explained', async (t) => {
  const node = await startFakeNode(t)
  const { turn } = lanes(t, node)
  const settlement = { contract: 'gateway.evm', owner: 'dave', released: true, action: 'settle' as const, tx: 'ab' }
  const settlements = [
    { ...settlement, key: 'w:60', id: '60', domain: '1' },
    { ...settlement, key: 'w:61', id: '61', domain: `${WAX_DOMAIN}` },
  ]
  const credit = { key: 'd:1:62', contract: 'gateway.evm', domain: '1', nonce: '62', recipient: 'bob', symbol: 'USDC' }
  const deposits: PendingDeposit[] = [{ ...credit, amount: '5', precision: 6, actions: ['credit'] }]
  status.code = 404
  t.teardown(() => void (status.code = 200))
  await turn(listOf({ pending: [], hops: [], deposits, settlements }))
  t.match(await refusal('w:60'), { kind: 'left', reason: /^this relayer makes no evidence .* relay\.outcomes is none/ })
  t.match(await refusal('w:61'), { kind: 'left', reason: /paid on an Antelope chain$/ })
  t.match(await refusal('d:1:62'), { kind: 'later', reason: 'the bridge API has no proof yet' })
  const text = statusText(await relayStatus(databaseUrl))
  t.match(text, /^left: settle w:60 on telos, 1 times: this relayer makes no evidence/m)
  t.same(node.signatures, [])
})

t.test('a transaction to a party that is denied by now is not pushed again', async (t) => {
  const node = await startFakeNode(t)
  const { turn } = lanes(t, node)
  const deposit = { key: 'd:1:70', contract: 'bridge.svc', domain: '1', nonce: '70', recipient: 'bob', symbol: 'USDC' }
  const deposits: PendingDeposit[] = [{ ...deposit, amount: '5', precision: 6, actions: ['forward'] }]
  const listed = listOf({ pending: [], settlements: [], hops: [], deposits })
  await turn(listed, 'intended')
  for (const tasks of [listed, null]) await turn(tasks, undefined, { deny: ['Bob'] })
  t.same(node.ran, [])
  await turn(listed, undefined, { deny: ['mallory'] })
  t.equal(node.ran.length, 1)
})

t.test('the age of an open transaction grows although it is pushed again and again', async (t) => {
  const node = await startFakeNode(t)
  const { turn, metrics } = lanes(t, node)
  const deposit = { key: 'd:1:80', contract: 'bridge.svc', domain: '1', nonce: '80', recipient: 'bob', symbol: 'USDC' }
  const deposits: PendingDeposit[] = [{ ...deposit, amount: '5', precision: 6, actions: ['forward'] }]
  const listed = listOf({ pending: [], settlements: [], hops: [], deposits })
  await turn(listed, 'sent')
  await turn(listed)
  await pool.query(`update relay.intents set created_at = created_at - interval '100 seconds' where leg = 'd:1:80'`)
  await turn(listed)
  const age = async () => (await metrics.oldest.get()).values[0]?.value ?? 0
  t.ok((await age()) >= 100, `${await age()} s`)

  await pool.query(`update relay.intents set created_at = created_at - interval '100 seconds' where leg = 'd:1:80'`)
  await turn(listed, undefined, { maxLagSeconds: -1 })
  t.ok((await age()) >= 200, `also while the node lags: ${await age()} s`)
})

t.test('a transaction is signed once; a signer that fails is no refusal of the entry', async (t) => {
  const node = await startFakeNode(t)
  const { turn, signer } = lanes(t, node)
  const deposit = { key: 'd:1:40', contract: 'bridge.svc', domain: '1', nonce: '40', recipient: 'bob', symbol: 'USDC' }
  const deposits: PendingDeposit[] = [{ ...deposit, amount: '5', precision: 6, actions: ['forward', 'bounce'] }]
  const listed = listOf({ pending: [], settlements: [], hops: [], deposits })
  signer.error = new RetryableError('RELAY_SIGNER', 'the wallet is locked', { hint: 'unlock it' })
  await t.rejects(turn(listed), { code: 'RELAY_SIGNER' })
  t.equal(await refusal(deposit.key), undefined)
  t.same(node.signatures, [], 'a trial has no signature')
  signer.error = null
  await turn(listed, 'sent')
  signer.error = new Error('not asked again')
  await turn(listed)
  node.time += 600_000
  await turn(null)
  t.equal(signer.signed, 1)
  t.equal(new Set(node.signatures).size, 1)
  const { rows } = await pool.query(`select state from relay.intents where leg = $1`, [deposit.key])
  t.same(rows, [{ state: 'sent' }], 'without an answer of the API it has not ended')
})

/** A withdrawal to wax that waits for its payment. */
const paymentOf = (id: string) => ({
  ...{ key: `w:${id}`, action: 'release' as const, id, domain: `${WAX_DOMAIN}`, releaseTo: null, recipient: 'bob' },
  ...{ token: 'wrap.svc', symbol: 'USDC', amount: '5', precision: 6, fee: '0', deadline: 1e10, estimatedGas: null },
  ...{ fits: null, hasProof: false, src_time: 1 },
})
const WAX_ABI = JSON.parse(readFileSync(new URL('../../abis/bridge.svc.wax.devnet.abi.json', import.meta.url), 'utf8'))

t.test('a payment is signed again only when the chain has none, whatever the bridge API lists', async (t) => {
  const node = await startFakeNode(t)
  node.abiOf = () => WAX_ABI
  const { turn, signer } = lanes(t, node, { requireWithdrawal: async () => {} })
  const listed = listOf({ pending: [paymentOf('91')], deposits: [], settlements: [], hops: [] })
  await turn(listed)
  // The API still lists it when it has expired: it lags, or the chain has dropped it.
  node.time += 600_000
  node.paid = ['91']
  const again = async () => {
    await pool.query(`update relay.refusals set retry_at = now() where leg = 'w:91'`)
    await turn(listed)
  }
  await again()
  await again()
  t.match(await refusal('w:91'), { kind: 'done', reason: 'w:91 is paid already, and the bridge API lists it' })
  node.paid = null
  await again()
  t.match(await refusal('w:91'), { kind: 'later', reason: /no table shows whether it was made$/ })
  t.equal(signer.signed, 1)
  node.paid = []
  await again()
  t.equal(signer.signed, 2)
})

t.test('a payment that the contract refused is pushed again as it is until it expires', async (t) => {
  const node = await startFakeNode(t)
  node.abiOf = () => WAX_ABI
  const { turn, signer } = lanes(t, node, { requireWithdrawal: async () => {} })
  const entry = paymentOf('90')
  const listed = listOf({ pending: [entry], deposits: [], settlements: [], hops: [] })
  const retry = () => pool.query(`update relay.refusals set retry_at = now() where leg = 'w:90'`)
  node.triesWell = true
  node.refusal = 'no coins'
  await turn(listed)
  await turn(listed)
  t.equal(node.signatures.length, 1, 'its pause holds')
  await retry()
  await turn(listed)
  t.same([signer.signed, new Set(node.signatures).size, node.signatures.length], [1, 1, 2], 'the same bytes')
  node.time += 600_000
  await retry()
  await turn(listed)
  const states = await pool.query(`select state, reason from relay.intents where leg = 'w:90' order by id`)
  t.match(
    states.rows,
    [{ state: 'reverted' }, { state: 'intended', reason: 'no coins' }],
    'another one after its expiration',
  )
  t.equal(signer.signed, 2)
  node.refusal = null
  await retry()
  await turn(listed)
  t.match(node.ran.length, 1)
})

t.test('an expired withdrawal is refunded, and its journey recovered', async (t) => {
  const node = await startFakeNode(t)
  const { turn, seen } = lanes(t, node)
  const { hop, status } = lateJourney(node)
  const [withdrawal, journey] = [`w:${hop.wd_id}`, 'd:1:8']
  const refund = { key: withdrawal, contract: BRIDGE, id: `${hop.wd_id}`, domain: `${WAX_DOMAIN}`, owner: HOP }
  const work = listOf({
    ...{ pending: [], deposits: [] },
    settlements: [{ ...refund, action: 'refund', released: null, tx: null }],
    hops: [{ key: journey, contract: HOP, id: `${hop.id}`, back: { recipient: 'bob' } }],
  })
  const [, recover] = work
  if (recover === undefined) throw new Error('no recovery')
  await turn([recover])
  t.match(await refusal(journey), { kind: 'later', reason: 'the withdrawal is not refunded yet' })
  await pool.query('update relay.refusals set retry_at = now()')
  node.time += 5000
  await turn(work.filter((task) => task !== recover))
  await turn(work)
  t.match(seen, [
    { key: journey, what: 'recover', refused: /not refunded yet/ },
    { key: withdrawal, what: 'refund', refused: null },
    { key: journey, what: 'recover', refused: null },
  ])
  t.equal(status(), 3, 'returned')
  t.equal(await refusal(journey), undefined)
})
