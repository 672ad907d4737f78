// Whatever is sent, the answer is 201 or 400 with a text; and no transaction outside of the allowed set is ever signed,
// by an oracle that is written from the rules, on what another library reads.
import { gzipSync } from 'node:zlib'
import { Serializer, Transaction } from '@wharfkit/antelope'
import t from 'tap'
import { checkTransaction } from '../../cosign/check-transaction.ts'
import { Refusal } from '../../cosign/refusal.ts'
import { readTransaction } from '../../cosign/transaction.ts'
import { testDatabase } from '../support/database.ts'
import { Random, seedFromEnvironment } from '../support/random.ts'
import { shipped, startTestCosigner } from './service.ts'
import { by, call, noop, PAYER, pack, type TestAction, transfer, transferData, USER } from './transactions.ts'

t.setTimeout(600_000)

const LONG = process.env.HEADWATER_TEST_LONG === '1'
const { config } = shipped()
const contracts = new Set(config.contracts)
const rules = { payer: config.payer, permission: config.permission, contracts, cpuCeilingMs: config.cpuCeilingMs }

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

function randomTransaction(random: Random): string {
  const rare = <T>(value: T, other: T): T => (random.chance(0.04) ? value : other)
  const actions = [
    ...(random.chance(0.9) ? [noop()] : []),
    ...Array.from({ length: random.integer(0, 3) }, () => randomAction(random)),
  ]
  const hex = pack(actions, {
    ref_block_prefix: random.integer(0, 2 ** 32 - 1),
    delay_sec: rare(5, 0),
    max_cpu_usage_ms: rare(200, 0),
    context_free_actions: rare([call('eosio.null', 'nonce', { authorization: [] })], []),
    transaction_extensions: rare([{ type: 0, data: '' }], []),
  })
  if (random.chance(0.8)) return hex
  const bytes = Buffer.from(hex, 'hex')
  const at = random.integer(0, bytes.length - 1)
  const how = random.integer(0, 3)
  if (how === 0) bytes[at]! ^= 1 << random.integer(0, 7)
  if (how === 1) return bytes.subarray(0, at).toString('hex')
  if (how === 2)
    return Buffer.concat([bytes.subarray(0, at), Buffer.from([random.integer(0, 255)]), bytes.subarray(at)]).toString(
      'hex',
    )
  if (how === 3) bytes[at] = random.integer(0, 255)
  return bytes.toString('hex')
}

/** Why a transaction must not be signed, by the rules alone; null when it may be. */
function forbidden(hex: string): string | null {
  const transaction = Serializer.decode({ data: hex, type: Transaction })
  if (Serializer.encode({ object: transaction }).hexString !== hex) return 'another form'
  const plain = JSON.parse(JSON.stringify(transaction)) as {
    delay_sec: number
    max_cpu_usage_ms: number
    context_free_actions: unknown[]
    transaction_extensions: unknown[]
    actions: TestAction[]
  }
  const [first, ...others] = plain.actions
  if (JSON.stringify(first) !== JSON.stringify(noop())) return 'the first action'
  if (plain.delay_sec > 0 || plain.context_free_actions.length + plain.transaction_extensions.length > 0)
    return 'the header'
  if (plain.max_cpu_usage_ms > config.cpuCeilingMs) return 'CPU'
  const user = others[0]?.authorization[0]?.actor
  if (user === undefined || user === PAYER.actor || contracts.has(user)) return 'the user'
  for (const { account, name, authorization, data } of others) {
    if (authorization.length === 0 || authorization.some(({ actor }) => actor !== user)) return 'authorizations'
    if (account === PAYER.actor && name === 'noop') return 'a second noop'
    if (contracts.has(account)) continue
    if (name !== 'transfer') return 'the contract'
    const to = String(Serializer.decode({ data: data.slice(16, 32), type: 'name' }))
    const from = String(Serializer.decode({ data: data.slice(0, 16), type: 'name' }))
    if (!contracts.has(to) || from !== user) return 'the transfer'
  }
  return null
}

t.test('no transaction outside of the allowed set passes', async (t) => {
  const seed = seedFromEnvironment()
  const random = new Random(seed)
  const count = LONG ? 100_000 : 3000
  let passed = 0
  for (let i = 0; i < count; i++) {
    const hex = randomTransaction(random)
    try {
      const { user } = checkTransaction(readTransaction(hex), rules)
      passed++
      const why = forbidden(hex)
      if (why !== null) t.fail(`${why}: ${hex} for ${user}, seed ${seed}`)
    } catch (error) {
      if (!(error instanceof Refusal)) throw new Error(`${hex}, seed ${seed}`, { cause: error })
      if (error.message === '') t.fail(`no text: ${hex}`)
    }
  }
  t.ok(passed > count / 50, `${passed} of ${count} passed`)
  t.ok(passed < count / 2)
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
  t.ok(performance.now() - began < 20_000)
  const none = await cosigner.post('/api/v2/cpu/cosign', undefined)
  t.same([none.status, none.body.error], [400, 'The body is empty: send JSON'])

  for (const encoding of ['gzip', 'br', 'deflate', 'x']) {
    const { status, body } = await cosigner.post('/api/v2/cpu/cosign', gzipSync(good), { 'content-encoding': encoding })
    t.same([status, body.error], [400, 'The body must not be compressed'])
  }
})
