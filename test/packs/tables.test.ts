// Each table of a pack whose rows actions determine: a row that is removed, altered, added or repeated is found. The
// other tables must be in the list that a fetch prints. Recordings have rows of most tables, a simulated exchange has rows of
// the rest.
import t, { type Test } from 'tap'
import { ReplaySource } from '../../indexer/source/replay.ts'
import type { BlockSource } from '../../indexer/source/source.ts'
import type { ChainSettings } from '../../packs/format/settings.ts'
import { isOfRange } from '../../packs/format/sql.ts'
import { UNCOMMITTED } from '../../packs/verify/determined.ts'
import { indexRecording } from '../indexer/replay/index-recording.ts'
import { testDatabase } from '../support/database.ts'
import { Random, seedFromEnvironment } from '../support/random.ts'
import { catalogOf } from './checked.ts'
import { DEVNET_SETTINGS, Devnet } from './devnet.ts'
import { OF_EVM, type PackedHistory, rowsAreFound } from './forged-rows.ts'
import { CHAIN, pack, packFolder, RECORDINGS, SETTINGS } from './scene.ts'
import { simulated } from './simulated.ts'

const isLong = process.env.HEADWATER_TEST_LONG !== undefined
const seed = seedFromEnvironment()
/** Tables of each history to try in the short run. */
const SAMPLE = 3
const DAYS = 2
/** Tables that nothing here fills, with the reason. */
const EMPTY: Readonly<Record<string, string>> = {
  'ledger.undecoded_rows': 'no history has a table row that its ABI cannot read; nothing commits to such a row',
}
t.setTimeout(7_200_000)

t.test(`forged rows of every table (HEADWATER_SEED=${seed})`, async (t) => {
  const random = new Random(seed)
  const ofSimulation = await simulated(seed, DAYS)
  const recordings = isLong ? (['small', 'medium', 'forks'] as const) : (['small'] as const)
  const histories: [name: string, (t: Test) => Promise<PackedHistory>][] = [
    ...recordings.map((name) => [name, (t: Test) => recorded(t, name)] as [string, typeof legacy]),
    ...(['wax', 'telos'] as const).map(
      (name) => [name, (t: Test) => packed(t, ofSimulation(name))] as [string, typeof legacy],
    ),
    ['a chain before Savanna and after it', legacy],
  ]
  const filled = new Set<string>()
  const tables = new Set<string>()
  for (const [name, made] of histories) {
    await t.test(name, async (t) => {
      const history = await made(t)
      const { equal, unverified } = await rowsAreFound(t, history, random, isLong ? undefined : SAMPLE)
      for (const table of Object.keys(equal)) filled.add(table)
      for (const table of Object.keys(unverified)) if (unverified[table]! > 0) filled.add(table)
      for (const table of history.catalog.keys()) if (isOfRange(table)) tables.add(table)
    })
  }
  const empty = [...tables].filter((table) => !filled.has(table)).sort()
  t.same(empty, [...OF_EVM, ...Object.keys(EMPTY)].sort(), 'the others have rows in one of the histories')
  t.ok(Object.keys(EMPTY).every((table) => table in UNCOMMITTED))
})

async function recorded(t: Test, name: 'small' | 'medium' | 'forks'): Promise<PackedHistory> {
  const end = { small: 90, medium: 500, forks: 260 }[name]
  const source = () => new ReplaySource(RECORDINGS[name])
  return packed(t, { settings: SETTINGS, source, index: (url) => indexRecording(url, CHAIN, source(), end) })
}

async function legacy(t: Test): Promise<PackedHistory> {
  const net = new Devnet(4)
  net.produce(10)
  net.chain.produce({ producers: ['prod.a', 'prod.d'] })
  net.produce(20)
  net.chain.activateSavanna()
  net.produce(15)
  return packed(t, { settings: DEVNET_SETTINGS, source: () => net.source(), index: (url) => net.index(url) })
}

interface Indexed {
  settings: ChainSettings
  source(): BlockSource
  index(url: string): Promise<unknown>
}

/** Indexes a chain and packs it in two ranges or more. */
async function packed(t: Test, { settings, source, index }: Indexed): Promise<PackedHistory> {
  const { url } = await testDatabase(t)
  await index(url)
  const folder = packFolder(t)
  const { id } = await pack(url, folder, '', { source: source(), settings, blocksPerFile: 300 })
  return { folder, catalog: await catalogOf(url), trust: id, settings }
}
