// Transfers from the draft to their first transaction, with wallets and a bridge that fail in realistic ways.
import t from 'tap'
import { interfaceOf } from '../../../devnet/evm/contracts.ts'
import { mostOf } from '../../../web/bridge/core/costs.ts'
import { type Answers, type FakeEvm, openClient } from './fakes.ts'
import { answerOf, OWNER, ROUTES, USDC, VAULT, WAX, WITHDRAWALS } from './scene.ts'
import { draft, hops, phase, ready, seen, started } from './started.ts'

const vault = interfaceOf('SvcVault')

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
  for (const amount of ['10,000', '10.000', ' 10.123 ']) t.same(codes({ amount }), ['AMOUNT_AMBIGUOUS'])
  t.match(client.check({ ...draft, amount: '10.123' })[0]?.text, /^10\.123 can mean 10123 or 10\.1230[.,:]/)
  t.same(codes({ amount: '10.1230' }), [])
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

t.test('a node of the chain answers whether an account exists', async (t) => {
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

t.test('gas and prices are known before amount and recipient are', async (t) => {
  const tokens = [
    { symbol: 'USDC', contract: 'wrap.svc', priceUsd: '0.999' },
    { symbol: 'ETH', contract: 'wrap.svc', priceUsd: '2000' },
    { symbol: 'USDC', contract: 'fake.usdc', priceUsd: '7' },
  ]
  const market = 'GET http://bridge.test/telos/api/v3/market/tokens'
  const node = 'POST http://mainnet.test'
  const { client, answers } = await openClient({ [market]: { tokens }, [node]: { result: '0x3b9aca00' } })
  const empty = { ...draft, amount: '', recipient: '' }
  t.same(await client.costs(null, empty), {
    ...{ chain: 'Ethereum', gas: '0.000111 ETH', coinGas: null, gasUsd: 0.222, usd: 0.999 },
  })
  const { coinGas = null } = (await client.costs(null, { ...empty, token: 'ETH' })) ?? {}
  t.equal(coinGas, 65_000_000_000_000n, 'of the coin itself, gas leaves the balance of what is sent')
  t.equal(mostOf('1.000000000000000000', coinGas), '0.999805', 'three times the gas')
  t.equal(mostOf('0.00008', coinGas), '0.00008', 'less than gas costs')
  t.equal(mostOf('12.5', null), '12.5')
  answers[node] = new TypeError('Failed to fetch')
  t.match(await client.costs(null, empty), { chain: 'Ethereum', gas: null, gasUsd: null, usd: 0.999 })
  answers[market] = new Response('{}', { status: 404 })
  t.match(await client.costs(null, empty), { usd: null })
  t.equal(await client.costs(null, { ...empty, token: 'DOGE' }), null)
})

t.test('the progress does not go back for the checks between two signatures', async (t) => {
  const evm = ready()
  const { journey } = await started(t, evm.wallet)
  const percents: number[] = [journey.view.percent]
  journey.subscribe(({ percent }) => percents.push(percent))
  await seen(journey, ({ key }) => key !== null)
  t.same(evm.calls, ['approve', 'deposit'])
  t.ok(new Set(percents).size > 2)
  t.same(
    percents,
    percents.toSorted((one, other) => one - other),
  )
})

t.test('WG-32 an approval, then the deposit; both for the exact amount', async (t) => {
  const evm = ready()
  const { journey, events } = await started(t, evm.wallet)
  const view = await seen(journey, ({ key }) => key !== null)
  t.same(evm.calls, ['approve', 'deposit'])
  t.same([...vault.decodeFunctionData('deposit', evm.sent[1]!.data)].slice(0, 3), [
    '0x5FbDB2315678afecb367f032d93F642f64180aa3',
    10_000_000n,
    7_866_113_361_446_961_152n,
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
            chain: 'mainnet',
            label: 'Approve',
            ref: evm.sent[0]!.hash,
            url: `https://mainnet.test/tx/${evm.sent[0]!.hash}`,
          },
          { chain: 'mainnet', label: 'Deposit', ref: evm.sent[1]!.hash },
        ],
      },
    },
  ])
})

t.test('an existing allowance is used; one that cannot be changed is set to zero first', async (t) => {
  const enough = ready({ allowance: 10_000_000n })
  await seen((await started(t, enough.wallet)).journey, ({ key }) => key !== null)
  t.same(enough.calls, ['deposit'])
  const plain = ready({ allowance: 3n })
  await seen((await started(t, plain.wallet)).journey, ({ key }) => key !== null)
  t.same(plain.calls, ['approve', 'deposit'])
  const stubborn = ready({ allowance: 3n, stubborn: true })
  const { journey } = await started(t, stubborn.wallet, {}, { token: 'USDT' })
  const { transactions } = await seen(journey, ({ key }) => key !== null)
  t.same(stubborn.calls, ['approve', 'approve', 'deposit'])
  t.same(
    transactions.map(({ label }) => label),
    ['Reset allowance', 'Approve', 'Deposit'],
  )
})

t.test('the native coin needs no allowance, and digits below the ledger’s precision are not sent', async (t) => {
  const evm = ready({ vaultScale: 10n ** 10n })
  const { journey } = await started(t, evm.wallet, {}, { token: 'ETH', amount: '1.000000001999999999' })
  await seen(journey, ({ key }) => key !== null)
  t.same(evm.calls, ['depositNative'])
  t.equal(evm.sent[0]!.value, 1_000_000_000_000_000_000n)
})

t.test('WG-33 obstacles are found before anything is signed', async (t) => {
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
    const { journey, events } = await started(t, evm.wallet, answers)
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

t.test('a wallet on another chain is switched, or the user is asked to switch it', async (t) => {
  const evm = ready({ chainId: 56 })
  await seen((await started(t, evm.wallet)).journey, ({ key }) => key !== null)
  t.equal(evm.chainId, 1)
  const strange = ready({ chainId: 56, knowsChain: false })
  await seen((await started(t, strange.wallet)).journey, ({ key }) => key !== null)
  t.ok(strange.asked.includes('wallet_addEthereumChain'))
  for (const code of [4200, -32601]) {
    const fixed = ready({ chainId: 56 })
    fixed.staysWith = code
    const { journey } = await started(t, fixed.wallet)
    const { error } = await phase(journey, 'failed')
    t.match(error, { code: 'WRONG_CHAIN', text: /Switch it to Ethereum/ }, 'the user is asked to act in the wallet')
    fixed.chainId = 1
    await journey.act('retry', null)
    await seen(journey, ({ key }) => key !== null)
  }
  const declined = ready({ chainId: 56 })
  declined.staysWith = 4001
  t.match(await phase((await started(t, declined.wallet)).journey, 'failed'), { error: { code: 'WALLET_REJECTED' } })
})

t.test('a rejected signature can be tried again', async (t) => {
  const evm = ready({ rejects: true, allowance: 10n ** 9n })
  const { journey, events } = await started(t, evm.wallet)
  t.match(await phase(journey, 'failed'), { error: { code: 'WALLET_REJECTED' }, actions: [{ name: 'retry' }] })
  evm.rejects = false
  await journey.act('retry', null)
  await seen(journey, ({ key }) => key !== null)
  t.same(
    events.map(({ type }) => type),
    ['failed', 'sent'],
  )
})

t.test('an allowance that the user has lowered is noticed', async (t) => {
  const evm = ready({ allows: 5n })
  const { journey } = await started(t, evm.wallet)
  t.match(await phase(journey, 'failed'), { error: { code: 'ALLOWANCE_TOO_LOW' } })
  t.same(evm.calls, ['approve'])
})

t.test('a deposit that fails in its block has failed', async (t) => {
  const evm = ready({ allowance: 10n ** 9n, fails: true })
  const { journey } = await started(t, evm.wallet)
  t.match(await phase(journey, 'failed'), { error: { code: 'TRANSACTION_REVERTED' } })
})

t.test('a replacement of a sent transaction is found by its deposit', async (t) => {
  const evm = ready({ allowance: 10n ** 9n, holdsBack: true })
  const { journey, answers } = await started(t, evm.wallet, {
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

t.test('a bridge that does not answer is asked again at growing intervals', async (t) => {
  const evm = ready({ allowance: 10n ** 9n })
  const { journey, answers, clock } = await started(t, evm.wallet, {
    [hops('d:1:42')]: new TypeError('Failed to fetch'),
  })
  await seen(journey, ({ warnings }) => warnings.length > 0)
  t.ok(clock.delays.includes(40_000))
  answers[hops('d:1:42')] = () => new Response('', { status: 503 })
  await seen(journey, ({ error }) => error?.code === 'BRIDGE_BUSY')
  answers[hops('d:1:42')] = () => new Response('<html>')
  await seen(journey, ({ error }) => error?.code === 'BRIDGE_UNREADABLE')
  answers[hops('d:1:42')] = answerOf()
  await seen(journey, ({ error, phase }) => error === null && phase === 'moving')
})
