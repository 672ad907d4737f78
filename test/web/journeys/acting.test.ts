// Actions of the user during a transfer and on Antelope chains, and how a transfer is found again.
import t from 'tap'
import { interfaceOf } from '../../../devnet/evm/contracts.ts'
import { Client } from '../../../web/bridge/core/client.ts'
import { antelopeWallet, openClient } from './fakes.ts'
import { answerOf, CHAINS, CONFIG, LIGHT_CLIENT, legs, next, OWNER, ROUTES, USDC, WAX, WITHDRAWALS } from './scene.ts'
import { draft, hops, phase, ready, seen, started } from './started.ts'

const vault = interfaceOf('SvcVault')

t.test('a transfer on an Antelope chain is one action with the memo of its route', async (t) => {
  const { wallet, signed } = antelopeWallet('wax', 'alice')
  const id = 'ee'.repeat(32)
  const found = answerOf({ key: 'd:9:1', deposit: { symbol: 'USDC', amount: '10000000', precision: 6, src_tx: id } })
  const answers = {
    'POST get_table_rows': { rows: [{ balance: '3.00000000 WAX' }, { balance: '10.000000 USDC' }] },
    'GET hops?tx': { hops: [found] },
    [hops('d:9:1')]: found,
  }
  const { journey } = await started(t, wallet, answers, { from: 'wax', to: 'mainnet', recipient: OWNER })
  const { key } = await seen(journey, ({ key }) => key !== null)
  t.equal(key, 'd:9:1')
  t.same(signed, [
    {
      account: 'wrap.svc',
      name: 'transfer',
      authorization: [{ actor: 'alice', permission: 'active' }],
      data: {
        from: 'alice',
        to: 'bridge.svc',
        quantity: '10.000000 USDC',
        memo: `hop.svc:1:${OWNER.toLowerCase()}|${WAX}:alice`,
      },
    },
  ])
  const poor = await started(
    t,
    wallet,
    { 'POST get_table_rows': { rows: [] } },
    { from: 'wax', to: 'telos', recipient: 'bob' },
  )
  t.match(await phase(poor.journey, 'failed'), { error: { code: 'NOT_ENOUGH' } })
  const shy = antelopeWallet('telos', 'alice', () => new Error('The user cancelled the request'))
  const out = { from: 'telos', to: 'mainnet', recipient: OWNER }
  const declined = await started(t, shy.wallet, { 'POST get_table_rows': answers['POST get_table_rows'] }, out)
  t.match(await phase(declined.journey, 'failed'), { error: { code: 'WALLET_REJECTED' } })
  const other = antelopeWallet('telos', 'alice').wallet
  t.match((await openClient({})).client.start({ ...draft, from: 'wax', to: 'telos' }, other).view, {
    error: { code: 'WALLET_OTHER_CHAIN' },
  })
})

const credited = answerOf({
  status: 'sending',
  to: { chain: 'telos', recipient: 'alice' },
  legs: legs('credited'),
  next: next('recipient', 'claim'),
})

t.test('only its receiver collects', async (t) => {
  const { client, answers } = await openClient({ [hops('d:1:42')]: credited })
  const journey = client.follow('d:1:42')
  t.teardown(() => journey.close())
  await phase(journey, 'waiting')
  await journey.act('collect', antelopeWallet('telos', 'mallory').wallet)
  await seen(journey, ({ error }) => error?.code === 'WRONG_ACCOUNT')
  const { wallet, signed } = antelopeWallet('telos', 'alice')
  await journey.act('collect', null)
  await seen(journey, ({ error }) => error?.code === 'WALLET_MISSING')
  await journey.act('collect', wallet)
  await seen(journey, ({ actions }) => actions[0]?.blocked?.startsWith('Done') === true)
  t.match(signed, [{ account: 'bridge.svc', name: 'claim', data: { owner: 'alice', sym_code: 'USDC' } }])
  answers[hops('d:1:42')] = { ...credited, status: 'delivered', next: null }
  await phase(journey, 'delivered')
})

const word = `0x${'11'.repeat(32)}`
const release = {
  ...{ id: '7', domain: '1', token: USDC, recipient: OWNER, amount: '10000000', deadline: '1', fee: '0', memo: '0x' },
  ...{ recvSequence: '1', witness: word, actionSiblings: [], actionPath: '0', actionMroot: word, majorVersion: 1 },
  ...{ minorVersion: 0, blockNum: 1, timestamp: 1, parentTimestamp: 0, finalityDigest: word, treeSiblings: [] },
  ...{ treePath: '0', finalityMroot: word },
}
const submitRoot = {
  finality: {
    ...{ majorVersion: 1, minorVersion: 0, activeGeneration: 1, lastPendingGeneration: 1, finalityMroot: word },
    ...{ lastPendingPolicyDigest: word, lastPendingPolicyStart: 0, reversibleBlocksMroot: word, qcClaimBlockNum: 1 },
    ...{ qcClaimFinalityDigest: word, qcClaimTimestamp: 1, timestamp: 1, baseDigest: word },
  },
  ...{ bits: '0x01', signature: '0x', policyKeys: [], pending: { policy: '0x', bits: '0x', signature: '0x' } },
}
const hard = { releaseTo: WITHDRAWALS, release, submitRoot, lightClient: LIGHT_CLIENT, handoffs: [] }
const waiting = answerOf({
  key: 'w:7',
  direction: 'withdrawal',
  status: 'sending',
  from: { chain: 'telos', address: 'alice' },
  to: { chain: 'mainnet', recipient: OWNER.toLowerCase() },
  legs: [{ key: 'w:7', status: 'provable', tx: null }],
  next: next('recipient', 'release', 1_764_000_000),
})
const proof = 'GET proofs/w%3A7'

t.test('a release sends the served proof, light or hard, and requests it again if it is stale', async (t) => {
  const evm = ready()
  const { client, answers } = await openClient({ [hops('w:7')]: waiting })
  const journey = client.follow('w:7')
  t.teardown(() => journey.close())
  await phase(journey, 'waiting')
  await journey.act('release', evm.wallet)
  await seen(journey, ({ error }) => error?.code === 'PROOF_NOT_READY')
  let given = 0
  answers[proof] = () => {
    given++
    evm.reverts = given === 1 ? '0xdef1c391' : null
    return given === 1
      ? { track: 'light', light: { releaseTo: WITHDRAWALS, release }, hard }
      : { track: 'hard', light: null, hard }
  }
  await journey.act('release', evm.wallet)
  await seen(journey, ({ actions }) => actions[0]?.blocked?.startsWith('Done') === true)
  t.same(evm.calls, ['submitAndRelease'], 'UntrustedRoot: the next proof brings its root')
  t.equal(given, 2)
  answers[hops('w:7')] = { ...waiting, status: 'delivered', next: null }
  t.match(await phase(journey, 'delivered'), { transactions: [{ label: 'Release' }] })
})

t.test(
  'a proof that others made stale is requested again, a limited number of times, until the bridge returns a new one',
  async (t) => {
    const evm = ready()
    const unknownPolicy = interfaceOf('SvcLightClient').encodeErrorResult('UnknownPolicy', [1])
    let given = 0
    const { client } = await openClient({
      [hops('w:7')]: waiting,
      [proof]: () => {
        given++
        evm.reverts = given < 5 ? unknownPolicy : null
        const claim = given < 3 ? 1 : given
        return {
          track: 'hard',
          light: null,
          hard: {
            ...hard,
            submitRoot: { ...submitRoot, finality: { ...submitRoot.finality, qcClaimBlockNum: claim } },
          },
        }
      },
    })
    const journey = client.follow('w:7')
    t.teardown(() => journey.close())
    await phase(journey, 'waiting')
    await journey.act('release', evm.wallet)
    await seen(journey, ({ actions }) => actions[0]?.blocked?.startsWith('Done') === true)
    t.same(evm.calls, ['submitAndRelease'])
    t.equal(given, 5, 'the second one was still the first')
  },
)

t.test('a release continues if another release has meanwhile handed over the finalizers', async (t) => {
  const learn = {
    ...{ majorVersion: 1, minorVersion: 0, blockNum: 5, timestamp: 4, parentTimestamp: 3, activeGeneration: 2 },
    ...{ lastPendingGeneration: 2, blockFinalityMroot: word, lastPendingPolicyStart: 1, level3Digest: word },
    ...{ actionMroot: word, treeSiblings: [], treePath: '0', finalityMroot: word, policy: '0x' },
  }
  const evm = ready()
  evm.hasLearnt = true
  const { client } = await openClient({
    [hops('w:7')]: waiting,
    [proof]: { track: 'hard', light: null, hard: { ...hard, handoffs: [{ submitRoot, learn }] } },
  })
  const journey = client.follow('w:7')
  t.teardown(() => journey.close())
  await phase(journey, 'waiting')
  await journey.act('release', evm.wallet)
  await seen(journey, ({ actions }) => actions[0]?.blocked?.startsWith('Done') === true)
  t.same(evm.calls, ['submitAndRelease'])
})

t.test('refusals of a release are explained in words; a release that was already made is no refusal', async (t) => {
  const withdrawals = interfaceOf('SvcWithdrawals')
  const evm = ready()
  const { client } = await openClient({
    [hops('w:7')]: waiting,
    [proof]: { track: 'light', light: { releaseTo: WITHDRAWALS, release }, hard },
  })
  const journey = client.follow('w:7')
  t.teardown(() => journey.close())
  await phase(journey, 'waiting')
  for (const [contract, name] of [
    [vault, 'OutflowLimited'],
    [withdrawals, 'PastDeadline'],
  ] as const) {
    evm.reverts = contract.encodeErrorResult(name, [])
    await journey.act('release', evm.wallet)
    const code = name === 'OutflowLimited' ? 'CONTRACT_OUTFLOW_LIMITED' : 'CONTRACT_PAST_DEADLINE'
    const { actions } = await seen(journey, ({ error }) => error?.code === code)
    t.match(actions, [{ name: 'release', blocked: null }], 'the same can be tried again')
  }
  evm.reverts = vault.encodeErrorResult('AlreadySettled', [])
  await journey.act('release', evm.wallet)
  await seen(journey, ({ actions, error }) => error === null && actions[0]?.blocked?.startsWith('Done') === true)
  t.same(evm.sent, [])
})

t.test('any user can deliver or return a deposit that no relayer delivered', async (t) => {
  const parked = answerOf({ legs: legs('parked'), next: next('relayer', 'forward') })
  const deposit = { key: 'd:1:42', actions: ['forward', 'bounce'], domain: '1', nonce: '42', bounceFrom: 1 }
  const { client, asked } = await openClient({
    [hops('d:1:42')]: parked,
    'GET pending?key=d%3A1%3A42': { deposits: [deposit], hops: [] },
  })
  const journey = client.follow('d:1:42')
  t.teardown(() => journey.close())
  await seen(journey, ({ stages }) => stages.length > 0)
  t.same(journey.view.actions, [], 'relayers first')
  t.match(await seen(journey, ({ actions }) => actions.length > 0), {
    actions: [{ name: 'forward' }, { name: 'bounce' }],
  })
  t.ok(asked.filter((one) => one.startsWith('GET hops')).length >= 6)
  const { wallet, signed } = antelopeWallet('telos', 'anybody')
  await journey.act('bounce', wallet)
  await seen(journey, ({ actions }) => actions[0]?.blocked?.startsWith('Done') === true)
  t.match(signed, [{ account: 'bridge.svc', name: 'bounce', data: { domain: '1', nonce: '42' } }])
})

t.test('any user can send on a journey that returned to the hop contract', async (t) => {
  const back = answerOf({ status: 'bounced', legs: legs('forwarded', 'refunded'), next: next('anyone', 'recover') })
  const { client, answers } = await openClient({
    [hops('d:1:42')]: back,
    'GET pending?key=d%3A1%3A42': { deposits: [], hops: [{ key: 'd:1:42', id: '3', contract: 'hop.svc' }] },
  })
  const journey = client.follow('d:1:42')
  t.teardown(() => journey.close())
  await phase(journey, 'waiting')
  const { wallet, signed } = antelopeWallet('telos', 'anybody')
  await journey.act('recover', wallet)
  await seen(journey, ({ actions }) => actions[0]?.blocked?.startsWith('Done') === true)
  t.match(signed, [{ account: 'hop.svc', name: 'recover', data: { id: '3' } }])
  answers[hops('d:1:42')] = { ...back, status: 'returned', legs: legs('forwarded', 'refunded', 'released'), next: null }
  t.match(await phase(journey, 'returned'), { percent: 100 })
})

t.test('a transfer is found by key, transaction and party', async (t) => {
  const one = answerOf({ status: 'delivered' })
  const { client } = await openClient({
    [hops('d:1:42')]: one,
    'GET hops?tx': { hops: [one] },
    'GET hops?party': { hops: [one, { ...one, key: 'd:1:41' }] },
  })
  t.match(await client.find(' d:1:42 '), [{ key: 'd:1:42', token: 'USDC', amount: '10', status: 'delivered' }])
  t.same(await client.find('d:1:43'), [])
  t.equal((await client.find(`0x${'AB'.repeat(32)}`)).length, 1)
  t.equal((await client.find('ab'.repeat(32))).length, 1)
  t.equal((await client.find(OWNER)).length, 2)
  t.equal((await client.find('alice')).length, 2)
  for (const text of ['', 'd:1', '<script>', 'Not An Account'])
    await t.rejects(client.find(text), { code: 'SEARCH_MALFORMED' }, text)
  t.throws(() => client.follow('d:x:1'), { code: 'KEY_MALFORMED' })
})

t.test('no transfer is sent to an account whose chain has no node', async (t) => {
  const chains = CONFIG.chains.map((chain) => ({ ...chain, node: null }))
  const answer = (body: unknown) => new Response(JSON.stringify(body))
  const client = new Client(
    { ...CONFIG, chains },
    { fetch: async (url) => answer(url.endsWith('routes') ? { routes: ROUTES } : CHAINS) },
  )
  await client.refresh()
  t.equal(await client.checkRecipient('wax', 'alice'), null, 'nobody can be asked')
  const evm = ready()
  const journey = client.start(draft, evm.wallet)
  t.teardown(() => journey.close())
  t.match(await phase(journey, 'failed'), { error: { code: 'RECIPIENT_UNCHECKED' } })
  t.same(evm.sent, [])
})
