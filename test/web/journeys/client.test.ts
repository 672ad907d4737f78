// Transfers from the draft on, with wallets and a bridge that behave as badly as real ones do.
import t from 'tap'
import { interfaceOf } from '../../../devnet/evm/contracts.ts'
import type { Journey, JourneyEvent, JourneyView, Wallet } from '../../../web/bridge/core/types.ts'
import { type Answers, antelopeWallet, FakeEvm, openClient, refusal } from './fakes.ts'
import {
  answerOf,
  CHAINS,
  CONFIG,
  LIGHT_CLIENT,
  legs,
  next,
  OWNER,
  ROUTES,
  USDC,
  VAULT,
  WAX,
  WITHDRAWALS,
} from './scene.ts'

const vault = interfaceOf('SvcVault')
const hops = (key: string) => `GET hops/${encodeURIComponent(key)}`
const draft = { from: 'mainnet', to: 'wax', token: 'USDC', amount: '10', recipient: 'alice' }

/** Waits for a view. @throws Error with the last one */
async function seen(journey: Journey, good: (view: JourneyView) => boolean): Promise<JourneyView> {
  for (let i = 0; i < 2000; i++) {
    if (good(journey.view)) return journey.view
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  throw new Error(JSON.stringify(journey.view, null, 1))
}
const phase = (journey: Journey, ...phases: string[]) => seen(journey, (view) => phases.includes(view.phase))

async function started(wallet: Wallet, answers: Answers = {}, change: Partial<typeof draft> = {}) {
  const opened = await openClient({ [hops('d:1:42')]: answerOf(), ...answers })
  const journey = opened.client.start({ ...draft, ...change }, wallet)
  const events: JourneyEvent[] = []
  journey.listen((event) => void events.push(event))
  t.teardown(() => journey.close())
  return { ...opened, journey, events }
}

const ready = (change: Partial<FakeEvm> = {}) => Object.assign(new FakeEvm(), { vaultScale: 1n }, change)

t.test('choices and problems come from the routes', async (t) => {
  const { client } = await openClient({})
  t.same(
    client.sources().map(({ name }) => name),
    ['Ethereum', 'Telos', 'WAX'],
  )
  t.same(
    client.destinations('mainnet').map(({ id }) => id),
    ['telos', 'wax'],
  )
  const codes = (change: object) => client.check({ ...draft, ...change }).map(({ code }) => code)
  t.same(codes({}), [])
  t.same(codes({ from: 'moon' }), ['FROM_UNKNOWN'])
  t.same(codes({ to: 'mainnet' }), ['TO_UNKNOWN'])
  t.same(codes({ token: 'DOGE' }), ['TOKEN_UNKNOWN'])
  t.same(codes({ amount: '', recipient: '' }), ['AMOUNT_MISSING', 'RECIPIENT_MISSING'])
  t.same(codes({ amount: '1e3' }), ['AMOUNT_MALFORMED'])
  t.same(codes({ amount: '4.999999' }), ['AMOUNT_BELOW_MINIMUM'])
  t.same(codes({ amount: '5' }), [])
  t.same(codes({ amount: '100000.000001' }), ['AMOUNT_ABOVE_MAXIMUM'])
  t.same(codes({ amount: '10.1234567' }), ['AMOUNT_TOO_PRECISE'])
  t.same(codes({ token: 'ETH', amount: '1.123456789012345678' }), [], 'ETH has 18 decimals at its source')
  t.same(codes({ recipient: 'Alice' }), ['RECIPIENT_MALFORMED'])
  const out = { from: 'telos', to: 'mainnet', recipient: OWNER }
  t.same(codes(out), [])
  t.same(codes({ ...out, amount: '50000.1' }), ['AMOUNT_ABOVE_WITHDRAWABLE'])
  t.same(codes({ ...out, recipient: OWNER.replace('Df', 'dF') }), ['RECIPIENT_CHECKSUM'])
  t.same(codes({ ...out, recipient: `0x${'0'.repeat(40)}` }), ['RECIPIENT_ZERO'])
  for (const recipient of [VAULT, USDC, WITHDRAWALS]) t.same(codes({ ...out, recipient }), ['RECIPIENT_IS_BRIDGE'])
  t.match(client.estimate({ ...draft, token: 'ETH', amount: '1.123456789012345678' }), {
    receives: '1.12345678',
    remainder: '0.000000009012345678',
    min: '0.05',
  })
  t.equal(client.estimate({ ...draft, token: 'DOGE' }), null)
})

t.test('whether an account exists is asked of its chain', async (t) => {
  const { client, answers } = await openClient({})
  t.equal(await client.checkRecipient('wax', 'alice'), null)
  answers['POST get_account'] = () => new Response('{"error":{"what":"unknown key"}}', { status: 500 })
  t.match(await client.checkRecipient('wax', 'alice'), { code: 'RECIPIENT_UNKNOWN' })
  answers['POST get_account'] = new TypeError('Failed to fetch')
  t.match(await client.checkRecipient('wax', 'alice'), { code: 'RECIPIENT_UNCHECKED' })
  answers['POST get_account'] = () => new Response('busy', { status: 502 })
  t.match(await client.checkRecipient('wax', 'alice'), { code: 'RECIPIENT_UNCHECKED' })
  t.match(await client.checkRecipient('mainnet', 'alice'), { code: 'RECIPIENT_MALFORMED' })
  t.equal(await client.checkRecipient('mainnet', OWNER), null)
})

t.test('an allowance is given, then the deposit; both exact', async (t) => {
  const evm = ready()
  const { journey, events } = await started(evm.wallet)
  const view = await seen(journey, ({ key }) => key !== null)
  t.same(evm.calls, ['approve', 'deposit'])
  t.same([...vault.decodeFunctionData('deposit', evm.sent[1]!.data)].slice(0, 2), [
    '0x5FbDB2315678afecb367f032d93F642f64180aa3',
    10_000_000n,
  ])
  const memo = vault.decodeFunctionData('deposit', evm.sent[1]!.data).at(-1) as string
  t.equal(Buffer.from(memo.slice(2), 'hex').toString(), `${WAX}:alice|1:${OWNER.toLowerCase()}`)
  t.equal(view.key, 'd:1:42')
  t.match(events, [
    {
      type: 'sent',
      data: {
        direction: 'hop',
        from_chain: 'mainnet',
        to_chain: 'wax',
        token: 'USDC',
        amount: '10',
        sender: OWNER,
        recipient: 'alice',
        transactions: [
          {
            chain: 'Ethereum',
            label: 'Approve',
            ref: evm.sent[0]!.hash,
            url: `https://mainnet.test/tx/${evm.sent[0]!.hash}`,
          },
          { chain: 'Ethereum', label: 'Deposit', ref: evm.sent[1]!.hash },
        ],
      },
    },
  ])
})

t.test('an allowance that is there is used; one that cannot be changed is set to zero first', async (t) => {
  const enough = ready({ allowance: 10_000_000n })
  await seen((await started(enough.wallet)).journey, ({ key }) => key !== null)
  t.same(enough.calls, ['deposit'])
  const plain = ready({ allowance: 3n })
  await seen((await started(plain.wallet)).journey, ({ key }) => key !== null)
  t.same(plain.calls, ['approve', 'deposit'])
  const stubborn = ready({ allowance: 3n, stubborn: true })
  const { journey } = await started(stubborn.wallet, {}, { token: 'USDT' })
  const { transactions } = await seen(journey, ({ key }) => key !== null)
  t.same(stubborn.calls, ['approve', 'approve', 'deposit'])
  t.same(
    transactions.map(({ label }) => label),
    ['Reset allowance', 'Approve', 'Deposit'],
  )
})

t.test('the chain’s own coin needs no allowance, and dust stays', async (t) => {
  const evm = ready({ vaultScale: 10n ** 10n })
  const { journey } = await started(evm.wallet, {}, { token: 'ETH', amount: '1.000000001999999999' })
  await seen(journey, ({ key }) => key !== null)
  t.same(evm.calls, ['depositNative'])
  t.equal(evm.sent[0]!.value, 1_000_000_000_000_000_000n)
})

t.test('what stands in the way is found before anything is signed', async (t) => {
  const cases: [string, FakeEvm, Answers?][] = [
    ['VAULT_MISSING', ready({ vaultScale: null })],
    ['VAULT_DIFFERS', ready({ vaultScale: 100n })],
    ['NOT_ENOUGH', ready({ balance: 9_999_999n })],
    ['WALLET_ACCOUNT', ready({ accounts: [VAULT] })],
    [
      'CONTRACT_DEPOSITS_PAUSED',
      ready({ allowance: 10n ** 9n, reverts: vault.encodeErrorResult('DepositsPaused', []) }),
    ],
    ['CONTRACT_BELOW_MINIMUM', ready({ allowance: 10n ** 9n, reverts: vault.encodeErrorResult('BelowMinimum', [5n]) })],
    ['RECIPIENT_UNKNOWN', ready(), { 'POST get_account': () => new Response('{}', { status: 404 }) }],
    ['NODE_UNREACHABLE', ready(), { 'POST get_account': new TypeError('no') }],
  ]
  for (const [code, evm, answers] of cases) {
    const { journey, events } = await started(evm.wallet, answers)
    const view = await phase(journey, 'failed')
    t.equal(view.error?.code, code)
    t.same(evm.sent, [], code)
    t.match(events, [{ type: 'failed', data: { errorCode: code, error: view.error!.text } }])
  }
  const unreadable = await openClient({})
  const evm = ready()
  unreadable.answers['GET routes'] = { routes: ROUTES.map((route) => ({ ...route, open: false })) }
  const journey = unreadable.client.start(draft, evm.wallet)
  t.match(await phase(journey, 'failed'), { error: { code: 'ROUTE_CLOSED' } }, 'limits are read anew')
  await unreadable.client.refresh()
  t.match(unreadable.client.start(draft, evm.wallet).view, { phase: 'failed', error: { code: 'ROUTE_CLOSED' } })
})

t.test('a wallet on another chain is moved, or told to', async (t) => {
  const evm = ready({ chainId: 56 })
  await seen((await started(evm.wallet)).journey, ({ key }) => key !== null)
  t.equal(evm.chainId, 1)
  const strange = ready({ chainId: 56, knowsChain: false })
  await seen((await started(strange.wallet)).journey, ({ key }) => key !== null)
  t.ok(strange.asked.includes('wallet_addEthereumChain'))
})

t.test('a rejected signature can be given after all', async (t) => {
  const evm = ready({ rejects: true, allowance: 10n ** 9n })
  const { journey, events } = await started(evm.wallet)
  t.match(await phase(journey, 'failed'), { error: { code: 'WALLET_REJECTED' }, actions: [{ name: 'retry' }] })
  evm.rejects = false
  await journey.act('retry', null)
  await seen(journey, ({ key }) => key !== null)
  t.same(
    events.map(({ type }) => type),
    ['failed', 'sent'],
  )
})

t.test('an allowance that the person has lowered is noticed', async (t) => {
  const evm = ready({ allows: 5n })
  const { journey } = await started(evm.wallet)
  t.match(await phase(journey, 'failed'), { error: { code: 'ALLOWANCE_TOO_LOW' } })
  t.same(evm.calls, ['approve'])
})

t.test('a deposit that fails in its block has failed', async (t) => {
  const evm = ready({ allowance: 10n ** 9n, fails: true })
  const { journey } = await started(evm.wallet)
  t.match(await phase(journey, 'failed'), { error: { code: 'TRANSACTION_REVERTED' } })
})

t.test('a transaction that was sped up is found by what it deposited', async (t) => {
  const evm = ready({ allowance: 10n ** 9n, holdsBack: true })
  const { journey, answers } = await started(evm.wallet, {
    'GET transfers': { transfers: [] },
    'GET hops?tx': { hops: [] },
  })
  await seen(journey, ({ phase, transactions }) => phase === 'moving' && transactions.length === 1)
  const src_tx = `0x${'77'.repeat(32)}`
  const leg = {
    key: 'd:1:42',
    from: { chain: 'mainnet' },
    symbol: 'USDC',
    amount: '10000000',
    memoText: `${WAX}:alice|1:${OWNER.toLowerCase()}`,
    src_tx,
  }
  answers['GET transfers'] = { transfers: [{ ...leg, key: 'd:1:40', amount: '1' }, leg] }
  answers[hops('d:1:42')] = answerOf({ deposit: { symbol: 'USDC', amount: '10000000', precision: 6, src_tx } })
  const view = await seen(journey, ({ key }) => key !== null)
  t.match(view, { key: 'd:1:42', transactions: [{ label: 'Deposit', ref: src_tx }] })
})

t.test('a bridge that does not answer is asked again, more and more seldom', async (t) => {
  const evm = ready({ allowance: 10n ** 9n })
  const { journey, answers, clock } = await started(evm.wallet, { [hops('d:1:42')]: new TypeError('Failed to fetch') })
  await seen(journey, ({ warnings }) => warnings.length > 0)
  t.ok(clock.delays.includes(40_000))
  answers[hops('d:1:42')] = () => new Response('', { status: 503 })
  await seen(journey, ({ error }) => error?.code === 'BRIDGE_BUSY')
  answers[hops('d:1:42')] = () => new Response('<html>')
  await seen(journey, ({ error }) => error?.code === 'BRIDGE_UNREADABLE')
  answers[hops('d:1:42')] = answerOf()
  await seen(journey, ({ error, phase }) => error === null && phase === 'moving')
})

t.test('a transfer on an Antelope chain is one action with the memo of its route', async (t) => {
  const { wallet, signed } = antelopeWallet('wax', 'alice')
  const id = 'ee'.repeat(32)
  const found = answerOf({ key: 'd:9:1', deposit: { symbol: 'USDC', amount: '10000000', precision: 6, src_tx: id } })
  const answers = {
    'POST get_table_rows': { rows: [{ balance: '3.00000000 WAX' }, { balance: '10.000000 USDC' }] },
    'GET hops?tx': { hops: [found] },
    [hops('d:9:1')]: found,
  }
  const { journey } = await started(wallet, answers, { from: 'wax', to: 'mainnet', recipient: OWNER })
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
    wallet,
    { 'POST get_table_rows': { rows: [] } },
    { from: 'wax', to: 'telos', recipient: 'bob' },
  )
  t.match(await phase(poor.journey, 'failed'), { error: { code: 'NOT_ENOUGH' } })
  const shy = antelopeWallet('telos', 'alice', () => new Error('The user cancelled the request'))
  const out = { from: 'telos', to: 'mainnet', recipient: OWNER }
  const declined = await started(shy.wallet, { 'POST get_table_rows': answers['POST get_table_rows'] }, out)
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

t.test('a release sends the proof that the bridge gives, light or hard, and tries a stale one anew', async (t) => {
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

t.test('refusals of a release are told in words; one that was done already is none', async (t) => {
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

t.test('a deposit that nobody delivers can be delivered or sent back by whoever wants to', async (t) => {
  const parked = answerOf({ legs: legs('parked'), next: next('relayer', 'forward') })
  const deposit = { key: 'd:1:42', actions: ['forward', 'bounce'], domain: '1', nonce: '42', bounceFrom: 1 }
  const { client, asked } = await openClient({
    [hops('d:1:42')]: parked,
    'GET pending': { deposits: [deposit], hops: [] },
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

t.test('a journey that came back to the hop contract is sent on by whoever wants to', async (t) => {
  const back = answerOf({ status: 'bounced', legs: legs('forwarded', 'refunded'), next: next('anyone', 'recover') })
  const { client, answers } = await openClient({
    [hops('d:1:42')]: back,
    'GET pending': { deposits: [], hops: [{ key: 'd:1:42', id: '3', contract: 'hop.svc' }] },
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

t.test('without a node of its chain nothing is sent to an account', async (t) => {
  const chains = CONFIG.chains.map((chain) => ({ ...chain, node: null }))
  const { Client } = await import('../../../web/bridge/core/client.ts')
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
  t.match(refusal(4001), { code: 4001 })
})
