// Two indexers of one chain: one writes, the other is refused, whichever starts first and whatever happens to them.
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { ChainWriter, COMMIT_POINTS } from '../../indexer/store/writer.ts'
import { forgetChain } from '../simulation/forget-chain.ts'
import { Node } from '../simulation/node.ts'
import { linearReplay } from '../simulation/oracle.ts'
import { compareImages } from '../simulation/referee.ts'
import { Observer } from '../simulation/snapshot.ts'
import { testDatabase } from '../support/database.ts'
import { Random, seedFromEnvironment } from '../support/random.ts'
import { until } from '../support/until.ts'
import { Child } from './child.ts'
import { endure, QUIET_PLAN } from './scene.ts'

const CHAIN = 'contested'

t.test('a second indexer that starts at any step of a commit is refused', async (t) => {
  const { url, pool } = await testDatabase(t)
  const place = { url, chain: CHAIN, observer: await Observer.open(url, CHAIN) }
  for (const point of COMMIT_POINTS) {
    let refused: { code?: string; message?: string } = {}
    const strike = async () => {
      const second = ChainWriter.open({ chain: CHAIN, databaseUrl: url, chainId: null })
      const notRefused = () => ({ code: 'NOT_REFUSED' })
      refused = await Promise.race([
        second.then(notRefused, (error) => error),
        delay(120_000, undefined, { ref: false }).then(notRefused),
      ])
    }
    const complaints = await endure(place, { point, ordinal: 2, strike })
    t.equal(refused.code, 'WRITER_FENCED', point)
    t.match(refused.message, /database session \d+ of headwater index contested from .+, since 20/)
    t.same(
      [...complaints.keys()].filter((code) => !code.startsWith('SHIP')),
      [],
      'the first one goes on undisturbed',
    )
    await forgetChain(pool, CHAIN)
  }
  await place.observer.close()
})

t.test('an indexer whose chain was taken while it was connected writes nothing more', async (t) => {
  const { url, pool } = await testDatabase(t)
  const place = { url, chain: CHAIN, observer: await Observer.open(url, CHAIN) }
  for (const point of ['begun', 'committed'] as const) {
    // The statement of another process that takes over the chain.
    const strike = async () => {
      await pool.query('update meta.position set writer = gen_random_uuid() where chain = $1', [CHAIN])
    }
    const complaints = await endure(place, { point, ordinal: 3, strike })
    t.equal(complaints.get('WRITER_FENCED'), 1, `at ${point}: the next commit fails, and the chain is taken anew`)
    await forgetChain(pool, CHAIN)
  }
  await place.observer.close()
})

t.test('an indexer that hung while another took over cannot commit when it wakes up', async (t) => {
  const { url, pool } = await testDatabase(t)
  const node = await Node.start(QUIET_PLAN, new Random(seedFromEnvironment()))
  const observer = await Observer.open(url, CHAIN)
  const options = { databaseUrl: url, shipUrl: node.server.url, chain: CHAIN, startBlock: node.tree.first }
  t.teardown(() => node.server.stop())
  t.teardown(() => observer.close())
  const isAtHead = (child: Child) => () => child.committed.at(-1) === node.chain.head.id

  const hung = new Child(options)
  t.teardown(() => hung.stop('SIGKILL'))
  await until('the first one is at the head', isAtHead(hung))
  hung.signal('SIGSTOP')
  await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1`, [
    `headwater index ${CHAIN}`,
  ])
  const heir = new Child(options)
  t.teardown(() => heir.stop('SIGKILL'))
  node.grow(2)
  await until('the second one is at the head', isAtHead(heir))
  const before = hung.committed.length
  hung.signal('SIGCONT')
  for (let i = 0; i < 4; i++) {
    node.grow(1)
    await until('the second one goes on', isAtHead(heir))
  }
  await until('the first one is refused', () => hung.codes.includes('WRITER_FENCED'))
  t.equal(hung.committed.length, before, 'it has committed nothing since')

  await heir.stop('SIGKILL')
  node.fork()
  await until('the first one takes the chain back', isAtHead(hung))
  await hung.stop()
  const visible = await observer.look()
  t.equal(visible.position?.id, node.chain.head.id)
  compareImages(visible.head, linearReplay(node.tree.path(node.chain.head.id)), 'at the end')
})
