// Attacks on the cosigner: other encodings of the same transaction, similar names, ambiguous JSON, and HTTP that is
// truncated, too long or ambiguous.
import { connect } from 'node:net'
import { Checksum256, Name, Serializer, Signature, Transaction } from '@wharfkit/antelope'
import t from 'tap'
import { testDatabase } from '../support/database.ts'
import { shipped, startTestCosigner } from './service.ts'
import { by, call, noop, pack, type TestAction, transfer, transferData, unique } from './transactions.ts'

const PATH = '/api/v2/cpu/cosign'
const GOOD = [noop(), transfer()]

/** A transaction byte by byte: each item is a varuint or bytes. */
function parts(actions: readonly TestAction[]): (number | string)[] {
  const name = (text: string) => Serializer.encode({ object: Name.from(text) }).hexString
  const packed = actions.flatMap(({ account, name: called, authorization, data }) => [
    name(account) + name(called),
    authorization.length,
    authorization.map(({ actor, permission }) => name(actor) + name(permission)).join(''),
    data.length / 2,
    data,
  ])
  return ['80da4d71070000004d00', 0, '00', 0, 0, actions.length, ...packed, 0]
}

function encode(items: readonly (number | string)[], form: (value: number, at: number) => string): string {
  return items.map((item, at) => (typeof item === 'string' ? item : form(item, at))).join('')
}

const shortest = (value: number) =>
  Buffer.from(value < 128 ? [value] : [(value & 127) | 128, value >> 7]).toString('hex')
/** A varuint of a given length. */
function padded(value: number, bytes: number): string {
  const groups = Array.from({ length: bytes }, (_, i) => ((value >> (7 * i)) & 127) | (i < bytes - 1 ? 128 : 0))
  return Buffer.from(groups).toString('hex')
}

t.test('other encodings of a transaction that would be signed', async (t) => {
  const cosigner = await startTestCosigner(t, await testDatabase(t))
  const items = parts(GOOD)
  t.equal((await cosigner.sign(encode(items, shortest))).status, 201, 'the shortest form')
  const numbers = items.flatMap((item, at) => (typeof item === 'number' ? [at] : []))
  t.equal(numbers.length, 9)
  for (const at of numbers)
    for (const bytes of [2, 3, 4, 5]) {
      const hex = encode(items, (value, i) => (i === at ? padded(value, bytes) : shortest(value)))
      const { status, body } = await cosigner.sign(hex)
      t.same([status, typeof body.error], [400, 'string'], `number ${at} in ${bytes} bytes`)
    }
  for (const long of ['808080808000', '8080808010', 'ffffffffff'])
    for (const at of numbers) {
      const { status } = await cosigner.sign(encode(items, (value, i) => (i === at ? long : shortest(value))))
      t.equal(status, 400, `${long} at ${at}`)
    }
  const memo = transferData('swap.svc', { memo: 'x' })
  for (const length of ['8100', '818000', '8180808000', '02', '00', 'ff'])
    t.equal(
      (await cosigner.sign(pack([noop(), transfer('swap.svc', { data: memo.replace(/0178$/, `${length}78`) })])))
        .status,
      400,
      `the memo's length as ${length}`,
    )
})

t.test('names that look alike', async (t) => {
  const cosigner = await startTestCosigner(t, await testDatabase(t))
  const alike = ['liquid.svc.', 'liquid.svc..1', 'liquid.svc..j', 'liquid.svca', 'iquid.svc', 'liquid.sv']
  for (const account of alike.slice(1)) {
    const hex = pack([noop({ account }), transfer()])
    t.equal((await cosigner.sign(hex)).body.error, 'First action must be noop from payer', account)
    const actor = pack([noop({ authorization: [by(account, 'bw')] }), transfer()])
    t.equal((await cosigner.sign(actor)).body.error, 'First action must be noop from payer', account)
    const to = pack([noop(), transfer(account)])
    t.equal((await cosigner.sign(to)).body.error, `Transfer recipient ${account} is not allowed`)
    const other = pack([noop(), call(account)])
    t.equal((await cosigner.sign(other)).body.error, `Contract ${account} is not allowed`)
  }
  for (const permission of ['bw1', 'b', 'bwa', 'active', 'owner', 'b.w'])
    t.equal(
      (await cosigner.sign(pack([noop({ authorization: [by('liquid.svc', permission)] }), transfer()]))).status,
      400,
    )
  t.equal((await cosigner.sign(pack([noop({ name: 'noop1' }), transfer()]))).status, 400)
})

t.test('JSON that could be read in two ways: the checked transaction is the signed one', async (t) => {
  const cosigner = await startTestCosigner(t, await testDatabase(t))
  const [one, other, bad] = [unique(GOOD), unique(GOOD), pack([noop(), transfer('bob')])]
  const ask = (text: string) => cosigner.post(PATH, text)
  const chainId = Checksum256.from(shipped().chain.chainId as string)
  const isOf = (hex: string, signature: string) =>
    String(
      Signature.from(signature).recoverDigest(
        Serializer.decode({ data: hex, type: Transaction }).signingDigest(chainId),
      ),
    ) === String(cosigner.key.toPublic())
  const twice = await ask(`{"serializedTransaction":"${one}","serializedTransaction":"${other}"}`)
  t.equal(twice.status, 201)
  t.ok(isOf(other, twice.body.signature))
  t.notOk(isOf(one, twice.body.signature))
  const cases: [text: string, status: number][] = [
    [`{"serializedTransaction":"${one}","serializedTransaction":"${bad}"}`, 400],
    [`{"serializedTransaction":"${bad}","serialized\\u0054ransaction":"${one}"}`, 201],
    [`{"__proto__":{"serializedTransaction":"${one}"}}`, 400],
    [`{"constructor":{"prototype":{"serializedTransaction":"${one}"}}}`, 400],
    [`{"SerializedTransaction":"${one}"}`, 400],
    [`{"serializedTransaction":["${one}"]}`, 400],
    [`{"serializedTransaction":{"toString":"${one}"}}`, 400],
    [`{"serializedTransaction":" ${one}"}`, 400],
    [`{"serializedTransaction":"${one}\\u0000"}`, 400],
    [`{"serializedTransaction":"${one}"} {}`, 400],
    [`\ufeff{"serializedTransaction":"${one}"}`, 400],
    [`// x\n{"serializedTransaction":"${one}"}`, 400],
    [`{"serializedTransaction":"${one}",}`, 400],
    [`{'serializedTransaction':'${one}'}`, 400],
  ]
  for (const [text, status] of cases) t.equal((await ask(text)).status, status, text.replaceAll(/[0-9a-f]{99,}/g, '…'))
})

t.test('capital letters are the same transaction: counted once', async (t) => {
  const database = await testDatabase(t)
  const cosigner = await startTestCosigner(t, database)
  const hex = unique(GOOD)
  const mixed = [...hex].map((digit, i) => (i % 3 === 0 ? digit.toUpperCase() : digit)).join('')
  const signatures = await Promise.all([hex, hex.toUpperCase(), mixed, hex].map((one) => cosigner.sign(one)))
  t.equal(new Set(signatures.map(({ body }) => body.signature)).size, 1)
  const { rows } = await database.pool.query('select distinct used from cosign.counters')
  t.same(rows, [{ used: 1 }])
})

/** Sends bytes. @returns the server's answer, which may be empty */
function raw(url: string, bytes: string, ms = 60_000): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    let heard = ''
    const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'))
    socket.setTimeout(ms, () => socket.destroy())
    socket.on('data', (part) => (heard += part.toString('latin1')))
    socket.on('error', () => {})
    socket.on('close', () => resolve(heard))
  })
}

t.test('HTTP that is too long, cut off or ambiguous', async (t) => {
  const cosigner = await startTestCosigner(t, await testDatabase(t))
  const { host } = new URL(cosigner.url)
  const hex = unique(GOOD)
  const body = JSON.stringify({ serializedTransaction: hex })
  const head = (...lines: string[]) => `${[`POST ${PATH} HTTP/1.1`, `host: ${host}`, ...lines].join('\r\n')}\r\n\r\n`
  const length = `content-length: ${body.length}`
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
  const chunked = 'transfer-encoding: chunked'
  const cases: [what: string, bytes: string, status: RegExp][] = [
    ['one that is right', head(length, 'connection: close') + body, /^HTTP\/1.1 201 /],
    [
      'in chunks',
      `${head(chunked, 'connection: close')}${chunk(body.slice(0, 9))}${chunk(body.slice(9))}0\r\n\r\n`,
      / 201 /,
    ],
    ['a long header', head(`x: ${'y'.repeat(20_000)}`, length) + body, / 431 /],
    ['many headers', head(...Array.from({ length: 5000 }, (_, i) => `x${i}: y`), length) + body, / 431 /],
    ['a length and chunks', `${head(length, chunked)}${chunk(body)}0\r\n\r\n`, / 400 /],
    ['two lengths', head(length, 'content-length: 3') + body, / 400 /],
    ['a length that is none', head('content-length: -1') + body, / 400 /],
    ['a chunk that is none', `${head(chunked)}zz\r\n${body}\r\n0\r\n\r\n`, / 400 /],
    ['endless chunks', head(chunked) + chunk('x'.repeat(8000)).repeat(8), / 400 /],
    ['a long length', `${head('content-length: 99999999')}x`, / 400 /],
    ['a line that is folded', `${head(length, 'x: y\r\n z')}${body}`, / 400 /],
    ['no host', `POST ${PATH} HTTP/1.1\r\n${length}\r\n\r\n${body}`, / 400 /],
    ['another protocol', '\x16\x03\x01\x02\x00\x01\x00', / 400 /],
  ]
  for (const [what, bytes, status] of cases) t.match(await raw(cosigner.url, bytes), status, what)
  t.match(await raw(cosigner.url, head(length) + body.slice(0, 20), 200), /^$/, 'one that is cut off has no answer')
  t.equal((await cosigner.sign(unique(GOOD))).status, 201, 'it still signs')
  t.equal(
    (await cosigner.sign(unique(GOOD), { 'x-forwarded-for': 'y'.repeat(12_000) })).status,
    201,
    'an address that is none',
  )
})

t.test('requests that never end are ended', async (t) => {
  const cosigner = await startTestCosigner(t, await testDatabase(t))
  const { host } = new URL(cosigner.url)
  const began = performance.now()
  const heard = await raw(
    cosigner.url,
    `POST ${PATH} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 500\r\n\r\n{`,
    120_000,
  )
  t.match(heard, /^(HTTP\/1.1 4|$)/)
  t.ok(performance.now() - began < 100_000)
})

t.test('the cosigner closes although connections are open on which no whole request has arrived', async (t) => {
  const cosigner = await startTestCosigner(t, await testDatabase(t))
  const open = ['', `POST ${PATH} HTTP/1.1\r\n`].map((bytes) => raw(cosigner.url, bytes))
  t.equal((await cosigner.post('/api/v2/cpu/status', undefined)).status, 200)
  await cosigner.close()
  t.same(await Promise.all(open), ['', ''])
})
