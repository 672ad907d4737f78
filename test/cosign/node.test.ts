// With a node: checks that need the chain, and a signature that the chain accepts.
import { Checksum256, PrivateKey as Keys, type PrivateKey, Serializer, Transaction } from '@wharfkit/antelope'
import t from 'tap'
import type { CosignConfig } from '../../config/cosign-schema.ts'
import { balanceOf } from '../../devnet/contracts/token.ts'
import { networks } from '../../devnet/networks.ts'
import { addChain, insert } from '../migrations/rows.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'
import { TestClock } from './clock.ts'
import { TestNode, withKey } from './node.ts'
import { shipped, startTestCosigner } from './service.ts'
import { by, call, noop, PAYER, pack, transfer, transferData, USER } from './transactions.ts'

const payerKey = Keys.generate('K1')
const userKey = Keys.generate('K1')
const SWAP = `swapexactin#0#${USER}#0.000001 USDT@usdt.svc#0`

type Test = Parameters<typeof testDatabase>[0]

function payer(key: PrivateKey, cpu = { used: 10, max: '1000' as number | string }) {
  const keys = { bw: String(key.toPublic()) }
  return withKey(Keys.generate('K1'), { keys, cpu, links: { bw: [{ account: 'liquid.svc', action: 'noop' }] } })
}

/** A node with a payer and a user, and a cosigner that uses it. */
async function setUp(t: Test, changes: Partial<CosignConfig> = {}, database?: TestDatabase) {
  const node = await new TestNode().start(t)
  node.accounts.set('liquid.svc', payer(payerKey))
  node.accounts.set(USER, withKey(userKey))
  const clock = new TestClock()
  const config = { node: node.url, tokens: 'any' as const, ...changes }
  const cosigner = await startTestCosigner(t, database ?? (await testDatabase(t)), config, { clock, key: payerKey })
  let made = 0
  /** A unique swap. */
  const swap = (
    header: object = {},
    actions = [
      noop(),
      transfer('swap.svc', { data: transferData('swap.svc', { memo: SWAP, quantity: `${++made}.00000000 WAX` }) }),
    ],
  ) => pack(actions, { ...node.reference, ...header })
  return { node, clock, cosigner, swap }
}

t.test('CPU-07 CPU-26 CPU-30 the chain accepts a cosigned swap once, and the cosigner does not push it', async (t) => {
  const { node, cosigner, swap } = await setUp(t)
  const before = balanceOf(node.chain.tables('usdt.svc'), USER, 'USDT')
  const hex = swap()
  const { status, body } = await cosigner.sign(hex)
  t.equal(status, 201)
  t.same(Object.keys(body), ['signature'])
  t.equal((await cosigner.sign(hex)).body.signature, body.signature)
  t.equal(node.asked.get('push_transaction'), undefined)

  const transaction = Serializer.decode({ data: hex, type: Transaction })
  const digest = transaction.signingDigest(Checksum256.from(networks.wax.chainId))
  const own = String(userKey.signDigest(digest))
  const push = async (signatures: string[]) => {
    const answer = await fetch(`${node.url}/v1/chain/push_transaction`, {
      method: 'POST',
      body: JSON.stringify({ signatures, compression: 0, packed_context_free_data: '', packed_trx: hex }),
    })
    return (await answer.json()) as { processed?: { id: string }; error?: { what: string } }
  }
  t.match((await push([own])).error?.what, /declares authority/, 'without the payer the chain refuses')
  const foreign = transaction.signingDigest(Checksum256.from(networks.telos.chainId))
  t.match(
    (await push([String(payerKey.signDigest(foreign)), own])).error?.what,
    /declares authority/,
    'refusal 24: of another chain',
  )
  t.equal((await push([body.signature, own])).processed?.id, String(transaction.id))
  t.ok(balanceOf(node.chain.tables('usdt.svc'), USER, 'USDT') > before, 'the swap has happened')
  t.match((await push([body.signature, own])).error?.what, /duplicate/)
})

t.test(
  'CPU-03 CPU-04 CPU-05 CPU-06 the payer’s CPU is checked every two minutes; above 70 percent it is throttled',
  async (t) => {
    const { node, clock, cosigner } = await setUp(t)
    const status = async () => (await cosigner.post('/api/v2/cpu/status', undefined)).body
    const settle = async (asked: number) => {
      await until('the node is asked', () => (node.asked.get('get_account') ?? 0) >= asked)
      await until('the answer is known', async () => (await status()).lastCheck === clock.now())
    }
    await settle(1)
    t.same(await status(), {
      available: true,
      signing: true,
      throttled: false,
      cpu: { used: 10, max: '1000', percent: 1 },
      lastCheck: clock.now(),
    })
    const cases: [used: number | string, max: number | string, throttled: boolean, percent: number][] = [
      [700, 1000, false, 70],
      ['701', '1000', true, 70.1],
      [699_999_999_999, 1_000_000_000_000, false, 69.99],
      ['700000000001', '1000000000000', true, 70],
      [5, 0, true, 100],
      [0, 0, true, 100],
      [5, -1, false, 0],
      [71, 100, true, 71],
    ]
    for (const [i, [used, max, throttled, percent]] of cases.entries()) {
      node.accounts.set('liquid.svc', payer(payerKey, { used: used as number, max }))
      const last = (await status()).lastCheck
      clock.advance(119_999)
      t.equal((await status()).lastCheck, last, 'not before two minutes')
      clock.advance(1)
      await settle(i + 2)
      const expected = {
        available: true,
        signing: !throttled,
        throttled,
        cpu: { used: Number(used), max: String(max), percent },
      }
      t.same(await status(), { ...expected, lastCheck: clock.now() })
    }
    node.isDown = true
    const last = await status()
    clock.advance(240_000)
    await new Promise((done) => setTimeout(done, 100))
    t.same(await status(), last, 'a node that is silent changes nothing')
  },
)

t.test('CPU-21 CPU-22 throttled, it still signs, up to half of the limits', async (t) => {
  const limits = {
    ipHour: 100,
    ipDay: 100,
    accountHour: 4,
    accountDay: 100,
    allHour: 100,
    allDay: 100,
    failuresHour: 9,
    ipFailuresHour: 9,
    reserveHour: 9,
    reserveDay: 9,
  }
  const { node, cosigner, clock, swap } = await setUp(t, { limits })
  node.accounts.set('liquid.svc', payer(payerKey, { used: 71, max: 100 }))
  clock.advance(120_000)
  await until('it is throttled', () => cosigner.cpu?.throttled === true)
  t.equal((await cosigner.post('/api/v2/cpu/status', undefined)).body.signing, false)
  for (let i = 0; i < 2; i++) t.equal((await cosigner.sign(swap())).status, 201)
  t.same((await cosigner.sign(swap())).body, { error: 'Hourly account limit exceeded' })
})

t.test('refusals that depend on the state of the chain', async (t) => {
  const limits = { ...shipped().config.limits, ipFailuresHour: 20 }
  const { node, clock, cosigner, swap } = await setUp(t, { minimumAgeSeconds: 3600, limits })
  /** The refusal of a transaction, or its answer when it is accepted. */
  const refusal = async (hex: string): Promise<string> => {
    const { status, body } = await cosigner.sign(hex)
    return status === 400 ? body.error : JSON.stringify(body)
  }
  const at = (seconds: number) => new Date(node.chain.headTime + seconds * 1000).toISOString().slice(0, 19)
  const transferOf = (user: string, changes = {}) => [
    noop(),
    transfer('swap.svc', { authorization: [by(user)], data: transferData('swap.svc', { from: user }), ...changes }),
  ]

  t.test('refusal 22: expired, or too far ahead', async (t) => {
    t.match(await refusal(swap({ expiration: at(-1) })), /has expired/)
    t.match(await refusal(swap({ expiration: at(1000) })), /expire in 900 seconds at most/)
  })
  t.test('refusal 23: another reference block', async (t) => {
    t.match(await refusal(swap({ ref_block_prefix: 5 })), /ref_block_prefix/)
    t.match(await refusal(swap({ ref_block_num: (node.reference.ref_block_num + 1) & 0xffff })), /ref_block_num/)
    t.match(await refusal(swap({ ref_block_num: (node.reference.ref_block_num - 8000) & 0xffff })), /ref_block_num/)
  })
  t.test('a reference to a block after the cached head', async (t) => {
    node.chain.produce()
    t.equal((await cosigner.sign(swap())).status, 201)
  })
  t.test('an account or permission that does not exist', async (t) => {
    t.match(await refusal(swap({}, transferOf('nobody'))), /account nobody does not exist/)
    t.match(
      await refusal(swap({}, transferOf(USER, { data: transferData('swap.svc'), authorization: [by(USER, 'trade')] }))),
      /no permission trade/,
    )
  })
  t.test('refusal 26: a permission that is delegated to many', async (t) => {
    node.accounts.set('deep', withKey(userKey, { delegates: 5 }))
    t.match(await refusal(swap({}, transferOf('deep'))), /delegated to more than 4/)
  })
  t.test('refusal 34: an account with a contract', async (t) => {
    node.accounts.set('coded', withKey(userKey, { hasCode: true }))
    t.match(await refusal(swap({}, transferOf('coded'))), /has a contract/)
  })
  t.test('refusal 39: a new account', async (t) => {
    node.accounts.set('young', withKey(userKey, { created: node.chain.headTime - 60_000 }))
    t.match(await refusal(swap({}, transferOf('young'))), /too new/)
  })
  t.test('refusal 33: a token whose transfer has another layout', async (t) => {
    t.match(
      await refusal(swap({}, [noop(), transfer('swap.svc', { account: 'tokens.svc' })])),
      /tokens.svc does not have the standard layout/,
    )
    t.match(
      await refusal(swap({}, [noop(), transfer('swap.svc', { account: 'nothing' })])),
      /nothing does not have the standard layout/,
    )
  })
  t.test('refusal 25 31 35 36: above the CPU ceiling in the trial', async (t) => {
    node.elapsedUs = 20_000
    t.equal((await cosigner.sign(swap())).status, 201)
    node.elapsedUs = 20_001
    t.match(await refusal(swap()), /takes 20001 µs of CPU, 20000 at most/)
    node.elapsedUs = 0
    t.match(await refusal(swap()), /takes 0 µs/)
    node.elapsedUs = 900
  })
  t.test('refusal 37: a transaction that fails in the trial; the address waits after too many', async (t) => {
    let made = 0
    const poor = () => {
      const data = transferData('swap.svc', { quantity: `${90_000_000 + ++made}.00000000 WAX` })
      return swap({}, [noop(), transfer('swap.svc', { data })])
    }
    const again = poor()
    const tried = () => node.asked.get('compute_transaction') ?? 0
    const before = tried()
    for (let i = 0; i < 25; i++) t.match(await refusal(again), /overdrawn/, 'one that is sent again and again')
    t.equal(tried() - before, 1, 'is tried once')
    clock.advance(10_000)
    t.match(await refusal(again), /overdrawn/)
    t.equal(tried() - before, 2, 'and again when its account may have been given something')
    // Two earlier transactions took too long.
    for (let i = 0; i < 17; i++) t.match(await refusal(poor()), /The transaction fails: .*overdrawn/)
    t.match(await refusal(poor()), /Too many transactions from this address have failed/)
  })
  t.test('a node that is silent is 503, and nothing is signed', async (t) => {
    node.accounts.set('bob', withKey(userKey))
    node.isDown = true
    clock.advance(60_000)
    const answer = await cosigner.sign(swap({}, transferOf('bob')), { 'x-forwarded-for': '198.51.100.7' })
    t.equal(answer.status, 503)
    t.same(Object.keys(answer.body), ['error'])
    node.isDown = false
  })
})

t.test('refusal 41: strangers cannot use up the reserve for transactions that an account signed', async (t) => {
  const { limits } = shipped().config
  const { node, cosigner, swap } = await setUp(t, {
    limits: { ...limits, accountHour: 2, reserveHour: 2, failuresHour: 1 },
  })
  const over = { error: 'Hourly account limit exceeded' }
  const signed = (hex: string, key = userKey, chainId: string = networks.wax.chainId) =>
    String(key.signDigest(Serializer.decode({ data: hex, type: Transaction }).signingDigest(Checksum256.from(chainId))))
  const ask = async (hex: string, signatures: unknown) =>
    (await cosigner.post('/api/v2/cpu/cosign', JSON.stringify({ serializedTransaction: hex, signatures }))).body
  const first = swap()
  t.match(await ask(first, [signed(first, payerKey)]), { signature: /^SIG_K1_/ }, 'nobody looks while there is room')
  t.equal((await cosigner.sign(swap())).status, 201)
  t.same((await cosigner.sign(swap())).body, over)
  const hex = swap()
  const wrong: [what: string, signatures: unknown][] = [
    ['of another key', [signed(hex, payerKey)]],
    ['of another chain', [signed(hex, userKey, networks.telos.chainId)]],
    ['of another transaction', [signed(first)]],
    ['that is none', ['SIG_K1_', 'x', '']],
    ['none', []],
  ]
  for (const [what, signatures] of wrong) t.same(await ask(hex, signatures), over, `a signature ${what}`)
  for (const signatures of ['SIG', {}, [5], Array(5).fill(signed(hex))])
    t.match(await ask(hex, signatures), { error: /signatures must be a list of at most 4/ })
  const { signature } = await ask(hex, [signed(hex, payerKey), signed(hex)])
  t.match(signature, /^SIG_K1_/)
  t.equal((await ask(hex, undefined)).signature, signature, 'a transaction that was counted is signed again')

  t.test('failures of strangers do not keep the account waiting; its own do', async (t) => {
    const poor = () => {
      const data = transferData('swap.svc', { quantity: `${90_000_000 + node.chain.head.num}.00000000 WAX` })
      return swap({ ref_block_prefix: node.reference.ref_block_prefix }, [noop(), transfer('swap.svc', { data })])
    }
    const failing = poor()
    t.match(await ask(failing, [signed(failing)]), { error: /overdrawn/ })
    const next = swap()
    t.match(await ask(next, [signed(next)]), { error: /have failed/ })
  })
})

t.test('a trial by send_read_only_transaction, where there is no other; none at all is 503', async (t) => {
  const { node, cosigner, swap } = await setUp(t)
  node.missing.add('compute_transaction')
  t.equal((await cosigner.sign(swap())).status, 201)
  t.equal(node.asked.get('send_read_only_transaction'), 1)
  node.missing.add('send_read_only_transaction')
  t.equal((await cosigner.sign(swap())).status, 503)
})

t.test('a node that does not support read-only transactions is not a failure of the user', async (t) => {
  const said = [
    ['transaction_exception', "read-only action 'noop' cannot have authorizations"],
    ['unsupported_feature', 'read-only transactions execution not enabled on API node. Set read-only-threads > 0'],
  ] as const
  for (const [name, message] of said)
    for (const asTrace of [false, true]) {
      const { node, cosigner, swap } = await setUp(t, { simulate: 'read-only' })
      node.readOnly = { name, message, asTrace }
      const hex = swap()
      for (let i = 0; i < 25; i++) {
        const { status, body } = await cosigner.sign(hex)
        t.match([status, body.error], [503, String], message)
      }
      node.readOnly = null
      t.equal((await cosigner.sign(hex)).status, 201, 'no failure was counted')
    }
})

t.test('a node of another chain is refused', async (t) => {
  const { node, cosigner, clock, swap } = await setUp(t)
  const hex = swap()
  Object.assign(node.chain, { chainId: networks.telos.chainId })
  clock.advance(60_000)
  t.equal((await cosigner.sign(hex)).status, 503)
})

t.test('refusal 31: tokens without a pool or market, which is the rule when there is a node', async (t) => {
  const database = await testDatabase(t)
  await addChain(database.pool, 'wax')
  const sides = {
    base_contract: 'eosio.token',
    base_symbol: 'WAX',
    base_decimals: 8,
    target_contract: 'usdt.svc',
    target_symbol: 'USDT',
    target_decimals: 6,
  }
  const rest = { min_buy: 1, min_buy_decimals: 6, min_sell: 1, min_sell_decimals: 8, frozen: false, fee: 0 }
  await insert(database.pool, 'state.markets', { chain: 'wax', market_id: 1, ...sides, ...rest })
  const { cosigner, swap } = await setUp(t, { tokens: undefined }, database)
  t.equal((await cosigner.sign(swap())).status, 201)
  const { status, body } = await cosigner.sign(swap({}, [noop(), transfer('swap.svc', { account: 'games.dev' })]))
  t.same([status, body.error], [400, 'Tokens of games.dev are not traded here'])
  t.equal(
    (await cosigner.sign(swap({}, [noop(), call('swap.svc', 'createpool', { authorization: [PAYER] })]))).status,
    400,
  )
})
