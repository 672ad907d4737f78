// An operator's use of a node's snapshot: checked as a file, named by `check`, a backfill by worker threads that
// starts from it, and the comparison with the node's tables afterwards.
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { checkNode } from '../../bin/checks/node.ts'
import { indexChains } from '../../bin/index-chains.ts'
import { loadConfig } from '../../config/load.ts'
import { startHttp } from '../../devnet/http/server.ts'
import { startShip } from '../../devnet/ship/server.ts'
import { IndexerMetrics } from '../../indexer/operate/metrics.ts'
import { sameRows } from '../indexer/bootstrap/compare.ts'
import { chainId, RandomExchange } from '../indexer/bootstrap/random-exchange.ts'
import { testDatabase } from '../support/database.ts'
import { stateOfDeltas } from '../support/full-deltas.ts'
import { simulatedState } from '../support/snapshot-state.ts'
import { writeSnapshot } from '../support/snapshot-writer.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'
import { run, start } from './program.ts'

/** A node whose logs begin after a block, and snapshots of that block. */
async function snapshotNode(t: Test) {
  const exchange = new RandomExchange(11)
  const { chain } = exchange
  exchange.produce(150)
  const { num } = chain.head
  const deltas = chain.fullDeltas()
  exchange.produce(120)
  const ship = await startShip(chain, { logStart: { num, deltas, isSnapshot: true } })
  const http = await startHttp(chain)
  t.teardown(() => Promise.all([ship.stop(), http.stop()]))
  const folder = temporaryFolder(t)
  const snapshot = (version: number) => {
    const path = join(folder, `snapshot-${version}.bin`)
    const blockState = simulatedState(version, chain.block(num)!)
    writeFileSync(path, writeSnapshot({ version, blockState, chainId, ...stateOfDeltas(deltas) }))
    return path
  }
  return { num, head: chain.head.num, lib: chain.lib.num, id: chain.block(num)!.id, ship, http, snapshot }
}

const node = await snapshotNode(t)

/** The configuration of a user, as environment variables. */
const settings = (chain: string, snapshot: string): Record<string, string> => {
  const prefix = `HEADWATER_${chain.toUpperCase()}_`
  return {
    [`${prefix}SOURCE_KIND`]: 'ship',
    [`${prefix}SOURCE_URLS`]: node.ship.url,
    [`${prefix}SOURCE_HTTP`]: node.http.url,
    [`${prefix}SOURCE_SNAPSHOT`]: snapshot,
    [`${prefix}FINALITY`]: 'false',
  }
}

t.test('headwater snapshot check', async (t) => {
  const path = node.snapshot(8)
  const text = await run(['snapshot', 'check', path])
  t.match(text, { code: 0, stderr: '' })
  const [version, chain, block = '', rows] = text.stdout.trim().split('\n')
  t.equal(version, `${path}: version 8`)
  t.equal(chain, `chain ${chainId}`)
  t.ok(block.startsWith(`block ${node.num} ${node.id}, 2026-01-01T00:0`), block)
  t.match(block, /start of finality: producers$/)
  t.match(rows, /^\d+ rows in \d+ tables of \d+ contracts, \d+ ABIs, read in [\d.]+ s$/)

  const json = await run(['snapshot', 'check', node.snapshot(6), '--json'])
  t.equal(json.code, 0, json.stderr)
  const found = JSON.parse(json.stdout)
  t.match(found, { version: 6, isTried: false, chainId, block: node.num, id: node.id, finality: 'producers' })
  t.ok(found.rows > 20 && found.tables > 5 && found.contracts > 2 && found.abis > 2, json.stdout)
  t.match(rows, `${found.rows} rows in ${found.tables} tables of ${found.contracts} contracts, ${found.abis} ABIs`)

  const torn = join(temporaryFolder(t), 'torn.bin')
  writeFileSync(torn, readFileSync(path))
  truncateSync(torn, readFileSync(path).length - 3)
  t.match(await run(['snapshot', 'check', torn]), { code: 1, stdout: '', stderr: /SNAPSHOT_TORN/ })
  t.match(await run(['snapshot', 'check', `${path}.gone`]), { code: 1, stderr: /SNAPSHOT_UNREADABLE/ })
  t.match(await run(['snapshot', 'check']), { code: 2, stderr: /one FILE is needed/ })
  t.match(await run(['snapshot', 'check', path, path]), { code: 2, stderr: /unexpected argument/ })
  t.match(await run(['snapshot', 'show', path]), { code: 2, stderr: /unknown argument show/ })
})

t.test('the line of headwater check', async (t) => {
  const line = async (snapshot: string, change: { chainId?: string; indexed?: number } = {}) => {
    const { chains } = loadConfig({ env: settings('dev', snapshot), program: { chains: ['dev'] } }).config
    const [first] = await checkNode({ ...chains[0]!, chainId: change.chainId }, change.indexed)
    return first
  }
  const subject = /^dev snapshot .*snapshot-/
  const what = `block ${node.num} of 2026-01-01T00:0.*: indexing starts at block ${node.num + 1}$`
  t.match(await line(node.snapshot(8)), { level: 'ok', subject, message: new RegExp(`^version 8, ${what}`) })
  t.match(await line(node.snapshot(6)), {
    ...{ level: 'warn', message: new RegExp(`^version 6, ${what}`) },
    remedy: /verify --against.*was not tried on files of real nodes/,
  })
  t.match(await line(node.snapshot(8), { chainId: 'cd'.repeat(32) }), {
    ...{ level: 'fail', message: `is of chain ${chainId}`, remedy: /source\.snapshot or chainId/ },
  })
  t.match(await line(`${node.snapshot(8)}.gone`), { level: 'fail', message: /cannot be read/ })
  t.match(await line(`${node.snapshot(8)}.gone`, { indexed: 500 }), { level: 'ok', message: /not read: block 500/ })
})

t.test('a backfill by worker threads starts from the snapshot, and the tables equal the node’s', async (t) => {
  const { url, pool } = await testDatabase(t, { chains: ['dev', 'linear'] })
  const snapshot = node.snapshot(8)
  const position = async (chain: string) => {
    const { rows } = await pool.query(
      'select first_block::int, state_block::int, block_num::int from head.position where chain = $1',
      [chain],
    )
    return rows[0]
  }
  const env = { ...settings('dev', snapshot), HEADWATER_CHAINS: 'dev', DATABASE_URL: url }
  const program = start(['index', '--backfill', '--workers', '2', '--range-blocks', '30'], env)
  t.teardown(() => program.child.kill('SIGKILL'))
  const isDone = async () => program.child.exitCode !== null || (await position('dev'))?.block_num === node.head
  await until('the chain is indexed to its head', isDone)
  program.child.kill('SIGTERM')
  const { code, stderr } = await program.outcome
  t.equal(code, 0, stderr)
  const lines = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const of = (text: string) => lines.filter(({ msg }) => msg === text)
  t.match(of('reads the snapshot'), [{ block: node.num, version: 8, file: snapshot }], 'once, before the ranges')
  // The first block after the snapshot is indexed with it.
  t.match(of('ranges planned'), [{ ranges: Math.ceil((node.lib - node.num - 1) / 30), endBlock: node.lib }])
  t.same(await position('dev'), { first_block: node.num + 1, state_block: node.num, block_num: node.head })

  t.test('one reader gives the same tables', async (t) => {
    const stop = new AbortController()
    const silent = { info: () => {}, warn: () => {}, error: () => {} }
    const given = { env: settings('linear', snapshot), program: { chains: ['dev'] }, rename: 'linear' }
    let look: NodeJS.Timeout | undefined
    await indexChains({
      ...{ databaseUrl: url, signal: stop.signal, log: silent, metrics: new IndexerMetrics() },
      chains: loadConfig(given).config.chains,
      onProgress(progress) {
        look = setInterval(() => progress.block === node.head && stop.abort(), 20)
      },
    }).finally(() => clearInterval(look))
    await sameRows(t, pool, ['state', 'ledger'], 'dev', 'linear')
  })

  t.test('headwater verify --against', async (t) => {
    interface Check {
      name: string
      compared: number
      differing: number
    }
    const verify = async (): Promise<Check[]> => {
      const { stdout, stderr } = await run(['verify', '--chain', 'dev', '--against', node.http.url, '--json'], env)
      t.equal(stderr, '')
      return JSON.parse(stdout).checks
    }
    const failing = (checks: Check[]) => checks.filter(({ differing }) => differing > 0).map(({ name }) => name)
    const equal = await verify()
    // The contracts of this chain write random supplies and balances.
    t.same(failing(equal), ['supplies'])
    for (const table of ['pools', 'markets', 'orders', 'balances', 'positions', 'ticks'])
      t.ok(equal.find(({ name }) => name === `against ${table}`)!.compared > 0, `${table} has rows`)
    await pool.query(`update state.pools set liquidity = liquidity + 1 where chain = 'dev' and pool_id = 2`)
    t.same(failing(await verify()), ['supplies', 'against pools'])
  })
})
