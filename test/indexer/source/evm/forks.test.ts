// Reversible blocks of a real EVM node: indexed, replaced, final.
import t from 'tap'
import { until } from '../../../support/until.ts'
import { FaultyRpc } from './faulty-rpc.ts'
import { Indexed } from './indexed.ts'
import { depositValues, LocalChain } from './local-chain.ts'

const DEPOSITS = 'select nonce::int4, status from head.deposits order by nonce'

t.test('a deposit is seen, then provable; a fork removes it, and it is included again', async (t) => {
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

t.test('a branch that returns, and is final when it is read again, is not among the orphaned blocks', async (t) => {
  const node = await LocalChain.start(t)
  await node.mine(5)
  const proxy = await FaultyRpc.start(t, node.url)
  const indexed = await Indexed.open(t, node)
  indexed.run({ urls: [proxy.url] }).catch(() => {})
  t.teardown(() => indexed.stop())
  await indexed.caughtUp()
  const base = await node.head()
  const other = await LocalChain.start(t, 1, node)
  const idsOf = async (chain: LocalChain) => {
    const ids: string[] = []
    for (let num = base + 1; num <= (await chain.head()); num++) {
      const header = await chain.rpc<{ hash: string }>('eth_getBlockByNumber', `0x${num.toString(16)}`, false)
      ids.push(header.hash.slice(2))
    }
    return ids
  }
  const orphaned = async () =>
    (await indexed.values('select block_id from head.orphaned_blocks order by block_num')).flat()
  const follow = async (chain: LocalChain, wanted: string[]) => {
    proxy.node = chain.url
    const isIndexed = async () => (await indexed.position())?.id === wanted.at(-1)
    await until(() => `${wanted.at(-1)} is indexed; troubles: ${indexed.troubles}`, isIndexed, 20)
  }
  await node.mine(2)
  const first = await idsOf(node)
  await follow(node, first)
  // Other times than on the first branch.
  await other.rpc('evm_increaseTime', 7)
  await other.mine(2)
  const second = await idsOf(other)
  await follow(other, second)
  t.same([first.length, second.length, await orphaned()], [2, 2, first])
  await node.mine(8)
  await follow(node, await idsOf(node))
  t.same(await orphaned(), second, 'only the second branch is replaced now')
})

t.test('secondary indexes exist once the head is reached, also when several blocks arrive at once', async (t) => {
  const node = await LocalChain.start(t)
  await node.mine(10)
  const indexed = await Indexed.open(t, node)
  indexed.run({ pollMs: 50 }).catch(() => {})
  t.teardown(() => indexed.stop())
  await indexed.caughtUp()
  for (let i = 0; i < 5; i++) {
    await node.mine(3)
    await indexed.caughtUp()
  }
  await indexed.stop()
  t.same(await indexed.values('select indexed from meta.position'), [[true]])
})

t.test('indexing through forks gives the rows of a new indexer', async (t) => {
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
