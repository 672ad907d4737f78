// An indexer of an EVM chain that ends at any step of a commit.
import t from 'tap'
import { UserError } from '../../../../core/errors.ts'
import { Indexed } from './indexed.ts'
import { depositValues, LocalChain } from './local-chain.ts'

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
        if (at === point && ++seen === 1) throw new UserError('CRASH', `crash at ${point}`)
      },
    })
    await t.rejects(failing)
  }
  await crashed.run({ endBlock: end, rangeBlocks: 3 })
  t.same(await crashed.digest(), await clean.digest())
  t.equal((await crashed.position())?.id, (await clean.position())?.id)
})

t.test('an indexer that is killed between two steps continues after its last commit', async (t) => {
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
