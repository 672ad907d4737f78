// When a node serves another chain after a reconnect, none of its rows may be stored.
import t from 'tap'
import { QUIET_PLAN } from '../crash/scene.ts'
import { testDatabase } from '../support/database.ts'
import { Random, seedFromEnvironment } from '../support/random.ts'
import { Follower } from './follower.ts'
import { Node } from './node.ts'
import { Observer } from './snapshot.ts'

t.test('a node that serves another chain is refused, and used again when it serves the right one', async (t) => {
  const { url } = await testDatabase(t)
  const observer = await Observer.open(url, 'changed')
  const node = await Node.start(QUIET_PLAN, new Random(seedFromEnvironment()))
  const place = { url, chain: 'changed', observer }
  const follower = new Follower(node, place, { free: true })
  follower.start()
  await follower.catchUp()

  node.server.faults.chainId = 'cd'.repeat(32)
  node.server.dropAll()
  node.grow(2)
  await t.rejects(follower.catchUp(), { code: 'OTHER_CHAIN' })
  await follower.end()
  await t.resolves(follower.referee.unchanged(), 'nothing was written')

  node.server.faults.chainId = null
  const heir = new Follower(node, place, { free: true })
  heir.start()
  const isAtHead = async () => (await observer.look()).position?.id === node.chain.head.id
  while (!(await isAtHead())) await new Promise((resolve) => setTimeout(resolve, 20))
  await heir.end()
  await observer.close()
  await node.server.stop()
})
