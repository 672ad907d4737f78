// Commands run as programs on a standby print the same as on the primary. So do `status` and `compare` through PgBouncer.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { run } from '../bin/program.ts'
import { testApi, testChain } from '../support/api.ts'
import type { TestDatabase } from '../support/database.ts'
import type { ReplicatedServers } from '../support/standby.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** `headwater lake`, `export` and `status` on both servers, after `bridgeAnswersAreEqual`. */
export async function commandsRun(t: Test, { primary, standby, replayed }: ReplicatedServers): Promise<void> {
  await replayed()
  const folder = temporaryFolder(t)
  const [here, there] = [
    { url: primary.url('scene'), out: join(folder, 'primary') },
    { url: standby.url('scene'), out: join(folder, 'standby') },
  ]

  t.test('a lake has equal files', async (t) => {
    // The chain of the other database has a hundred days: its lake would take minutes.
    for (const [server, { out }] of [
      [primary, here],
      [standby, there],
    ] as const)
      t.match(
        await run(['lake', '--chain', 'wax', '--current', '--out', out], { DATABASE_URL: server.url('history') }),
        {
          code: 0,
          stdout: /\nwax: complete up to block \d+; [1-9]\d* rows written in [1-9]\d* steps\n$/,
        },
      )
    const [files, copies] = [filesOf(here.out), filesOf(there.out)]
    t.same([...copies.keys()], [...files.keys()])
    t.ok([...files.keys()].filter((name) => name.endsWith('.parquet')).length > 20, `${files.size} files`)
    for (const [name, bytes] of files) if (copies.get(name)?.equals(bytes) !== true) t.fail(name)
  })

  t.test('an export is equal', async (t) => {
    const rows: Buffer[] = []
    for (const { url, out } of [here, there]) {
      const file = `${out}.csv`
      t.match(await run(['export', 'swaps', '--format', 'csv', '--out', file], { DATABASE_URL: url }), { code: 0 })
      rows.push(readFileSync(file))
    }
    t.ok(rows[0] !== undefined && rows[0].length > 10_000 && rows[1]?.equals(rows[0]), `${rows[0]?.length} bytes`)
  })

  t.test('the status is equal', async (t) => {
    t.same(await statusOf(t, there.url), await statusOf(t, here.url))
  })
}

/**
 * `headwater status` and `compare` through poolers.
 *
 * @param direct   address of the server itself
 * @param poolers  addresses of the same database
 */
export async function pooledCommandsRun(
  t: Test,
  database: TestDatabase,
  { direct, poolers }: { direct: string; poolers: readonly string[] },
): Promise<void> {
  const expected = await statusOf(t, direct)
  const api = await testApi(t, database, { chains: [testChain('wax')] })
  const address = await api.app.listen({ port: 0, host: '127.0.0.1' })
  for (const url of poolers) {
    t.same(await statusOf(t, url), expected)
    t.match(await run(['compare', address, '--chain', 'wax'], { DATABASE_URL: url }), {
      ...{ code: 0, stderr: '' },
      stdout: /^compared blocks \d+ to \d+, .*\nno difference\n$/,
    })
  }
}

/**
 * The positions that `headwater status` prints, without their ages and without `lagBlocks`: it contains the blocks since the
 * head was stored, estimated by the clock.
 */
async function statusOf(t: Test, url: string): Promise<Record<string, unknown>[]> {
  const { code, stdout, stderr } = await run(['status', '--json'], { DATABASE_URL: url })
  t.same({ code, stderr }, { code: 0, stderr: '' })
  const positions = JSON.parse(stdout || '[]') as Record<string, unknown>[]
  t.match(positions, [{ chain: 'wax', block: Number, hasState: true }])
  return positions.map(({ headAgeSeconds: _, lagSeconds: __, lagBlocks: ___, ...position }) => position)
}

/** Contents by name, in order. */
function filesOf(folder: string): Map<string, Buffer> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
  return new Map(names.map((name) => [name.slice(folder.length), readFileSync(name)]))
}
