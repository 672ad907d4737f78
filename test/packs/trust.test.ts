// What is trusted limits what is verified: a finalizer policy confirms actions under Savanna, a block id confirms also
// headers, and the blocks before Savanna. What neither confirms is named.
import t, { type Test } from 'tap'
import { ReplaySource } from '../../indexer/source/replay.ts'
import { indexRecording } from '../indexer/replay/index-recording.ts'
import { testDatabase } from '../support/database.ts'
import { catalogOf, check, copyOf, failure } from './checked.ts'
import { DEVNET_SETTINGS, Devnet } from './devnet.ts'
import { relink } from './relink.ts'
import { CHAIN, fetch, ID_90, POLICY, pack, packFolder, RECORDINGS } from './scene.ts'
import { chunksOf, manifestOf, putManifest, replaceRows } from './tamper.ts'

/** The Savanna genesis block of the recording. The block after it belongs to the switch too. */
const GENESIS = 12
const STRANGER = 'ab'.repeat(32)
/** A block without actions, as a header before Savanna, or of the switch, commits to it. */
const EMPTY = { traces: new Uint8Array([0]), header: { actionMroot: new Uint8Array(32) } }
const HEADERS = ['block_id', 'prev_id', 'producer']

t.test('what a policy and a block id confirm', async (t) => {
  const whole = packFolder(t)
  const { url } = await testDatabase(t)
  await indexRecording(url, CHAIN, new ReplaySource(RECORDINGS.small), 90)
  await pack(url, whole, RECORDINGS.small, { blocksPerFile: GENESIS - 1 })
  const catalog = await catalogOf(url)
  const checked = (folder: string, trust: string) => check(folder, catalog, { computesRows: false, trust })
  /** A pack that begins with the Savanna genesis block. */
  const fromGenesis = (t: Test) => {
    const folder = copyOf(t, whole)
    const manifest = manifestOf(folder)
    const [before] = manifest.ranges.splice(0, 1)
    putManifest(folder, { ...manifest, firstBlock: GENESIS, firstParent: before!.lastId })
    return folder
  }

  await t.test('blocks before Savanna', async (t) => {
    const before = { code: 'PACK_NOT_TRUSTED', message: /block 2 is before Savanna/ }
    t.match(await failure(checked(whole, POLICY)), before)
    for (const trust of [ID_90, `${POLICY},${ID_90}`, `${ID_90},${POLICY}`]) {
      t.match((await checked(whole, trust)).confirmedBy, `block 90 ${ID_90}`)
    }
    const folder = copyOf(t, whole)
    await relink(folder, 5, () => EMPTY)
    for (const trust of [POLICY, ID_90, `${POLICY},${ID_90}`]) {
      t.match(await failure(checked(folder, trust)), { code: 'PACK_NOT_TRUSTED' }, trust)
    }
  })

  await t.test('actions in the blocks of the switch', async (t) => {
    t.equal((await checked(fromGenesis(t), POLICY)).confirmedBy, `finalizer policy ${POLICY}`)
    for (const num of [GENESIS, GENESIS + 1]) {
      const folder = fromGenesis(t)
      await relink(folder, num, () => EMPTY)
      t.match(await failure(checked(folder, POLICY)), {
        code: 'PACK_REFUTED',
        message: /another root than its finality data/,
        place: { block: num },
      })
    }
  })

  await t.test('ids of transactions', async (t) => {
    const folder = copyOf(t, whole)
    const manifest = manifestOf(folder)
    for (const { rows: file } of manifest.ranges) {
      const chunks = await chunksOf(folder, file)
      const { content: ids } = chunks[0]!
      if (ids.length === 0) continue
      const id = Buffer.from(ids.subarray(0, 32))
      for (const { content } of chunks) {
        for (let at = content.indexOf(id); at >= 0; at = content.indexOf(id, at)) content.fill(7, at, at + 32)
      }
      await replaceRows(folder, file, chunks)
    }
    putManifest(folder, manifest)
    const { equal, columns } = await check(folder, catalog)
    const uses = (table: string) => catalog.get(table)!.columns.some(({ name }) => name === 'trx_id')
    const named = Object.keys(equal).filter((table) => columns[table]?.includes('trx_id'))
    t.same(named.sort(), Object.keys(equal).filter(uses).sort(), 'not found, and named for each table')
    t.ok(named.length > 5)
    t.match(columns, {
      'ledger.swaps': ['usd', 'pool_fee', 'path', 'trx_id'],
      'ledger.withdrawals': ['sender', 'symbol', 'decimals', 'trx_id'],
    })
  })

  await t.test('each of two trusted digests must belong to the pack', async (t) => {
    for (const trust of [`${POLICY},${STRANGER}`, `${STRANGER},${ID_90}`]) {
      t.match(await failure(checked(fromGenesis(t), trust)), {
        code: 'PACK_NOT_TRUSTED',
        message: new RegExp(STRANGER),
      })
    }
  })
})

t.test('ids and producers of a chain that begins under Savanna', async (t) => {
  const net = new Devnet()
  net.produce(30)
  const [publisher, reader] = [await testDatabase(t), await testDatabase(t)]
  await net.index(publisher.url)
  const folder = packFolder(t)
  const settings = DEVNET_SETTINGS
  const { policy, id, block } = await pack(publisher.url, folder, '', { source: net.source(), settings })
  const { digest } = policy!
  const fetched = async (from: string, trust: string) => {
    await reader.pool.query(`select meta.clear_chain('wax')`)
    return (await fetch(reader.url, from, { settings, verify: { trust } })).report
  }
  const byPolicy = await fetched(folder, digest)
  // The ABI of the system contract is known from its account row.
  const total = Object.values(byPolicy.equal).reduce((sum, rows) => sum + rows, byPolicy.unverified['ledger.abis']!)
  t.equal(byPolicy.confirmedBy, `finalizer policy ${digest}`)
  t.same(byPolicy.columns['ledger.blocks'], HEADERS)
  t.same((await reader.pool.query('select unverified from meta.fetches')).rows, [
    {
      unverified: {
        ...{ rows: byPolicy.unverified, columns: byPolicy.columns, abis: byPolicy.foreignAbis },
        ...{ claims: [], doubts: [], equal: byPolicy.equal, confirmedBy: byPolicy.confirmedBy, total },
      },
    },
  ])
  const both = await fetched(folder, `${digest},${id}`)
  t.equal(both.confirmedBy, `finalizer policy ${digest} and block ${block} ${id}`)
  t.equal(both.columns['ledger.blocks'], undefined)
  t.equal((await fetched(folder, id)).columns['ledger.blocks'], undefined)

  await relink(folder, 20, () => ({ header: { producer: 'somebody' } }))
  t.not(manifestOf(folder).states[0]!.id, id)
  t.same((await fetched(folder, digest)).columns['ledger.blocks'], HEADERS, 'not found, and named')
  for (const trust of [id, `${digest},${id}`]) {
    await t.rejects(fetched(folder, trust), { code: 'PACK_NOT_TRUSTED', message: new RegExp(id) })
  }
})
