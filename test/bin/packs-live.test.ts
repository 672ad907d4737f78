// The commands of the README: an empty database gets its history from a pack, and goes on live from a node.
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { startShip } from '../../devnet/ship/server.ts'
import { Devnet } from '../packs/devnet.ts'
import { packFolder } from '../packs/scene.ts'
import { testDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'
import { run, start } from './program.ts'

t.test('`fetch`, then `run`', async (t) => {
  const net = new Devnet()
  net.produce(60)
  const { chain } = net
  const ship = await startShip(chain)
  t.teardown(() => ship.stop())
  const [publisher, reader] = [await testDatabase(t), await testDatabase(t)]
  const env = { HEADWATER_DEV_SOURCE_KIND: 'ship', HEADWATER_DEV_SOURCE_URLS: ship.url }
  /** Runs the program until its API answers and the head is indexed. It is not ready: the chain's clock stands still. */
  const live = async ({ url, pool }: typeof reader, work: () => void) => {
    const port = await freePort()
    const program = start(['run', '--chain', 'dev'], { ...env, DATABASE_URL: url, HEADWATER_PORT: String(port) })
    t.teardown(() => program.child.kill('SIGKILL'))
    await until('the program answers', () => answers(port))
    work()
    await until('the head is indexed', async () => {
      const { rows } = await pool.query<{ num: number }>('select block_num::int4 as num from meta.position')
      return rows[0]?.num === chain.head.num
    })
    program.child.kill('SIGTERM')
    t.equal((await program.outcome).code, 0)
  }

  await live(publisher, () => {})
  const folder = packFolder(t)
  const packed = await run(['pack', '--chain', 'dev', '--out', folder], { ...env, DATABASE_URL: publisher.url })
  t.equal(packed.code, 0, packed.stderr)
  // As printed, the last one: with the policy and the id of the last block.
  const [, args] = [...packed.stdout.matchAll(/npx headwater (fetch .*)/g)].at(-1) ?? []
  const fetched = await run(args!.trim().split(' '), { ...env, DATABASE_URL: reader.url })
  t.match(fetched, { code: 0, stdout: /dev: blocks 2 to \d+ [0-9a-f]{64}/ }, fetched.stderr)
  t.match(fetched.stdout, /Confirmed by finalizer policy [0-9a-f]{64} and block \d+ [0-9a-f]{64}\./)
  const end = await reader.pool.query<{ num: number }>('select block_num::int4 as num from meta.position')
  t.equal(end.rows[0]!.num, chain.lib.num)

  await live(reader, () => net.produce(5))
  const { rows } = await reader.pool.query<{ num: number; id: string }>(
    `select block_num::int4 as num, encode(block_id, 'hex') as id from ledger.blocks order by 1`,
  )
  t.ok(rows.length > 60)
  t.same(
    rows.map(({ num, id }) => [num, id]),
    rows.map(({ num }) => [num, chain.block(num)!.id]),
  )
  const verified = await run(['verify', '--chain', 'dev'], { DATABASE_URL: reader.url })
  t.equal(verified.code, 0, verified.stdout)
})

async function answers(port: number): Promise<boolean> {
  try {
    await fetch(`http://127.0.0.1:${port}/health/ready`)
    return true
  } catch {
    await delay(50)
    return false
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
