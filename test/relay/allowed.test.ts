// What a relayer refuses to sign whatever the bridge API says, and what the refusals of nodes mean.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { loadConfig } from '../../config/load.ts'
import { publishedInterface } from '../../proofs/release-calls.ts'
import { requireAllowedAction } from '../../relay/antelope/allowed.ts'
import { inParallel } from '../../relay/antelope/in-parallel.ts'
import { judge } from '../../relay/antelope/judge.ts'
import { requirePermission } from '../../relay/antelope/key.ts'
import { requireSameWithdrawal, tokenRoutes } from '../../relay/antelope/ledger.ts'
import { AntelopeChain } from '../../relay/antelope/node.ts'
import { BridgeApi } from '../../relay/bridge-api.ts'
import { requireContracts, targetsOf } from '../../relay/chains.ts'
import { NO_PROOF, NotAllowed, Refused } from '../../relay/choice/refusal.ts'
import { requireAllowedCall } from '../../relay/evm/allowed.ts'

const FOLDER = new URL('../../config/demo/', import.meta.url).pathname
const NOT_ALLOWED = { message: /^RELAY_NOT_ALLOWED: / }

t.test('an account authorises listed actions of the configured contracts alone', async (t) => {
  const env = { HEADWATER_RELAY_NODES: 'telos=http://127.0.0.1:1,wax=http://127.0.0.1:2' }
  const { config } = loadConfig({ env, folder: FOLDER, program: { chains: ['telos', 'wax', 'mainnet'] } })
  const { antelope, ledger } = targetsOf(config)
  const contracts = antelope.find(({ name }) => name === 'telos')!.contracts
  t.match(ledger, { name: 'telos', bridge: 'bridge.svc', wrap: 'wrap.svc', node: { url: 'http://127.0.0.1:1' } })
  const good = [
    ['credit', 'gateway.evm', 'credit'],
    ['credit', 'gateway.wax', 'schedule'],
    ['forward', 'bridge.svc', 'forward'],
    ['settle', 'gateway.evm', 'settle'],
    ['recover', 'hop.svc', 'recover'],
  ] as const
  for (const [action, account, name] of good) requireAllowedAction(contracts, action, account, name)
  const bad = [
    ['credit', 'eosio.token', 'transfer'],
    ['credit', 'eosio', 'updateauth'],
    ['credit', 'gateway.evm', 'setcode'],
    ['credit', 'bridge.svc', 'credit'],
    ['forward', 'eosio.token', 'forward'],
    ['recover', 'bridge.svc', 'recover'],
    ['release', 'bridge.svc', 'release'],
  ] as const
  for (const [action, account, name] of bad)
    t.throws(() => requireAllowedAction(contracts, action, account, name), NOT_ALLOWED, `${account}::${name}`)
  t.throws(() => requirePermission(config.relay), { code: 'RELAY_PERMISSION' }, 'there is no default')
})

t.test('tokens of the routes are read from the ledger', async (t) => {
  const routes = [
    { domain: '1', token: 'AB'.repeat(20), wrapped: { sym: '6,USDC', contract: 'wrap.svc' } },
    { domain: 1, token: '00'.repeat(20), wrapped: { sym: '8,ETH', contract: 'other' } },
    {
      ...{ domain: '1181148696416462999', token: Buffer.from('eosio.token').toString('hex') },
      wrapped: { sym: '8,WAX', contract: 'wrap.svc' },
    },
  ]
  t.same(tokenRoutes(routes, 'wrap.svc'), [
    { domain: '1', token: `0x${'AB'.repeat(20)}`, symbol: 'USDC', decimals: 6 },
    { domain: '1181148696416462999', token: 'eosio.token', symbol: 'WAX', decimals: 8 },
  ])
})

t.test('without contracts of the bridge in the configuration a relayer does not start', async (t) => {
  const evm = {
    name: 'polygon',
    chainId: 137,
    urls: [],
    vaults: [],
    timeoutMs: 1,
    contracts: { withdrawals: [], lightClients: [] },
  }
  const telos = { name: 'telos', domain: 1n, chainId: '', url: '', contracts: { bridge: [], hop: [], gateways: [] } }
  const ledger = { name: 'telos', node: null, bridge: '', wrap: '' }
  const targets = { evm: [evm], antelope: [telos], ledger }
  const both = { evm: true, antelope: true }
  t.throws(() => requireContracts(targets, ['release'], both), { code: 'RELAY_CONTRACTS', message: /polygon/ })
  const none = { ...targets, evm: [] }
  t.throws(() => requireContracts(none, ['credit', 'pay'], both), {
    code: 'RELAY_CONTRACTS',
    message: /telos.* credit/,
  })
  requireContracts(none, ['pay', 'bounce'], both)
  requireContracts(targets, ['credit'], { evm: false, antelope: false })
})

t.test('a key signs calls of a release to the configured contracts alone', async (t) => {
  const [withdrawals, client, token] = ['77', '88', '99'].map((digits) => `0x${digits.repeat(20)}`) as [
    string,
    string,
    string,
  ]
  const contracts = { withdrawals: [withdrawals], lightClients: [client] }
  const selector = (name: 'SvcWithdrawals' | 'SvcLightClient', method: string) =>
    `${publishedInterface(name).getFunction(method)?.selector}00`
  requireAllowedCall(
    { to: withdrawals.toUpperCase().replace('0X', '0x'), data: selector('SvcWithdrawals', 'release') },
    contracts,
  )
  requireAllowedCall({ to: client, data: selector('SvcLightClient', 'submitAndLearn') }, contracts)
  for (const [to, data] of [
    [token, selector('SvcWithdrawals', 'release')],
    [client, selector('SvcWithdrawals', 'release')],
    [withdrawals, '0xa9059cbb00'],
    [withdrawals, '0x'],
  ] as const)
    t.throws(() => requireAllowedCall({ to, data }, contracts), NOT_ALLOWED, `${to} ${data}`)
})

t.test('a payment is that of the ledger', async (t) => {
  const hex = (text: string) => Buffer.from(text).toString('hex')
  const entry = {
    id: '3',
    domain: '7',
    symbol: 'WAX',
    precision: 4,
    amount: '5',
    recipient: 'bob',
    token: 'eosio.token',
    deadline: 9,
  }
  const row = { id: 3, domain: '7', quantity: '0.0005 WAX', recipient: hex('bob'), deadline: 9, status: 0 }
  const route = { domain: 7, token: hex('eosio.token'), wrapped: { sym: '4,WAX', contract: 'wrap.svc' } }
  const check = (more: object = {}, stored: typeof row | undefined = row) =>
    requireSameWithdrawal({ ...entry, ...more }, stored, [route], 'wrap.svc')
  t.doesNotThrow(() => check())
  for (const more of [
    { amount: '50' },
    { recipient: 'eve' },
    { token: 'evil.token' },
    { domain: '8' },
    { deadline: 10 },
    { precision: 3 },
  ])
    t.throws(() => check(more), NOT_ALLOWED, JSON.stringify(more))
  t.throws(() => requireSameWithdrawal(entry, undefined, [route], 'wrap.svc'), { message: /has no withdrawal 3/ })
  t.throws(() => check({}, { ...row, status: 1 }), { message: /already/ })
})

t.test('only a contract that says no can call a proof wrong', async (t) => {
  const sender = { account: 'me', permission: 'relay' }
  const kinds = (nodeKind: string, reasonBefore = 'hash mismatch') =>
    judge('credit', new Refused('hash mismatch', nodeKind), { before: 2, reasonBefore }, sender)
  t.match(kinds('eosio_assert_message_exception'), { kind: 'proof', reason: 'hash mismatch' })
  t.match(kinds('tx_cpu_usage_exceeded'), { kind: 'later', reason: /me lacks CPU or NET.*hash mismatch/ })
  t.match(kinds('ram_usage_exceeded'), { kind: 'later', reason: /lacks RAM/ })
  t.match(kinds('unsatisfied_authorization'), { kind: 'later', reason: /permission relay of me may not send/ })
  t.match(kinds('expired_tx_exception'), { kind: 'later', reason: 'hash mismatch' })
  const { reason } = kinds('tx_cpu_usage_exceeded')
  t.match(kinds('eosio_assert_message_exception', reason), { kind: 'later' }, 'those before were of the sender')
  t.match(kinds('eosio_assert_message_exception', NO_PROOF), { kind: 'later' }, 'those before were of the API')
  const before = { before: 0 }
  t.match(judge('pay', new NotAllowed('x'), before, sender), { kind: 'proof' })
  t.match(judge('settle', new Error('no answer'), before, sender), { kind: 'later', reason: 'no answer' })
})

t.test('a failure is thrown when the work that was begun has ended', async (t) => {
  const ended: number[] = []
  const work = async (n: number) => {
    if (n === 1) throw new Error('first')
    await new Promise((resolve) => setImmediate(resolve))
    ended.push(n)
  }
  await t.rejects(inParallel([1, 2, 3, 4], 3, work), { message: 'first' })
  t.same(ended, [2, 3], 'the fourth is not begun')
})

t.test('pages that never end, proofs that wait, nodes without trials', async (t) => {
  let trials = 0
  const none = { pending: [], deposits: [], settlements: [], hops: [] }
  const server = createServer((request, response) => {
    const url = request.url ?? ''
    if (url.includes('compute')) trials++
    const status = url.includes('pending') ? 200 : url.includes('proofs') ? 503 : 404
    const next = { pending: 'again', deposits: null, settlements: null, hops: null }
    response
      .writeHead(status, { ...(status === 503 && { 'retry-after': '30' }), connection: 'close' })
      .end(JSON.stringify({ ...none, next }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => void server.close())
  const { port } = server.address() as AddressInfo
  const { signal } = new AbortController()
  const api = new BridgeApi(`http://127.0.0.1:${port}/v1`, signal)
  await t.rejects(api.pending(), { code: 'RELAY_API', message: /cursor again of pending comes again/ })
  await t.rejects(api.withdrawalProof('w:1'), { code: 'RELAY_API' }, 'at once')

  const said: object[] = []
  const note = (_: string, fields: object = {}) => void said.push(fields)
  const node = new AntelopeChain('telos', `http://127.0.0.1:${port}/token`, signal, {
    info: note,
    warn: note,
    error: note,
  })
  const now = Date.now
  t.teardown(() => void (Date.now = now))
  await node.simulate(new Uint8Array(1))
  await node.simulate(new Uint8Array(1))
  t.same(
    [trials, said],
    [1, [{ chain: 'telos', node: `http://127.0.0.1:${port}` }]],
    'one trial, and no secret in the log',
  )
  Date.now = () => now() + 3_700_000
  await node.simulate(new Uint8Array(1))
  t.equal(trials, 2, 'an hour later again')
  const error: Error = await node.info().then(
    () => new Error('none'),
    (cause) => cause,
  )
  t.notMatch(error.message, /token/)
})
