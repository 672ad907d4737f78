// Every request is answered with 201, or with 400 and a text, and no transaction outside of the allowed set is signed.
// Random transactions, combined and partly repaired attacks, and changed bytes are sent to a running cosigner. The
// oracle applies the rules to the transaction as another library decodes it.
import { gzipSync } from 'node:zlib'
import { Checksum256, Serializer, Signature, Transaction } from '@wharfkit/antelope'
import t from 'tap'
import { testDatabase } from '../support/database.ts'
import { Random, seedFromEnvironment } from '../support/random.ts'
import { ATTACKS, GOOD } from './attacks.ts'
import { HttpClient } from './http-client.ts'
import { shipped, startTestCosigner } from './service.ts'
import {
  by,
  call,
  type Header,
  noop,
  PAYER,
  pack,
  type TestAction,
  TOKEN_ABI,
  transfer,
  transferData,
  USER,
} from './transactions.ts'

t.setTimeout(1_800_000)

const LONG = process.env.HEADWATER_TEST_LONG === '1'
const { config } = shipped()
const contracts = new Set(config.contracts)

const actors = [USER, 'bob', 'liquid.svc', 'swap.svc', 'svcdexmain', 'mallory1']
const permissions = ['active', 'bw', 'owner']
const accounts = ['eosio.token', 'swap.svc', 'liquid.svc', 'otc.svc', 'evil', 'eosio', 'atomicassets']
const names = ['transfer', 'noop', 'issue', 'addliquid', 'updateauth']

function randomAction(random: Random): TestAction {
  const pick = <T>(list: readonly T[]): T => list[random.integer(0, list.length - 1)] as T
  const kind = random.integer(0, 5)
  if (kind === 0) return noop()
  if (kind === 1) return transfer(pick([...contracts, 'mallory1', 'bob']))
  if (kind === 2) return call(pick([...contracts]))
  const authorization = Array.from({ length: random.integer(0, 3) }, () => by(pick(actors), pick(permissions)))
  const data = random.chance(0.6)
    ? transferData(pick(['swap.svc', 'mallory1']), { from: pick(actors) })
    : pick(['', '00', 'ffff'])
  return { account: pick(accounts), name: pick(names), authorization, data }
}

function randomHeader(random: Random): Partial<Header> {
  const rare = <T>(value: T, other: T): T => (random.chance(0.04) ? value : other)
  return {
    ref_block_prefix: random.integer(0, 2 ** 32 - 1),
    delay_sec: rare(5, 0),
    max_cpu_usage_ms: rare(200, random.integer(0, 20)),
    max_net_usage_words: rare(70_000, 0),
    context_free_actions: rare([call('eosio.null', 'nonce', { authorization: [] })], []),
    transaction_extensions: rare([{ type: 0, data: '' }], []),
  }
}

/** A transaction of valid and invalid parts. */
function made(random: Random): string {
  const actions = [
    ...(random.chance(0.9) ? [noop()] : []),
    ...Array.from({ length: random.chance(0.05) ? 13 : random.integer(0, 3) }, () => randomAction(random)),
  ]
  return pack(actions, randomHeader(random))
}

const attacks = ATTACKS.map(([, hex]) => hex).filter(
  (hex): hex is string => typeof hex === 'string' && /^([0-9a-f]{2})+$/.test(hex) && hex.length < 3000,
)
const decodable = [GOOD, ...attacks].flatMap((hex) => {
  try {
    return [JSON.parse(JSON.stringify(Serializer.decode({ data: hex, type: Transaction }))) as Plain]
  } catch {
    return []
  }
})

interface Plain extends Header {
  actions: TestAction[]
}

/** An attack with some parts repaired and some parts of another attack. */
function crossed(random: Random): string {
  const pick = <T>(list: readonly T[]): T => list[random.integer(0, list.length - 1)] as T
  const [one, other] = [pick(decodable), pick(decodable)]
  const actions = structuredClone(one.actions)
  for (const [i, action] of actions.entries()) {
    if (random.chance(0.3)) Object.assign(action, i === 0 ? noop() : transfer(pick([...contracts])))
    if (random.chance(0.1)) action.authorization = pick(other.actions)?.authorization ?? []
    if (random.chance(0.1)) action.data = pick(other.actions)?.data ?? ''
    if (random.chance(0.05)) action.name = pick(names)
    if (random.chance(0.05)) action.account = pick(accounts)
  }
  if (random.chance(0.2)) actions.splice(random.integer(0, actions.length), 0, ...other.actions.slice(0, 2))
  if (random.chance(0.1)) actions.splice(random.integer(0, actions.length - 1), 1)
  if (random.chance(0.3)) actions.unshift(noop())
  const { actions: _, expiration: _expiration, ...header } = random.chance(0.7) ? decodable[0]! : one
  return pack(actions, { ...header, ref_block_prefix: random.integer(0, 2 ** 32 - 1) })
}

/** Bytes changed, added, removed, or joined from two transactions. */
function mutated(hex: string, random: Random): string {
  const bytes = Buffer.from(hex, 'hex')
  const at = random.integer(0, bytes.length - 1)
  const how = random.integer(0, 5)
  if (how === 0) bytes[at]! ^= 1 << random.integer(0, 7)
  if (how === 1) bytes[at] = random.integer(0, 255)
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)]
  if (how === 2) return before.toString('hex') || '00'
  if (how === 3) return Buffer.concat([before, Buffer.from([random.integer(0, 255)]), after]).toString('hex')
  if (how === 4) return Buffer.concat([before, after.subarray(1 + random.integer(0, 8))]).toString('hex') || '00'
  if (how === 5) {
    const other = Buffer.from(attacks[random.integer(0, attacks.length - 1)]!, 'hex')
    return Buffer.concat([before, other.subarray(Math.min(at, other.length))]).toString('hex') || '00'
  }
  return bytes.toString('hex')
}

function generated(random: Random): string {
  const kind = random.integer(0, 9)
  if (kind < 3) return made(random)
  if (kind < 6) return crossed(random)
  if (kind < 8) return mutated(attacks[random.integer(0, attacks.length - 1)]!, random)
  return mutated(random.chance(0.5) ? crossed(random) : made(random), random)
}

/** Reason why the rules forbid signing; null when signing is allowed. */
function forbidden(hex: string): string | null {
  const transaction = Serializer.decode({ data: hex, type: Transaction })
  if (Serializer.encode({ object: transaction }).hexString !== hex) return 'another form'
  const plain = JSON.parse(JSON.stringify(transaction)) as Plain
  const [first, ...others] = plain.actions
  if (JSON.stringify(first) !== JSON.stringify(noop())) return 'the first action'
  if (plain.delay_sec > 0 || plain.context_free_actions.length + plain.transaction_extensions.length > 0)
    return 'the header'
  if (plain.max_cpu_usage_ms > 20 || plain.max_net_usage_words > 2048 || plain.actions.length > 12) return 'the size'
  const user = others[0]?.authorization[0]?.actor
  if (user === undefined || user === PAYER.actor || contracts.has(user)) return 'the user'
  for (const { account, name, authorization, data } of others) {
    if (authorization.length === 0 || authorization.length > 2) return 'authorizations'
    if (authorization.some(({ actor }) => actor !== user)) return 'authorizations'
    if (account === PAYER.actor && name === 'noop') return 'a second noop'
    if (contracts.has(account)) continue
    if (name !== 'transfer') return 'the contract'
    const sent = transferOf(data)
    if (sent === null) return 'the layout of the transfer'
    if (!contracts.has(sent.to) || sent.from !== user) return 'the transfer'
    if (!(Number.parseFloat(sent.quantity) > 0)) return 'the quantity'
  }
  return null
}

/** Decoded transfer by the token contract's ABI; null unless the data are exactly one. */
function transferOf(data: string): { from: string; to: string; quantity: string } | null {
  try {
    const value = Serializer.decode({ data, abi: TOKEN_ABI, type: 'transfer' })
    const again = Serializer.encode({ object: value, abi: TOKEN_ABI, type: 'transfer' }).hexString
    return again === data ? JSON.parse(JSON.stringify(value)) : null
  } catch {
    return null
  }
}

t.test('no transaction outside of the allowed set is ever signed', async (t) => {
  const seed = seedFromEnvironment()
  const random = new Random(seed)
  const count = LONG ? 100_000 : 2000
  const most = Object.fromEntries(Object.keys(config.limits).map((name) => [name, 2 ** 31 - 1]))
  const limits = most as unknown as typeof config.limits
  const cosigner = await startTestCosigner(t, await testDatabase(t), { limits })
  const client = new HttpClient(cosigner.url)
  t.teardown(() => client.close())
  const publicKey = String(cosigner.key.toPublic())
  const chainId = Checksum256.from(shipped().chain.chainId as string)
  let signed = 0
  const one = async () => {
    const hex = generated(random)
    const sent = JSON.stringify({ serializedTransaction: hex })
    const { status, body: text } = await client.post('/api/v2/cpu/cosign', sent, '203.0.113.9')
    const body = JSON.parse(text)
    const repeat = `${hex}, seed ${seed}`
    if (status === 400) {
      if (typeof body.error !== 'string' || body.error === '') t.fail(`no text: ${repeat}`)
      return
    }
    if (status !== 201) return void t.fail(`${status}: ${repeat}`)
    const why = forbidden(hex)
    if (why !== null) t.fail(`${why} was signed: ${repeat}`)
    if (signed++ % 20 !== 0) return
    const digest = Serializer.decode({ data: hex, type: Transaction }).signingDigest(chainId)
    if (String(Signature.from(body.signature).recoverDigest(digest)) !== publicKey) t.fail(`other bytes: ${repeat}`)
  }
  const line = async () => {
    while (asked < count) {
      asked++
      await one()
    }
  }
  let asked = 0
  await Promise.all(Array.from({ length: 8 }, line))
  t.comment(`${signed} of ${count} signed, seed ${seed}`)
  t.ok(signed > count / 50, `${signed} of ${count} signed`)
  t.ok(signed < count / 2)
})

t.test('CPU-08 CPU-31 any body gets 400 and a text, never 500', async (t) => {
  const cosigner = await startTestCosigner(t, await testDatabase(t))
  const random = new Random(seedFromEnvironment())
  const good = JSON.stringify({ serializedTransaction: pack([noop(), transfer()]) })
  const bytes = () => Buffer.from(Array.from({ length: random.integer(0, 300) }, () => random.integer(0, 255)))
  const bodies: (string | Uint8Array)[] = [
    '',
    ' ',
    '{',
    '[]',
    '[1]',
    'null',
    '1',
    '"x"',
    'true',
    '{}',
    '{"serializedTransaction":null}',
    '{"serializedTransaction":[]}',
    '{"__proto__":{"serializedTransaction":"00"}}',
    '{"serializedTransaction":"00","serializedTransaction":{}}',
    `${'['.repeat(16_000)}${']'.repeat(16_000)}`,
    `{"a":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`,
    `{"serializedTransaction":"${'00'.repeat(20_000)}"}`,
    'x'.repeat(200_000),
    gzipSync(good),
    gzipSync(Buffer.alloc(4 << 20)),
    Buffer.from(good, 'utf16le'),
    Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{}')]),
    '{"serializedTransaction":"\\u0000"}',
    '{"serializedTransaction":"１２"}',
    'serializedTransaction=00',
    ...Array.from({ length: 60 }, bytes),
    ...Array.from({ length: 60 }, () => {
      const changed = Buffer.from(good)
      changed[random.integer(0, 30)] = random.integer(0, 255)
      return changed
    }),
  ]
  const kinds = [
    'application/json',
    'text/plain',
    'application/octet-stream',
    'application/json; charset=utf-16',
    'nonsense',
  ]
  const began = performance.now()
  for (const [i, body] of bodies.entries()) {
    const { status, body: answer } = await cosigner.post('/api/v2/cpu/cosign', body, {
      'content-type': kinds[i % kinds.length] as string,
    })
    if (status === 201) t.equal(typeof answer.signature, 'string')
    else t.same([status, typeof answer.error], [400, 'string'], Buffer.from(body).subarray(0, 40).toString('latin1'))
  }
  t.ok(performance.now() - began < 120_000)
  const none = await cosigner.post('/api/v2/cpu/cosign', undefined)
  t.same([none.status, none.body.error], [400, 'The body is empty: send JSON'])

  for (const encoding of ['gzip', 'br', 'deflate', 'x']) {
    const { status, body } = await cosigner.post('/api/v2/cpu/cosign', gzipSync(good), { 'content-encoding': encoding })
    t.same([status, body.error], [400, 'The body must not be compressed'])
  }
})
