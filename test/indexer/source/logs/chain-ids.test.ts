// The chain id in the first table deltas of a log: in memory or in a stream, and in every layout of the properties.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { Writer } from '../../../../core/antelope/writer.ts'
import { deltaChains } from '../../../../indexer/source/logs/chain-ids.ts'
import { findLogs } from '../../../../indexer/source/logs/find.ts'
import { save, writeLog } from '../../../support/log-writer.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const ID = 'ab'.repeat(32)
const KEY = Buffer.alloc(34)

interface Properties {
  version?: number
  /** Version of `chain_config` and its size, bytes. */
  config?: readonly [number, number]
  producers?: number
  proposedIn?: number
}

/** A row of `global_property` as nodes of Leap and Spring write it. */
function properties({ version = 1, config = [1, 72], producers = 0, proposedIn }: Properties): Uint8Array {
  const row = new Writer(256)
  row.varuint32(version)
  row.u8(proposedIn === undefined ? 0 : 1)
  if (proposedIn !== undefined) row.u32(proposedIn)
  row.u32(0)
  row.varuint32(producers)
  for (let i = 0; i < producers; i++) {
    row.bytes(Buffer.alloc(8, i))
    row.varuint32(0)
    row.u32(1)
    row.varuint32(1)
    row.bytes(KEY)
    row.bytes(Buffer.from([1, 0]))
  }
  row.varuint32(config[0])
  row.bytes(Buffer.alloc(config[1], 5))
  row.bytes(Buffer.from(ID, 'hex'))
  row.bytes(Buffer.alloc(45))
  return row.finish()
}

/** Packed deltas: rows of contracts before the properties, as nodes order them. */
function deltas(row: Uint8Array | null, contractBytes = 0): Uint8Array {
  const out = new Writer(1024)
  const table = (name: string, rows: readonly Uint8Array[]) => {
    out.varuint32(0)
    out.string(name)
    out.varuint32(rows.length)
    for (const data of rows) {
      out.u8(1)
      out.varuint32(data.length)
      out.bytes(data)
    }
  }
  out.varuint32(row ? 2 : 1)
  const rows = Array.from({ length: Math.ceil(contractBytes / 100_000) }, () => randomBytes(100_000))
  table('contract_row', [Buffer.alloc(60), ...rows])
  if (row) table('global_property', [row])
  return out.finish()
}

async function chainsOf(t: Test, ...contents: readonly Uint8Array[]) {
  const folder = temporaryFolder(t)
  const entries = contents.map((content, index) => ({
    id: (index + 5).toString(16).padStart(8, '0').padEnd(64, '0'),
    content,
  }))
  save(
    folder,
    'chain_state_history',
    writeLog(entries, () => 'leap5'),
  )
  const chains = await deltaChains(await findLogs([folder]), 2 ** 30)
  for (const { path } of chains) t.equal(path, join(folder, 'chain_state_history.log'))
  return chains.map(({ chainId }) => chainId)
}

t.test('is found in each layout', async (t) => {
  for (const layout of [
    {},
    { config: [0, 68] },
    { producers: 2 },
    { producers: 21, proposedIn: 77, config: [0, 68] },
  ] satisfies Properties[])
    t.same(await chainsOf(t, deltas(properties(layout))), [ID], JSON.stringify(layout))
})

t.test('is found in a first entry that is too large for memory', async (t) => {
  t.same(await chainsOf(t, deltas(properties({ producers: 3 }), 6 << 20)), [ID])
})

t.test('is not known without the properties, of other layouts, and of damaged entries', async (t) => {
  const none: readonly [string, Uint8Array][] = [
    ['no row', deltas(null)],
    ['before EOSIO 2.0', deltas(properties({ version: 0 }))],
    ['a later version', deltas(properties({ version: 2 }))],
    ['a later configuration', deltas(properties({ config: [2, 72] }))],
    ['a row that ends early', deltas(properties({}).subarray(0, 90))],
    ['deltas that end early', deltas(properties({})).subarray(0, 100)],
  ]
  for (const [what, content] of none) t.same(await chainsOf(t, content), [], what)
  t.same(await chainsOf(t, deltas(null), deltas(properties({}))), [], 'only the first entry is read')
})
