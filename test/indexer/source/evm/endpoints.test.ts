// Endpoints of a real EVM node that give wrong answers, lag, and stop.
import t from 'tap'
import { FaultyRpc, Refusal } from './faulty-rpc.ts'
import { Indexed } from './indexed.ts'
import { depositValues, LocalChain } from './local-chain.ts'

const DEPOSITS = 'select nonce::int4, status from head.deposits order by nonce'

t.test('logs that an endpoint leaves out are found by the receipts', async (t) => {
  const node = await LocalChain.start(t)
  for (let i = 1; i <= 3; i++) await node.log('vault', 'Deposit', depositValues(i))
  await node.mine(10)
  const liar = await FaultyRpc.start(t, node.url)
  liar.fault = ({ method }, result) => (method === 'eth_getLogs' ? [] : result)
  const indexed = await Indexed.open(t, node)
  indexed.run({ urls: [liar.url] }).catch(() => {})
  t.teardown(() => indexed.stop())
  await indexed.caughtUp()
  await node.log('vault', 'Deposit', depositValues(4))
  await indexed.caughtUp()
  t.same(
    (await indexed.values(DEPOSITS)).map(([nonce]) => nonce),
    [1, 2, 3, 4],
  )
  t.same(indexed.troubles, Array(4).fill('EVM_LOGS_MISSING'), 'and each is reported')
})

t.test('omitted, changed or invented logs of a block are detected by the receipts', async (t) => {
  const node = await LocalChain.start(t)
  await node.logTogether([1, 2, 3].map((nonce) => ['vault', 'Deposit', depositValues(nonce)]))
  await node.mine(10)
  type Log = { data: string; logIndex: string; blockNumber: string }
  const faults: [change: (logs: Log[]) => Log[], trouble: string][] = [
    [(logs) => logs.slice(1), 'EVM_LOGS_MISSING'],
    [
      (logs) =>
        logs.map((log, i) => (i === 1 ? { ...log, data: `${log.data.slice(0, 60)}ff${log.data.slice(62)}` } : log)),
      'EVM_LOGS_FALSE',
    ],
    [(logs) => [...logs, ...logs.slice(0, 1).map((log) => ({ ...log, logIndex: '0x7' }))], 'EVM_LOGS_FALSE'],
    [
      (logs) => logs.map((log) => ({ ...log, logIndex: `0x${(Number(log.logIndex) + 1).toString(16)}` })),
      'EVM_LOGS_FALSE',
    ],
  ]
  for (const [change, trouble] of faults) {
    const liar = await FaultyRpc.start(t, node.url)
    liar.fault = ({ method }, result) => (method === 'eth_getLogs' ? change(result as Log[]) : result)
    for (const finalHeaders of ['every', 'ends'] as const) {
      const indexed = await Indexed.open(t, node)
      await indexed.run({ urls: [liar.url], finalHeaders, endBlock: await node.head() })
      t.same(
        await indexed.values('select nonce::int4, amount::int4 from head.vault_deposits order by nonce'),
        [1, 2, 3].map((nonce) => [nonce, Number(depositValues(nonce)[2])]),
      )
      t.same([...new Set(indexed.troubles)], [trouble], `${trouble} with ${finalHeaders} headers`)
    }
  }
})

t.test(
  'a receipt beyond the receipts root, as Polygon nodes list it, is ignored; hashes may be in upper case',
  async (t) => {
    const node = await LocalChain.start(t)
    await node.log('vault', 'Deposit', depositValues(1))
    await node.mine(5)
    const odd = await FaultyRpc.start(t, node.url)
    odd.fault = ({ method }, result) => {
      if (method === 'eth_getBlockByNumber' && result !== null) {
        const { hash } = result as { hash: string }
        return { ...(result as object), hash: `0x${hash.slice(2).toUpperCase()}` }
      }
      if (method !== 'eth_getBlockReceipts' || (result as object[]).length === 0) return result
      return [...(result as object[]), { ...(result as object[]).at(-1), logs: [], gasUsed: '0x0' }]
    }
    const indexed = await Indexed.open(t, node)
    await indexed.run({ urls: [odd.url], endBlock: await node.head() })
    t.same(await indexed.values(DEPOSITS), [[1, 'provable']])
    t.same(indexed.troubles, [])
  },
)

/** Block numbers of the requested headers. */
const headersAsked = ({ requests }: FaultyRpc) =>
  requests.filter(({ method, params }) => method === 'eth_getBlockByNumber' && String(params[0]).startsWith('0x'))
    .length
const BACK = 1000

t.test('far below the final block, headers are skipped if another endpoint returns the same logs', async (t) => {
  const node = await LocalChain.start(t)
  for (let i = 1; i <= 3; i++) await node.log('vault', 'Deposit', depositValues(i))
  await node.mine(500)
  await node.log('vault', 'Deposit', depositValues(4))
  await node.mine(BACK + 10)
  const endBlock = (await node.head()) - BACK - 2
  for (const [finalHeaders, urls, least, most] of [
    ['ends', 2, 4, 20],
    ['ends', 1, endBlock, endBlock + 20],
    ['every', 2, endBlock, endBlock + 20],
  ] as const) {
    const [first, second] = [await FaultyRpc.start(t, node.url), await FaultyRpc.start(t, node.url)]
    const indexed = await Indexed.open(t, node)
    await indexed.run({ urls: [first.url, second.url].slice(0, urls), finalHeaders, endBlock })
    t.same(await indexed.values('select nonce::int4 from head.deposits order by 1'), [[1], [2], [3], [4]])
    const asked = headersAsked(first)
    t.ok(asked >= least && asked <= most, `${asked} headers with ${finalHeaders} and ${urls} endpoints`)
    t.same(indexed.troubles, [])
    t.ok((await indexed.verify()).ok)
  }
  const first = await FaultyRpc.start(t, node.url)
  const indexed = await Indexed.open(t, node)
  await indexed.run({ urls: [first.url, node.url], finalHeaders: 'ends', endBlock: endBlock + BACK })
  const asked = headersAsked(first)
  t.ok(asked >= BACK && asked < BACK + 300, `${asked} headers: every one close to the final block`)
})

t.test('an endpoint that hides all logs of a block is detected, with any setting of headers', async (t) => {
  const node = await LocalChain.start(t)
  for (let i = 1; i <= 3; i++) await node.log('vault', 'Deposit', depositValues(i))
  await node.mine(BACK + 20)
  const liar = await FaultyRpc.start(t, node.url)
  liar.fault = ({ method }, result) => (method === 'eth_getLogs' ? (result as unknown[]).slice(0, 1) : result)
  const endBlock = (await node.head()) - BACK - 5
  for (const finalHeaders of ['every', 'ends'] as const)
    for (const [order, urls] of [
      ['alone', [liar.url]],
      ['before another', [liar.url, node.url]],
      ['after another', [node.url, liar.url]],
    ] as const) {
      const indexed = await Indexed.open(t, node)
      await indexed.run({ urls, finalHeaders, endBlock })
      t.same(await indexed.values('select nonce::int4 from head.deposits order by 1'), [[1], [2], [3]], order)
      const told = new Set(indexed.troubles)
      t.equal(told.has('EVM_LOGS_MISSING'), order !== 'after another', `${[...told]}`)
      t.equal(told.has('EVM_WITNESS'), finalHeaders === 'ends' && order !== 'alone', `${[...told]}`)
    }
})

t.test('a second endpoint that invents logs, or fails, changes nothing', async (t) => {
  const node = await LocalChain.start(t)
  await node.log('vault', 'Deposit', depositValues(1))
  await node.mine(BACK + 20)
  const other = await FaultyRpc.start(t, node.url)
  const endBlock = (await node.head()) - BACK - 5
  type Log = { logIndex: string }
  const twice = (logs: Log[]) => [...logs, ...logs.map((log) => ({ ...log, logIndex: '0x9' }))]
  for (const [fault, trouble] of [
    [(result: unknown) => twice(result as Log[]), 'EVM_WITNESS'],
    [() => 'no list', 'EVM_UNCONFIRMED'],
  ] as const) {
    other.fault = ({ method }, result) => (method === 'eth_getLogs' ? fault(result) : result)
    const indexed = await Indexed.open(t, node)
    await indexed.run({ urls: [node.url, other.url], finalHeaders: 'ends', endBlock })
    t.same(await indexed.values(DEPOSITS), [[1, 'provable']])
    t.same([...new Set(indexed.troubles)], [trouble])
  }
})

t.test('an endpoint without eth_getBlockReceipts is asked for single receipts', async (t) => {
  const node = await LocalChain.start(t)
  await node.logTogether([1, 2, 3].map((nonce) => ['vault', 'Deposit', depositValues(nonce)]))
  await node.mine(5)
  for (const refusal of [
    new Refusal(-32601, 'unknown'),
    new Refusal(-32000, 'the method eth_getBlockReceipts is not available'),
    new Refusal(-32005, 'response size is too large'),
  ]) {
    const liar = await FaultyRpc.start(t, node.url)
    liar.fault = ({ method }, result) => {
      if (method === 'eth_getBlockReceipts') throw refusal
      return method === 'eth_getLogs' ? [] : result
    }
    const indexed = await Indexed.open(t, node)
    await indexed.run({ urls: [liar.url], endBlock: await node.head() })
    t.same(await indexed.values('select nonce::int4 from head.deposits order by 1'), [[1], [2], [3]], refusal.message)
    t.same(indexed.troubles, ['EVM_LOGS_MISSING'])
    liar.fault = ({ method }, result) => {
      if (method === 'eth_getBlockReceipts') throw refusal
      return method === 'eth_getLogs' ? [] : method === 'eth_getTransactionReceipt' ? null : result
    }
    const other = await Indexed.open(t, node)
    await other.run({ urls: [liar.url, node.url], endBlock: await node.head() })
    t.same(await other.values('select count(*)::int4 from head.deposits'), [[3]])
    t.ok(other.troubles.includes('EVM_RECEIPTS'), 'not even if it has none of them')
  }
})

t.test('receipts that do not match the block’s root are refused', async (t) => {
  const node = await LocalChain.start(t)
  await node.log('vault', 'Deposit', depositValues(1))
  await node.mine(5)
  const liar = await FaultyRpc.start(t, node.url)
  liar.fault = ({ method }, result) => (method === 'eth_getLogs' || method === 'eth_getBlockReceipts' ? [] : result)
  const indexed = await Indexed.open(t, node)
  await indexed.run({ urls: [liar.url, node.url], endBlock: await node.head() })
  t.same(await indexed.values(DEPOSITS), [[1, 'provable']])
  t.ok(indexed.troubles.includes('EVM_RECEIPTS'))
})

t.test('a header that does not match its hash is refused', async (t) => {
  const node = await LocalChain.start(t)
  await node.log('vault', 'Deposit', depositValues(1))
  await node.mine(5)
  const liar = await FaultyRpc.start(t, node.url)
  const quiet = { logsBloom: `0x${'00'.repeat(256)}` }
  liar.fault = ({ method }, result) => {
    if (method === 'eth_getLogs') return []
    return method === 'eth_getBlockByNumber' && result !== null ? { ...(result as object), ...quiet } : result
  }
  const indexed = await Indexed.open(t, node)
  await indexed.run({ urls: [liar.url, node.url], endBlock: await node.head() })
  t.same(await indexed.values(DEPOSITS), [[1, 'provable']])
  t.ok(indexed.troubles.includes('EVM_HEADER'))
})

t.test('a final block that is not in the endpoint’s own chain is refused', async (t) => {
  const node = await LocalChain.start(t)
  await node.mine(5)
  const liar = await FaultyRpc.start(t, node.url)
  const indexed = await Indexed.open(t, node)
  indexed.run({ urls: [liar.url, node.url], headerHash: false }).catch(() => {})
  t.teardown(() => indexed.stop())
  await indexed.caughtUp()
  liar.fault = ({ params }, result) =>
    params[0] === 'finalized' ? { ...(result as object), hash: `0x${'ab'.repeat(32)}` } : result
  await node.log('vault', 'Deposit', depositValues(1))
  await node.mine(1)
  await indexed.caughtUp()
  t.same([...new Set(indexed.troubles)], ['EVM_GAP'])
  t.same((await indexed.values(DEPOSITS)).length, 1)
})

t.test('a dead endpoint is replaced by the next one, and a lagging one is not followed', async (t) => {
  const node = await LocalChain.start(t)
  await node.mine(5)
  const [first, second] = [await FaultyRpc.start(t, node.url), await FaultyRpc.start(t, node.url)]
  const indexed = await Indexed.open(t, node)
  indexed.run({ urls: [first.url, second.url, node.url] }).catch(() => {})
  t.teardown(() => indexed.stop())
  await node.log('vault', 'Deposit', depositValues(1))
  await indexed.caughtUp()
  t.equal(second.requests.length, 0, 'the second is not asked while the first works')

  const stuck = { latest: await block(node, 'latest'), finalized: await block(node, 'finalized') }
  second.fault = ({ method, params }, result) =>
    method === 'eth_getBlockByNumber' && typeof params[0] === 'string' && params[0] in stuck
      ? stuck[params[0] as keyof typeof stuck]
      : result
  await node.log('vault', 'Deposit', depositValues(2))
  await node.mine(3)
  await indexed.caughtUp()
  await first.die()
  await node.log('vault', 'Deposit', depositValues(3))
  await indexed.caughtUp()
  t.same(
    (await indexed.values(DEPOSITS)).map(([nonce]) => nonce),
    [1, 2, 3],
  )
  t.ok(indexed.troubles.includes('EVM_RPC'), 'the first is dead')
  t.ok(indexed.troubles.includes('EVM_LAGGING'), 'the second lags')
  t.same(indexed.forks, [], 'and nothing is taken back')
})

async function block(node: LocalChain, tag: string): Promise<unknown> {
  return node.rpc('eth_getBlockByNumber', tag, false)
}

t.test('verify finds deposits that no endpoint returned', async (t) => {
  const node = await LocalChain.start(t)
  for (const nonce of [1, 2, 4]) await node.log('vault', 'Deposit', depositValues(nonce))
  await node.mine(5)
  const indexed = await Indexed.open(t, node)
  await indexed.run({ endBlock: await node.head() })
  const credited = (nonce: number, time: string) =>
    indexed.pool.query(
      `insert into ledger.deposit_events (chain, block_num, block_time, global_seq, trx_id, nonce, domain, type, account)
       select 'telos', 77, ${time}, $1::int8, b.block_id, $1::int8, $2, 'credited', 'alice' from ledger.blocks b limit 1`,
      [nonce, node.chainId],
    )
  await indexed.pool.query(`select meta.add_chain('telos')`)
  for (const nonce of [0, 1, 2, 3, 5]) await credited(nonce, `to_timestamp(0)`)
  await credited(6, "clock_timestamp() + interval '1 day'")
  const { checks } = await indexed.verify()
  t.same(
    checks.find(({ name }) => name === 'deposits')?.differences.map(({ expected, found }) => [expected, found]),
    [
      ['nonce 3', 'nonce 4'],
      ['nonce 3', 'no event'],
      ['nonce 5', 'no event'],
    ],
  )
})
