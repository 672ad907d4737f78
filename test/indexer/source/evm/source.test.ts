// The events of a real EVM node in the ledger: through ranges and block by block, forks, and endpoints that lie, lag and
// die. Expected rows are what the transactions said.
import t from 'tap'
import { FaultyRpc, Refusal } from './faulty-rpc.ts'
import { Indexed } from './indexed.ts'
import { ABIS, depositValues, LocalChain } from './local-chain.ts'

const ALICE = `0x${'a1'.repeat(20)}`
const TOKEN = `0x${'70'.repeat(20)}`
const DEPOSITS = 'select nonce::int4, status from head.deposits order by nonce'

t.test('every event of the published ABIs becomes its row', async (t) => {
  const node = await LocalChain.start(t)
  const sent = [
    await node.log('vault', 'Deposit', depositValues(7, { memo: '1:0xab|56:0xcd' })),
    await node.log('vault', 'Released', [5n, TOKEN, ALICE, 999n, ALICE, 1n]),
    await node.log('vault', 'Voided', [6n]),
    await node.log('vault', 'AssetSet', [TOKEN, 10n ** 10n, 2n ** 100n, true, 5n]),
    await node.log('vault', 'PauseSet', [true, false]),
    await node.log('withdrawals', 'Released', [5n, TOKEN, ALICE, 1000n, '0x0102']),
    await node.log('withdrawals', 'Expired', [6n]),
    await node.log('lightclient', 'RootStored', [`0x${'5e'.repeat(32)}`, 1234n, 1_600_000_001n, 3n]),
    await node.log('lightclient', 'PolicyLearned', [3n, `0x${'d1'.repeat(32)}`, 2n ** 40n, 21n]),
    await node.raw('vault', [`0x${'ee'.repeat(32)}`], '0xabcdef'),
    await node.raw('vault', [ABIS.vault.getEvent('Voided')!.topicHash], '0x'),
  ]
  await node.mine(3)
  const indexed = await Indexed.open(t, node)
  await indexed.run({ endBlock: await node.head() })

  t.same(
    await indexed.values(
      `select key, block_num::int4, trx_id, contract, token, from_address, amount, canonical, telos_to, refund_to, fill_fee, filler,
        encode(memo, 'escape') from head.vault_deposits`,
    ),
    [
      [
        'd:1:7',
        sent[0]!.blockNum,
        sent[0]!.trxId,
        node.contracts.vault,
        TOKEN,
        ALICE,
        '1000007',
        '1000000',
        'alice',
        ALICE,
        '0',
        '0',
        '1:0xab|56:0xcd',
      ],
    ],
  )
  t.same(
    await indexed.values(
      `select key, type, block_num::int4, token, recipient, amount, fee_to, fee, encode(memo, 'hex') from head.withdrawal_outcomes order by global_seq`,
    ),
    [
      ['w:5', 'released', sent[1]!.blockNum, TOKEN, ALICE, '999', ALICE, '1', null],
      ['w:6', 'voided', sent[2]!.blockNum, null, null, null, null, null, null],
      ['w:5', 'proved', sent[5]!.blockNum, TOKEN, ALICE, '1000', null, null, '0102'],
      ['w:6', 'expired', sent[6]!.blockNum, null, null, null, null, null, null],
    ],
  )
  const asset = { token: TOKEN, scale: '10000000000', cap: `${2n ** 100n}`, enabled: true, minDeposit: '5' }
  t.same(await indexed.values('select type, token, details from head.vault_changes order by global_seq'), [
    ['AssetSet', TOKEN, asset],
    ['PauseSet', null, { deposits: true, withdrawals: false }],
  ])
  t.same(await indexed.values('select root, last_block, root_time, generation, domain from head.stored_roots'), [
    [`0x${'5e'.repeat(32)}`, '1234', new Date(Date.UTC(2000, 0, 1) + 1_600_000_001 * 500), '3', '1'],
  ])
  t.same(await indexed.values('select generation, digest, threshold, finalizers from head.learned_policies'), [
    ['3', `0x${'d1'.repeat(32)}`, `${2n ** 40n}`, '21'],
  ])
  t.same(
    await indexed.values(
      'select account, name, reason_code, block_num::int4 from ledger.undecoded_actions order by global_seq',
    ),
    [
      [node.contracts.vault, `0x${'ee'.repeat(32)}`, 'UNKNOWN_EVENT', sent[9]!.blockNum],
      [node.contracts.vault, ABIS.vault.getEvent('Voided')!.topicHash, 'EVENT_INVALID', sent[10]!.blockNum],
    ],
    'what cannot be decoded is kept',
  )
  t.same(indexed.troubles, [])
})

t.test('final blocks in ranges: only those with events and ends are kept, and nothing is left out', async (t) => {
  const node = await LocalChain.start(t)
  await node.mine(40)
  const first = await node.log('vault', 'Deposit', depositValues(1))
  await node.mine(50)
  const second = await node.log('vault', 'Deposit', depositValues(2))
  await node.mine(30)
  const indexed = await Indexed.open(t, node)
  const end = (await node.head()) - 2
  await indexed.run({ endBlock: end, rangeBlocks: 60 })
  const blocks = (await indexed.values(`select block_num::int4 from ledger.blocks order by block_num`)).flat()
  t.same(
    blocks,
    [1, first.blockNum, 60, second.blockNum, 120, end].sort((a, b) => a - b),
  )
  const quiet = await indexed.values('select first_num::int4, last_num::int4 from head.quiet_ranges order by first_num')
  const covered = [...blocks, ...quiet.flatMap(([from, to]) => range(from as number, to as number))]
  t.same(
    covered.sort((a, b) => Number(a) - Number(b)),
    range(1, end),
    'every block is kept or quiet',
  )
  t.same((await indexed.position())?.lib, end)
  t.ok((await indexed.verify()).ok, 'and the chain of blocks holds')
  await indexed.pool.query('delete from ledger.quiet_ranges where first_num = 2')
  t.notOk((await indexed.verify()).ok, 'a range that nobody searched is found')
})

t.test('a deposit is seen, then provable; a fork takes it away, and it comes again', async (t) => {
  const node = await LocalChain.start(t)
  await node.mine(5)
  const indexed = await Indexed.open(t, node)
  indexed.run().catch(() => {})
  t.teardown(() => indexed.stop())
  await indexed.caughtUp()
  const { blockNum } = await node.log('vault', 'Deposit', depositValues(1))
  await indexed.caughtUp()
  t.same(await indexed.values(DEPOSITS), [[1, 'seen']])
  const { id } = (await indexed.position())!

  await node.replace(1)
  await indexed.caughtUp()
  t.same(await indexed.values(DEPOSITS), [], 'the block that held it is gone')
  t.same(indexed.forks.at(-1), [blockNum, 1])
  t.same(await indexed.values(`select encode(block_id, 'hex') from ledger.orphaned_blocks`), [[id]])

  await node.log('vault', 'Deposit', depositValues(1))
  await node.log('vault', 'Deposit', depositValues(2))
  await indexed.caughtUp()
  t.same(await indexed.values(DEPOSITS), [
    [1, 'seen'],
    [2, 'seen'],
  ])
  await node.mine(1)
  await indexed.caughtUp()
  t.same(await indexed.values(DEPOSITS), [
    [1, 'provable'],
    [2, 'seen'],
  ])
  await node.mine(1)
  await indexed.caughtUp()
  t.same(await indexed.values(DEPOSITS), [
    [1, 'provable'],
    [2, 'provable'],
  ])
  t.same(await indexed.values('select nonce::int4 from final.deposits order by nonce'), [[1], [2]])
  await node.raw('vault', [`0x${'ee'.repeat(32)}`], '0x')
  await indexed.caughtUp()
  t.same(await indexed.values('select reason_code from ledger.undecoded_actions'), [['UNKNOWN_EVENT']])
})

t.test('what was indexed through forks is what a new indexer reads', async (t) => {
  const node = await LocalChain.start(t)
  const indexed = await Indexed.open(t, node)
  indexed.run().catch(() => {})
  t.teardown(() => indexed.stop())
  for (let i = 1; i <= 12; i++) {
    await node.log('vault', 'Deposit', depositValues(i))
    if (i % 3 === 0) await node.log('withdrawals', 'Expired', [BigInt(i)])
    await indexed.caughtUp()
    if (i % 4 === 0) {
      await node.replace(1)
      await node.log('vault', 'Deposit', depositValues(100 + i))
    }
  }
  await indexed.caughtUp()
  const other = await Indexed.open(t, node)
  await other.run({ endBlock: await node.head() })
  t.same(await other.digest(), await indexed.digest())
  t.ok(indexed.forks.length >= 3, `${indexed.forks.length} forks`)
})

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
  t.same(indexed.troubles, Array(4).fill('EVM_LOGS_MISSING'), 'and each is told')
})

t.test('where headers are not read, another endpoint is asked for the same range', async (t) => {
  const node = await LocalChain.start(t)
  for (let i = 1; i <= 3; i++) await node.log('vault', 'Deposit', depositValues(i))
  await node.mine(10)
  const liar = await FaultyRpc.start(t, node.url)
  liar.fault = ({ method }, result) => (method === 'eth_getLogs' ? (result as unknown[]).toSpliced(1, 1) : result)
  const end = (await node.head()) - 2
  const alone = await Indexed.open(t, node)
  await alone.run({ urls: [liar.url], finalHeaders: 'ends', endBlock: end })
  t.same((await alone.values(DEPOSITS)).length, 2, 'alone it is believed')
  const { checks } = await alone.verify()
  t.match(checks.find(({ name }) => name === 'deposits')?.differences, [{ expected: 'nonce 2', found: 'nonce 3' }])
  const indexed = await Indexed.open(t, node)
  await indexed.run({ urls: [liar.url, node.url], finalHeaders: 'ends', endBlock: end })
  t.same(
    (await indexed.values(DEPOSITS)).map(([nonce]) => nonce),
    [1, 2, 3],
  )
  t.ok(indexed.troubles.includes('EVM_LOGS_MISSING'))
  t.ok((await indexed.verify()).ok)
})

t.test('receipts that are not those of the block are not believed', async (t) => {
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

t.test('a header whose fields are not its hash is not believed', async (t) => {
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

t.test('an endpoint that dies is left for the next, and one that lags is not followed', async (t) => {
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

t.test('ranges shrink for an endpoint that refuses large ones, in the words of any provider', async (t) => {
  const refusals = [
    new Refusal(-32005, 'query returned more than 10000 results'),
    new Refusal(-32602, 'eth_getLogs block range is too large, maximum 10 blocks'),
    new Refusal(-32000, 'exceed maximum block range: 10'),
    new Refusal(-32000, 'Log response size exceeded.'),
  ]
  const node = await LocalChain.start(t)
  await node.mine(30)
  await node.log('vault', 'Deposit', depositValues(1))
  await node.mine(60)
  for (const refusal of refusals) {
    const server = await FaultyRpc.start(t, node.url)
    server.fault = ({ method, params }, result) => {
      const [{ fromBlock, toBlock }] = params as [{ fromBlock?: string; toBlock?: string }]
      if (method === 'eth_getLogs' && Number(toBlock) - Number(fromBlock) >= 10) throw refusal
      return result
    }
    const indexed = await Indexed.open(t, node)
    await indexed.run({ urls: [server.url], endBlock: (await node.head()) - 2 })
    t.same(await indexed.values(DEPOSITS), [[1, 'provable']], refusal.message)
  }
})

t.test('requests keep to the rate that is allowed, and wait when there are too many', async (t) => {
  const node = await LocalChain.start(t)
  await node.mine(40)
  const server = await FaultyRpc.start(t, node.url)
  const indexed = await Indexed.open(t, node)
  const began = performance.now()
  await indexed.run({ urls: [server.url], endBlock: 40, requestsPerSecond: 40, batch: 10 })
  const seconds = (performance.now() - began) / 1000
  const allowed = 40 * seconds + 40
  t.ok(server.requests.length <= allowed, `${server.requests.length} requests in ${seconds.toFixed(2)} s`)

  server.status = 429
  setTimeout(() => {
    server.status = null
  }, 300)
  const other = await Indexed.open(t, node)
  await other.run({ urls: [server.url], endBlock: 10 })
  t.ok(other.troubles.includes('EVM_RATE_LIMIT'))
  t.equal((await other.position())?.block, 10)
})

t.test('another chain is refused', async (t) => {
  const node = await LocalChain.start(t, 56)
  const indexed = await Indexed.open(t, node)
  await t.rejects(indexed.run({ chainId: 1, endBlock: 3 }), { code: 'OTHER_CHAIN' })
})

t.test('a crash at any step of a commit leaves nothing half-done', async (t) => {
  const node = await LocalChain.start(t)
  for (let i = 1; i <= 6; i++) await node.log('vault', 'Deposit', depositValues(i))
  await node.mine(3)
  const end = await node.head()
  const clean = await Indexed.open(t, node)
  await clean.run({ endBlock: end })
  const crashed = await Indexed.open(t, node)
  for (const point of ['moved', 'copied', 'ready', 'committed'] as const) {
    let seen = 0
    const failing = crashed.run({
      endBlock: end,
      rangeBlocks: 3,
      onPoint(at) {
        if (at === point && ++seen === 1) throw new Error(`crash at ${point}`)
      },
    })
    await t.rejects(failing)
  }
  await crashed.run({ endBlock: end, rangeBlocks: 3 })
  t.same(await crashed.digest(), await clean.digest())
  t.equal((await crashed.position())?.id, (await clean.position())?.id)
})

t.test('an indexer that is killed between two steps goes on where its last commit was', async (t) => {
  const node = await LocalChain.start(t)
  for (let i = 1; i <= 8; i++) await node.log('vault', 'Deposit', depositValues(i))
  const end = await node.head()
  const clean = await Indexed.open(t, node)
  await clean.run({ endBlock: end })
  const killed = await Indexed.open(t, node)
  for (const [point, commit] of [
    ['copied', 2],
    ['committed', 1],
  ] as const) {
    const before = (await killed.position())?.block ?? 0
    t.equal(await killed.runKilled(point, commit, end), 'SIGKILL')
    const after = (await killed.position())?.block ?? 0
    t.ok(after > before && after < end, `block ${after}`)
  }
  await killed.run({ endBlock: end })
  t.same(await killed.digest(), await clean.digest())
  t.equal((await killed.position())?.id, (await clean.position())?.id)
})

async function block(node: LocalChain, tag: string): Promise<unknown> {
  return node.rpc('eth_getBlockByNumber', tag, false)
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}
