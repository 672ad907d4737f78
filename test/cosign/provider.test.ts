// The interface of resource providers, used like the plugin of a session.
import { deflateRawSync } from 'node:zlib'
import { Checksum256, Serializer, Signature, Transaction } from '@wharfkit/antelope'
import t from 'tap'
import { networks } from '../../devnet/networks.ts'
import { testApi, testChain } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { TestNode, withKey } from './node.ts'
import { startTestCosigner } from './service.ts'
import { by, noop, pack, type TestAction, transfer, transferData, USER } from './transactions.ts'

const PATH = '/v1/resource_provider/request_transaction'
const signer = by(USER)
const chain = `01${networks.wax.chainId}`

/** A signing request of version 2: chain, kind and content, then flags, no callback, no info. */
function request(kind: string, content: string, { chainId = chain, isCompressed = true } = {}): string {
  const data = Buffer.from(`${chainId}${kind}${content}010000`, 'hex')
  const bytes = isCompressed
    ? Buffer.concat([Buffer.from([0x82]), deflateRawSync(data)])
    : Buffer.concat([Buffer.from([2]), data])
  return `esr://${bytes.toString('base64url')}`
}

/** A single packed action, cut out of a transaction. */
const actionHex = (action: TestAction) => pack([action]).slice(30, -2)

interface JsonTransaction {
  actions: object[]
}

function inJson(hex: string): JsonTransaction {
  return JSON.parse(JSON.stringify(Serializer.decode({ data: hex, type: Transaction })))
}

const action = { account: 'eosio.token', name: 'transfer', authorization: [by(USER)], data: '00' }
const wrongJson: [object, RegExp][] = [
  [{ expiration: 'soon' }, /expiration must be a time/],
  [{ expiration: '2200-01-01T00:00:00' }, /expiration must be a time/],
  [{ ref_block_num: 65536 }, /ref_block_num must be a whole number up to 65535/],
  [{ ref_block_prefix: '7' }, /ref_block_prefix/],
  [{ max_cpu_usage_ms: 256 }, /max_cpu_usage_ms/],
  [{ delay_sec: 1 }, /delay/],
  [{ delay_sec: -1 }, /delay_sec/],
  [{ actions: {} }, /actions must be a list/],
  [{ actions: Array(101).fill(action) }, /at most 100/],
  [{ actions: [null] }, /an action must be an object/],
  [{ actions: [{ ...action, data: { from: USER } }] }, /hex digits/],
  [{ actions: [{ ...action, data: '0' }] }, /hex digits/],
  [{ actions: [{ ...action, account: 'Evil' }] }, /names have/],
  ...['zzzzzzzzzzzzz', '.............', 'a.'].flatMap((name): [object, RegExp][] => [
    [{ actions: [{ ...action, account: name }] }, /no name/],
    [{ actions: [{ ...action, name }] }, /no name/],
    [{ actions: [{ ...action, authorization: [by(name)] }] }, /no name/],
  ]),
  [{ actions: [{ ...action, authorization: [{ actor: USER }] }] }, /names have/],
  [{ actions: [] }, /action of the user/],
  [{ context_free_actions: [action] }, /context-free/],
  [{ transaction_extensions: [[1, '']] }, /extensions/],
]

t.test('a request becomes a transaction with the noop before it, and its signature', async (t) => {
  const database = await testDatabase(t)
  const node = await new TestNode().start(t)
  const cosigner = await startTestCosigner(t, database, { node: node.url, tokens: 'any', simulate: 'off' })
  node.accounts.set('liquid.svc', withKey(cosigner.key))
  node.accounts.set(USER, withKey(cosigner.key))
  const { app } = await testApi(t, database, {
    chains: [testChain('wax')],
    cosign: { url: cosigner.url, chain: 'wax' },
  })
  const ask = async (body: object) => {
    const headers = { host: 'wax.localhost', 'content-type': 'application/json' }
    const answer = await app.inject({ method: 'POST', url: PATH, headers, payload: JSON.stringify(body) })
    return { status: answer.statusCode, body: JSON.parse(answer.payload) }
  }
  const whole = pack([transfer()], node.reference)
  const open = transfer('swap.svc', {
    authorization: [{ actor: '............1', permission: '............2' }],
    data: transferData('swap.svc', { from: '............1' }),
  })
  const asked: [what: string, body: object][] = [
    ['a packed transaction', { signer, packedTransaction: whole }],
    ['one that has the noop', { signer, packedTransaction: pack([noop(), transfer()], node.reference) }],
    ['one in the form of nodes', { signer, packedTransaction: { compression: 0, packed_trx: whole, signatures: [] } }],
    ['a transaction in JSON', { signer, transaction: inJson(whole) }],
    ['one with members left out', { signer, transaction: { actions: inJson(whole).actions } }],
    ['a request of a transaction', { signer, request: request('02', whole) }],
    [
      'one that is not compressed',
      { signer: `${USER}@active`, request: request('02', whole, { isCompressed: false }) },
    ],
    ['an action with the signer left open', { signer, request: request('00', actionHex(open)) }],
    ['actions', { signer, request: request('01', `02${actionHex(transfer())}${actionHex(open)}`) }],
    ['of the chain by its alias', { signer, request: request('00', actionHex(open), { chainId: '000a' }) }],
    ['of the default chain', { signer, request: request('02', whole, { chainId: '0001' }) }],
  ]
  for (const [what, body] of asked) {
    const answer = await ask(body)
    t.equal(answer.status, 200, `${what}: ${JSON.stringify(answer.body)}`)
    const [kind, json] = answer.body.data.request
    t.equal(kind, 'transaction')
    const transaction = Transaction.from(json)
    const digest = transaction.signingDigest(Checksum256.from(networks.wax.chainId))
    const [signature] = answer.body.data.signatures
    t.equal(String(Signature.from(signature).recoverDigest(digest)), String(cosigner.key.toPublic()), what)
    const [first, second] = JSON.parse(JSON.stringify(transaction)).actions
    t.same(first, noop())
    t.same(second, transfer(), 'what follows is what was asked for')
    t.equal(transaction.actions.length, what === 'actions' ? 3 : 2)
  }

  const refused: [body: object, text: RegExp][] = [
    [{}, /signer/],
    [{ signer }, /signing request/],
    [{ signer, packedTransaction: { compression: 1, packed_trx: whole } }, /not be compressed/],
    [{ signer, packedTransaction: {} }, /packed_trx/],
    [{ signer, packedTransaction: null }, /packed_trx/],
    ...wrongJson.map(([change, text]): [object, RegExp] => [
      { signer, transaction: { ...inJson(whole), ...change } },
      text,
    ]),
    [{ signer, transaction: [] }, /must be an object/],
    [{ signer: 'x', packedTransaction: whole }, /signer/],
    [{ signer: by('Not A Name'), request: request('00', actionHex(open)) }, /no name/],
    [{ signer, request: 'esr:!' }, /signing request/],
    [{ signer, request: 'esr:AAAA' }, /unknown version/],
    [{ signer, request: 'esr:ggAA' }, /no signing request/],
    [{ signer, request: request('03', '00') }, /no transaction/],
    [{ signer, request: request('02', whole, { chainId: `01${networks.telos.chainId}` }) }, /another chain/],
    [{ signer, request: request('00', actionHex(transfer('mallory1'))) }, /Transfer recipient mallory1 is not allowed/],
    [{ signer, request: request('02', pack([transfer()], { ...node.reference, delay_sec: 1 })) }, /delay/],
    [{ signer: by('bob'), packedTransaction: 'zz' }, /hex digits/],
    [
      {
        signer,
        request: `esr:${Buffer.concat([Buffer.from([0x82]), deflateRawSync(Buffer.alloc(1 << 20))]).toString('base64url')}`,
      },
      /no signing request/,
    ],
  ]
  for (const [body, text] of refused) {
    const answer = await ask(body)
    t.same([answer.status, answer.body.code], [400, 400], JSON.stringify(body).slice(0, 80))
    t.match(answer.body.message, text)
  }
  t.equal(Serializer.decode({ data: whole, type: Transaction }).actions.length, 1)
})

t.test('without a node a request must name its reference block', async (t) => {
  const cosigner = await startTestCosigner(t, await testDatabase(t))
  const answer = await cosigner.post(PATH, JSON.stringify({ signer, request: request('00', actionHex(transfer())) }))
  t.equal(answer.status, 400)
  t.match(answer.body.message, /expiration and a reference block/)
  t.equal((await cosigner.post(PATH, JSON.stringify({ signer, packedTransaction: pack([transfer()]) }))).status, 200)
})
