// Snapshots of nodes: the rows, ABIs, chain id and block of a real one (Spring 1.2.2, version 8), and the layouts of
// other versions, written by an independent writer. A file that is cut or altered is refused with a code.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { compress } from '@mongodb-js/zstd'
import t from 'tap'
import { nameOfParts, nameToU64 } from '../../../../core/antelope/name.ts'
import type { UserError } from '../../../../core/errors.ts'
import { toHex } from '../../../../core/hex.ts'
import { sha256 } from '../../../../core/sha256.ts'
import { NodeLogs } from '../../../../indexer/source/logs/node-logs.ts'
import { readSnapshot, readSnapshotHead, type SnapshotHead } from '../../../../indexer/source/snapshot/snapshot.ts'
import { stateOfDeltas } from '../../../support/full-deltas.ts'
import { unpackNode } from '../../../support/node-logs.ts'
import { simulatedState } from '../../../support/snapshot-state.ts'
import {
  joinSections,
  section,
  type WrittenSnapshot,
  writeSections,
  writeSnapshot,
} from '../../../support/snapshot-writer.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const fixtures = new URL('../../../fixtures/node/', import.meta.url).pathname
const BLOCK = '0000068eb1107f12811af3ad25ab8d0dda9329bbe555f879e94454fc24701341'
const CHAIN = 'faf83d43f2c2de2380afb028f74dacd50e0f76a226cf8d3b6a392515b926176d'

interface Read {
  head: SnapshotHead
  abis: Map<string, string>
  /** `code/scope/table key` and the value, hex, in the order of the file. */
  rows: string[]
}

async function read(path: string, wants: (code: string) => boolean = () => true): Promise<Read> {
  const abis = new Map<string, string>()
  const rows: string[] = []
  const head = await readSnapshot(path, {
    wantsAbi: () => true,
    wantsTable: ({ codeLow, codeHigh }) => wants(nameOfParts(codeLow, codeHigh)),
    onAbi: (account, abi) => abis.set(account, toHex(sha256(abi))),
    onRow: ({ table, key, value }) => {
      const names = [
        nameOfParts(table.codeLow, table.codeHigh),
        nameOfParts(table.scopeLow, table.scopeHigh),
        nameOfParts(table.tableLow, table.tableHigh),
      ]
      rows.push(`${names.join('/')} ${key} ${toHex(value)}`)
    },
  })
  return { head, abis, rows }
}

t.test('a snapshot of a real node', async (t) => {
  const folder = unpackNode(t, 'snapshot')
  const path = join(folder, 'snapA.bin')
  const whole = await read(path)
  t.match(whole.head, { version: 8, chainId: CHAIN, num: 1678, id: BLOCK })
  t.equal(new Date(whole.head.time).toISOString(), '2026-11-23T15:08:57.500Z')

  t.test('has the rows of the node’s own tables, in their order', async (t) => {
    const { tables } = JSON.parse(gunzipSync(readFileSync(`${fixtures}snapshot.tables.json.gz`)).toString())
    const byTable = new Map<string, string[]>()
    for (const row of whole.rows) {
      const [table = '', , value = ''] = row.split(' ')
      byTable.set(table, [...(byTable.get(table) ?? []), value])
    }
    let rows = 0
    for (const [table, { packed }] of Object.entries<{ packed: string[] }>(tables)) {
      rows += packed.length
      t.same(byTable.get(table) ?? [], packed, table)
    }
    t.equal(rows, 550)
    const contracts = new Set(Object.keys(tables).map((table) => table.split('/')[0]))
    const others = [...byTable.keys()].filter((table) => !(table in tables) && contracts.has(table.split('/')[0]!))
    t.same(others, [], 'and no others')
  })
  t.test('equals the first deltas of a node that was started from it', async (t) => {
    const logs = await NodeLogs.open([join(folder, 'state-history')], 2 ** 29)
    t.teardown(() => logs.close())
    const { accounts, tables } = stateOfDeltas((await logs.deltas.read(1678)).content)
    const name = (value: bigint) => nameOfParts(Number(value & 0xffffffffn), Number(value >> 32n))
    const rows = tables.flatMap(({ code, scope, table, rows }) =>
      rows.map(({ key, value }) => `${[code, scope, table].map(name).join('/')} ${key} ${toHex(value)}`),
    )
    t.same(whole.rows.toSorted(), rows.sort())
    const withAbi = accounts.filter(({ abi }) => abi.length > 0)
    t.same(whole.abis, new Map(withAbi.map((account) => [name(account.name), toHex(sha256(account.abi))])))
  })
  t.test('compressed, it reads the same', async (t) => {
    const bytes = readFileSync(path)
    const packed = join(folder, 'snapA.bin.zst')
    // Two frames, as parallel compressors write them, with a frame to skip before and between.
    const skipped = Buffer.from('502a4d18040000001d000000', 'hex')
    const frames = await Promise.all([compress(bytes.subarray(0, 1e6), 3), compress(bytes.subarray(1e6), 19)])
    writeFileSync(packed, Buffer.concat(frames.flatMap((frame) => [skipped, frame])))
    t.same(await read(packed), whole)
    t.same(await readSnapshotHead(packed), whole.head)
    const size = Buffer.concat(frames).length
    for (const cut of [0.3, 0.7, 0.999]) {
      writeFileSync(packed, Buffer.concat(frames).subarray(0, Math.floor(size * cut)))
      await t.rejects(read(packed), { code: 'SNAPSHOT_ZSTD' }, `cut at ${cut}`)
    }
  })
  t.test('yields only the wanted rows', async (t) => {
    const { rows } = await read(path, (code) => code === 'bridge.svc')
    t.equal(rows.length, 226)
    t.same(
      rows,
      whole.rows.filter((row) => row.startsWith('bridge.svc/')),
    )
  })
})

/** A small snapshot of every shape: no rows, secondary indexes, accounts without ABI. */
function small(version: number, change: Partial<WrittenSnapshot> = {}): WrittenSnapshot {
  const genesis = Buffer.from('the genesis state of a chain, packed')
  const rows = (...keys: bigint[]) => keys.map((key) => ({ key, value: Buffer.alloc(Number(key % 200n), 1) }))
  const table = { code: nameToU64('swap.svc'), scope: 0n, table: nameToU64('pools') }
  return {
    version,
    genesis,
    chainId: version === 2 ? toHex(sha256(genesis)) : CHAIN,
    blockState: stateOf(version),
    accounts: [
      { name: nameToU64('alice'), abi: new Uint8Array() },
      { name: nameToU64('swap.svc'), abi: Buffer.alloc(40, 7) },
    ],
    tables: [
      { ...table, rows: rows(1n, 2n, 130n) },
      { ...table, scope: 1n, rows: [], secondary: [2, 1, 0, 0, 0] },
      { ...table, scope: 2n, rows: rows(0n, 5n, 1n << 40n, (1n << 64n) - 1n), secondary: [2, 2, 1, 1, 1] },
    ],
    ...change,
  }
}

/** Block 3 of a chain with an empty header. */
const header = Buffer.concat([
  Buffer.of(1, 2, 3, 0x20),
  Buffer.alloc(8 + 2),
  Buffer.from(`00000002${'11'.repeat(28)}`, 'hex'),
  Buffer.alloc(64 + 4),
  Buffer.of(0, 0),
])
const id = `00000003${toHex(sha256(header)).slice(8)}`
const stateOf = (version: number) =>
  simulatedState(version, { id, block: Buffer.concat([header, Buffer.alloc(66), Buffer.of(0, 0)]) })

for (const version of [2, 3, 4, 5, 6, 8])
  t.test(`version ${version}, as its writer wrote it`, async (t) => {
    const path = join(temporaryFolder(t), 'snapshot.bin')
    const written = small(version)
    writeFileSync(path, writeSnapshot(written))
    const { head, abis, rows } = await read(path)
    t.match(head, { version, chainId: written.chainId, num: 3, id })
    t.equal(head.start === null, version === 2)
    t.same([...abis.keys()], ['swap.svc'])
    t.equal(rows.length, 7)
    t.same(rows.at(-1), `swap.svc/............2/pools ${(1n << 64n) - 1n} ${'01'.repeat(15)}`)
    t.match(await readSnapshotHead(path), { version, num: 3 })
  })

t.test('files that cannot be read are refused with a hint', async (t) => {
  const folder = temporaryFolder(t)
  const attempt = (bytes: Uint8Array) => {
    const path = join(folder, 'file')
    writeFileSync(path, bytes)
    return read(path)
  }
  const sections = (change: (sections: Buffer[]) => Buffer[], version = 8) =>
    joinSections(change(writeSections(small(version))))
  const without = (name: string, version = 8) =>
    sections((all) => all.filter((bytes) => !bytes.includes(`${name}\0`)), version)
  await t.rejects(read(join(folder, 'none')), { code: 'SNAPSHOT_UNREADABLE', message: /none/ })
  await t.rejects(read(folder), { code: 'SNAPSHOT_UNREADABLE', message: /no regular file/ })
  const tar = Buffer.alloc(512)
  tar.write('ustar', 257)
  const kinds: [Uint8Array, RegExp][] = [
    [gzipSync(writeSnapshot(small(8))), /gzip/],
    [Buffer.from('{"chain_snapshot_header":{}}'), /JSON/],
    [tar, /tar archive/],
    [await compress(tar, 3), /tar archive/],
    [Buffer.from(''), /not a snapshot/],
    [Buffer.from('PU'), /not a snapshot/],
  ]
  for (const [bytes, message] of kinds)
    await t.rejects(attempt(bytes), { code: 'SNAPSHOT_KIND', message }, `${message}`)
  for (const version of [1, 7, 9])
    await t.rejects(attempt(writeSnapshot(small(version, { blockState: stateOf(8) }))), {
      code: 'SNAPSHOT_VERSION',
      hint: /Spring 1.0.1/,
    })
  for (const name of ['block_state', 'account_object', 'global_property_object', 'table_id_object', 'key_value_object'])
    await t.rejects(
      attempt(without(name)),
      { code: /SNAPSHOT_SECTION|SNAPSHOT_DAMAGED/, message: new RegExp(name) },
      name,
    )
  await t.rejects(attempt(without('contract_tables', 6)), { code: 'SNAPSHOT_SECTION', message: /contract_tables/ })
  await t.rejects(attempt(without('genesis_state', 2)), { code: 'SNAPSHOT_SECTION', message: /genesis_state/ })
  await t.rejects(attempt(without('chain_snapshot_header')), { code: 'SNAPSHOT_DAMAGED' })
  await t.rejects(attempt(sections((all) => [...all, all[2]!])), { code: 'SNAPSHOT_DAMAGED', message: /twice/ })
  await t.rejects(attempt(Buffer.concat([writeSnapshot(small(8)), Buffer.of(0)])), { code: 'SNAPSHOT_DAMAGED' })
  const unknown = section('eosio::chain::something_new', 1, [Buffer.alloc(70)])
  const { rows } = await attempt(sections((all) => [...all.slice(0, 4), unknown, ...all.slice(4)]))
  t.equal(rows.length, 7, 'a section that is not needed is passed over')
})

for (const version of [6, 8])
  t.test(`version ${version}, cut or altered at each byte`, async (t) => {
    const path = join(temporaryFolder(t), 'snapshot.bin')
    const bytes = writeSnapshot(small(version))
    writeFileSync(path, bytes)
    const whole = await read(path)
    const attempt = async (content: Uint8Array): Promise<Read | UserError> => {
      writeFileSync(path, content)
      return read(path).catch((error: UserError) => error)
    }
    for (let size = 0; size < bytes.length; size++) {
      const found = await attempt(bytes.subarray(0, size))
      const code = size < 4 ? 'SNAPSHOT_KIND' : 'SNAPSHOT_TORN'
      if (!('code' in found) || found.code !== code) t.fail(`cut to ${size}: ${'code' in found ? found.code : 'read'}`)
    }
    const codes = new Map<string, number>()
    for (let at = 0; at < bytes.length; at++) {
      const altered = Buffer.from(bytes)
      altered[at]! ^= 0x41
      const found = await attempt(altered)
      if ('code' in found) {
        if (found.name !== 'UserError') t.fail(`byte ${at}: ${found.stack}`)
        codes.set(found.code, (codes.get(found.code) ?? 0) + 1)
        continue
      }
      // Without a second copy in the file, a change is not detected: names, keys between two others, payers, values,
      // the id.
      codes.set('read', (codes.get('read') ?? 0) + 1)
      if (found.rows.length !== whole.rows.length) t.fail(`byte ${at}: ${found.rows.length} rows`)
    }
    t.comment(Object.fromEntries(codes))
    t.ok((codes.get('SNAPSHOT_DAMAGED') ?? 0) > 200)
    t.ok((codes.get('INVALID_SNAPSHOT') ?? 0) > 100, 'the block, whose id is the hash of its header')
  })
