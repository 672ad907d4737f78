// The endpoints as clients use them: through the API, on the chain's host.
import { Checksum256, PrivateKey, Serializer, Signature, Transaction } from '@wharfkit/antelope'
import t from 'tap'
import { testApi, testChain } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { NOON_CLOCK } from './clock.ts'
import { startTestCosigner } from './service.ts'
import { by, call, noop, pack, transfer, transferData, USER, unique } from './transactions.ts'

const STATUS = '/api/v2/cpu/status'
const COSIGN = '/api/v2/cpu/cosign'
const JSON_TYPE = { 'content-type': 'application/json' }

t.test('through the API', async (t) => {
  const database = await testDatabase(t)
  const key = PrivateKey.generate('K1')
  const cosigner = await startTestCosigner(t, database, {}, { key })
  const chains = [testChain('wax'), testChain('telos')]
  const { app } = await testApi(t, database, { chains, cosign: { url: cosigner.url, chain: 'wax' } })

  const post = async (
    url: string,
    payload?: string | Buffer,
    headers: Record<string, string> = {},
    remoteAddress?: string,
  ) => {
    const answer = await app.inject({
      method: 'POST',
      url,
      payload,
      remoteAddress,
      headers: { host: 'wax.localhost', ...headers },
    })
    return { status: answer.statusCode, headers: answer.headers, body: JSON.parse(answer.payload) }
  }
  const cosign = (hex: unknown, headers = {}, address?: string) =>
    post(COSIGN, JSON.stringify({ serializedTransaction: hex }), { ...JSON_TYPE, ...headers }, address)

  t.test('CPU-01 status without a body, with {}, and with a type and nothing', async (t) => {
    for (const [payload, headers] of [
      [undefined, {}],
      ['{}', JSON_TYPE],
      ['', JSON_TYPE],
      [undefined, JSON_TYPE],
      ['x', JSON_TYPE],
    ] as const) {
      const { status, headers: answered } = await post(STATUS, payload, headers)
      t.equal(status, 200)
      t.match(answered['content-type'], /application\/json/)
      t.equal(answered['cache-control'], 'no-store')
    }
  })

  t.test('CPU-02 CPU-03 its members; cpu and lastCheck are null before a check', async (t) => {
    const { body } = await post(STATUS)
    t.same(body, { available: true, signing: true, throttled: false, cpu: null, lastCheck: null })
  })

  t.test('CPU-07 CPU-30 a signature, and nothing else, of the payer’s key over the chain id', async (t) => {
    const hex = unique()
    const { status, body } = await cosign(hex)
    t.equal(status, 201)
    t.same(Object.keys(body), ['signature'])
    t.match(body.signature, /^SIG_K1_/)
    const transaction = Serializer.decode({ data: hex, type: Transaction })
    const over = (chainId: string) =>
      String(Signature.from(body.signature).recoverDigest(transaction.signingDigest(Checksum256.from(chainId))))
    t.equal(over('1064487b3cd1a897ce03ae5b6a865651747e2e152090f99c1d19d44e01aec5a4'), String(key.toPublic()))
    t.not(
      over('4667b205c6838ef70ff7988f6e8257e8be0e1284a2f59699054a018f743b1d11'),
      String(key.toPublic()),
      'of another chain',
    )
  })

  t.test('CPU-08 CPU-31 bytes that are not a transaction are 400 with an error', async (t) => {
    const bodies = [
      '',
      '{',
      '[]',
      '{}',
      '{"serializedTransaction":5}',
      '{"serializedTransaction":"xyz"}',
      '{"serializedTransaction":"00"}',
    ]
    for (const payload of bodies) {
      const { status, body } = await post(COSIGN, payload, JSON_TYPE)
      t.same([status, typeof body.error], [400, 'string'], payload)
    }
    t.equal((await cosign(pack([noop(), transfer()]).slice(0, -4))).status, 400)
    t.equal((await post(COSIGN, 'x'.repeat(100_000), JSON_TYPE)).status, 400)
    t.equal((await post(COSIGN, Buffer.alloc(500, 7), { 'content-encoding': 'gzip' })).status, 400)
  })

  const refused: [id: string, hex: string, text: string | RegExp][] = [
    ['CPU-09 another first action', pack([transfer()]), 'First action must be noop from payer'],
    [
      'CPU-09 another permission',
      pack([noop({ authorization: [by('liquid.svc')] }), transfer()]),
      'First action must be noop from payer',
    ],
    ['CPU-10', pack([noop(), call('atomicassets', 'mint')]), 'Contract atomicassets is not allowed'],
    ['CPU-11', pack([noop(), transfer('bob')]), 'Transfer recipient bob is not allowed'],
    [
      'CPU-11 any token',
      pack([noop(), transfer('bob', { account: 'usdt.svc' })]),
      'Transfer recipient bob is not allowed',
    ],
    ['CPU-13 the third action', pack([noop(), transfer(), transfer('bob')]), 'Transfer recipient bob is not allowed'],
    ['CPU-14', pack([noop()]), /./],
    ['CPU-27 trailing bytes', `${pack([noop(), transfer()])}00`, /follow/],
    ['CPU-28 a delay', pack([noop(), transfer()], { delay_sec: 3 }), /delay_sec/],
  ]
  for (const [id, hex, text] of refused)
    t.test(`${id} is 400`, async (t) => {
      const { status, body } = await cosign(hex)
      t.equal(status, 400)
      if (typeof text === 'string') t.equal(body.error, text)
      else t.match(body.error, text)
    })

  t.test('CPU-12 transfers to each contract of the exchange, and its actions', async (t) => {
    for (const account of ['svcdexmain', 'swap.svc', 'otc.svc', 'svcotcswap', 'liquid.svc']) {
      t.equal((await cosign(unique([noop(), transfer(account)]))).status, 201, account)
      t.equal((await cosign(unique([noop(), call(account, 'collect')]))).status, 201, account)
    }
  })

  t.test('CPU-26 CPU-27 the same transaction again, and in capital letters: the same signature', async (t) => {
    const hex = unique()
    const { signature } = (await cosign(hex)).body
    t.equal((await cosign(hex)).body.signature, signature)
    t.equal((await cosign(hex.toUpperCase())).body.signature, signature)
  })

  t.test('CPU-16 CPU-20 the 501st of an address in an hour is 400', async (t) => {
    const address = '203.0.113.77'
    const now = new Date(NOON_CLOCK.now())
    now.setUTCMinutes(0, 0, 0)
    const fill = (key: string, used: number) =>
      database.pool.query(`insert into cosign.counters values ('wax', 'ip', $1, 'hour', $2, $3)`, [key, now, used])
    await fill(address, 499)
    t.equal((await cosign(unique(), {}, address)).status, 201)
    const { status, body } = await cosign(unique(), {}, address)
    t.same([status, body], [400, { error: 'Hourly IP limit exceeded' }])
    const forged = await cosign(unique(), { 'x-forwarded-for': '198.51.100.1' }, address)
    t.same(forged.body, { error: 'Hourly IP limit exceeded' }, 'CPU-24 a forged header')
    t.equal((await cosign(unique(), {}, '203.0.113.78')).status, 201)
  })

  t.test('CPU-17 the 2001st of an account in a day is 400', async (t) => {
    const now = new Date(NOON_CLOCK.now())
    now.setUTCHours(0, 0, 0, 0)
    const user = 'carol.gm'
    await database.pool.query(`insert into cosign.counters values ('wax', 'account', $1, 'day', $2, 1999)`, [user, now])
    const of = () =>
      unique([
        noop(),
        transfer('swap.svc', { authorization: [by(user)], data: transferData('swap.svc', { from: user }) }),
      ])
    t.equal((await cosign(of())).status, 201)
    t.same((await cosign(of())).body, { error: 'Daily account limit exceeded' })
  })

  t.test('CPU-25 every site may ask, also when it is refused', async (t) => {
    const origin = { origin: 'https://wallet.example' }
    for (const { headers } of [
      await post(STATUS, undefined, origin),
      await cosign(unique(), origin),
      await cosign('zz', origin),
    ])
      t.equal(headers['access-control-allow-origin'], '*')
    for (const url of [STATUS, COSIGN]) {
      const asked = {
        host: 'wax.localhost',
        ...origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      }
      const { statusCode, headers } = await app.inject({ method: 'OPTIONS', url, headers: asked })
      t.equal(statusCode, 204)
      t.equal(headers['access-control-allow-origin'], '*')
      t.match(headers['access-control-allow-methods'], /POST/)
      t.match(headers['access-control-allow-headers'], /content-type/)
    }
  })

  t.test('CPU-29 only on the host of wax, only by POST', async (t) => {
    for (const url of [STATUS, COSIGN]) {
      t.equal((await post(url, '{}', { ...JSON_TYPE, host: 'telos.localhost' })).status, 404)
      t.equal((await post(url, '{}', { ...JSON_TYPE, host: 'nothing.example' })).status, 404)
      t.equal((await app.inject({ url, headers: { host: 'wax.localhost' } })).statusCode, 404)
    }
  })
})

t.test('without a key, switched off, or without a cosigner', async (t) => {
  const database = await testDatabase(t)
  const off = { available: false, signing: false, throttled: false, cpu: null, lastCheck: null }
  const keyless = await startTestCosigner(t, database, { keyFile: undefined })
  t.same((await keyless.post(STATUS, undefined)).body, off)
  t.equal((await keyless.sign(unique())).status, 503)
  t.equal((await keyless.sign(pack([transfer()]))).body.error, 'First action must be noop from payer')

  const cosigner = await startTestCosigner(t, database)
  await database.pool.query(`select cosign.set_switch('wax', false)`)
  t.same((await cosigner.post(STATUS, undefined)).body, off)
  const { status, body } = await cosigner.sign(unique())
  t.equal(status, 503)
  t.match(body.error, /switched off/)
  await database.pool.query(`select cosign.set_switch('wax', true)`)
  t.equal((await cosigner.sign(unique())).status, 201)

  const url = 'http://127.0.0.1:9'
  const { app } = await testApi(t, database, { chains: [testChain('wax')], cosign: { url, chain: 'wax' } })
  const ask = async (path: string, payload: string) => {
    const answer = await app.inject({
      method: 'POST',
      url: path,
      payload,
      headers: { host: 'wax.localhost', ...JSON_TYPE },
    })
    return [answer.statusCode, JSON.parse(answer.payload)]
  }
  t.same(await ask(STATUS, '{}'), [200, off])
  t.match(await ask(COSIGN, JSON.stringify({ serializedTransaction: unique() })), [
    503,
    { error: /not sponsored at present/ },
  ])

  await database.pool.query(`select cosign.set_switch('wax', false)`)
  const chains = [testChain('wax')]
  const { app: through } = await testApi(t, database, { chains, cosign: { url: cosigner.url, chain: 'wax' } })
  const payload = JSON.stringify({ serializedTransaction: unique() })
  const headers = { host: 'wax.localhost', ...JSON_TYPE }
  const { statusCode, headers: answered } = await through.inject({ method: 'POST', url: COSIGN, payload, headers })
  t.same([statusCode, answered['retry-after']], [503, '5'], 'when to come back is told through the API as well')
})

t.test('a lost database is 503, not 500', async (t) => {
  const database = await testDatabase(t)
  const cosigner = await startTestCosigner(t, database)
  await database.pool.query('alter function cosign.take rename to taken')
  const { status, body } = await cosigner.sign(unique([noop(), call('swap.svc', 'x', { authorization: [by(USER)] })]))
  t.equal(status, 503)
  t.same(Object.keys(body), ['error'])
})
