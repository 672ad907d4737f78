// Folders of a lake: whatever ends a run, and whenever somebody looks, each final row is there once.
import { createHash } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { LakeFiles } from '../../../indexer/lake/files.ts'
import { followLake } from '../../../indexer/lake/follow.ts'
import { type LakeOptions, writeLake } from '../../../indexer/lake/lake.ts'
import { FolderStore } from '../../../net/objects/folder.ts'
import { openStore } from '../../../net/objects/open.ts'
import type { ObjectStore } from '../../../net/objects/store.ts'
import { DEVNET_HISTORY } from '../../docs/sql-history.ts'
import { testDatabase } from '../../support/database.ts'
import { REQUIRED_VARIABLE, startS3 } from '../../support/s3/server.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { readParquet } from '../export/read-parquet.ts'
import { Died, DyingStore } from './dying-store.ts'

const { signal } = new AbortController()
const isLong = process.env.HEADWATER_TEST_LONG !== undefined

t.test('a lake of files', async (t) => {
  const { url, pool } = await testDatabase(t, DEVNET_HISTORY)
  const folder = temporaryFolder(t)
  const { rows: found } = await pool.query(
    `select lib_num::int4 as lib, first_block::int4 as first from meta.position where chain = 'wax'`,
  )
  const { lib, first } = found[0]
  const setLib = (num: number) => pool.query(`update meta.position set lib_num = $1 where chain = 'wax'`, [num])
  let lakes = 0
  const fresh = () => join(folder, `${++lakes}`)
  const options = (store: ObjectStore, withOpen = true): LakeOptions => ({
    ...{ url, chains: ['wax'], views: ['swaps', 'deals'], signal },
    target: new LakeFiles(store, { withOpen, signal }),
  })
  const write = (out: string, withOpen = true) => writeLake(options(new FolderStore(out), withOpen))

  /** What a pattern of files finds: each row by its place, with the partition columns. */
  const seen = async (out: string, dataset: string) => {
    const names = (await readdir(join(out, dataset), { recursive: true }).catch(() => [])).filter((name) =>
      name.endsWith('.parquet'),
    )
    const rows = await Promise.all(
      names.map(async (name) => {
        const [, chain, date] = /^chain=(\w+)\/date=([\d-]+)\/\d\d-\d\d\.parquet$/.exec(name) ?? []
        return (await readParquet(join(out, dataset, name))).map(
          (row) => ({ chain, date, ...row }) as Record<string, string | null>,
        )
      }),
    )
    return rows.flat()
  }
  const sequences = async (out: string, dataset: string) =>
    (await seen(out, dataset)).map(({ global_seq }) => global_seq!).sort()
  const expected = async (dataset: string) =>
    (await pool.query<{ seq: string }>(`select global_seq::text as seq from final.${dataset} where chain = 'wax'`)).rows
      .map(({ seq }) => seq)
      .sort()
  const isWhole = async (t: Test, out: string, name: string) => {
    for (const dataset of ['swaps', 'deals'])
      t.same(await sequences(out, dataset), await expected(dataset), `${name}: ${dataset}`)
  }

  t.test('all final rows, by day of chain time, with a manifest of every file', async (t) => {
    const out = fresh()
    const [summary] = await write(out)
    t.match(summary, { chain: 'wax', completeTo: lib })
    await isWhole(t, out, 'all')
    const rows = await seen(out, 'swaps')
    t.ok(rows.length > 300)
    for (const row of rows) {
      const day = new Date(Number(row.block_time) / 1000).toISOString().slice(0, 10)
      if (row.date !== day || row.chain !== 'wax') t.fail(`a row of ${day} is in ${row.date}`)
    }
    const listed: string[] = []
    for (const name of (await readdir(join(out, '_headwater/chain=wax'))).filter((name) => name.startsWith('date=')))
      for (const file of JSON.parse(await readFile(join(out, '_headwater/chain=wax', name), 'utf8')).files) {
        listed.push(file.name)
        const content = await readFile(join(out, file.name))
        t.equal(createHash('sha256').update(content).digest('hex'), file.sha256)
        t.equal((await readParquet(join(out, file.name))).length, file.rows)
      }
    const there = (await readdir(out, { recursive: true })).filter((name) => name.endsWith('.parquet'))
    t.same(listed.sort(), there.sort())
    t.match(await write(out), [{ steps: 0, rows: 0, completeTo: lib }], 'again: nothing to do')
  })

  t.test('rows of one pool or market are together in a file, in the order of the chain', async (t) => {
    const out = fresh()
    await write(out)
    for (const [dataset, column] of [
      ['swaps', 'pool_id'],
      ['deals', 'market_id'],
    ] as const) {
      let changes = 0
      for (const name of await readdir(join(out, dataset), { recursive: true })) {
        if (!name.endsWith('.parquet')) continue
        const rows = (await readParquet(join(out, dataset, name))).map((row) => [
          Number(row[column]),
          Number(row.global_seq),
        ])
        const ordered = rows.toSorted(
          ([entity, seq], [otherEntity, otherSeq]) => entity! - otherEntity! || seq! - otherSeq!,
        )
        t.same(rows, ordered, name)
        // Several pools or markets share a file.
        changes += rows.filter(([entity], i) => i > 0 && rows[i - 1]![0] !== entity).length
      }
      t.ok(changes > 1, `${changes} changes of ${column}`)
    }
  })

  t.test('files of complete hours never change, and without --follow there are no others', async (t) => {
    const out = fresh()
    const contents = new Map<string, string>()
    for (const num of [first + 40, first + 100, first + 101, lib]) {
      await setLib(num)
      await write(out, false)
      for (const name of await readdir(out, { recursive: true })) {
        if (!name.endsWith('.parquet')) continue
        const text = (await readFile(join(out, name))).toString('hex')
        t.equal(contents.get(name) ?? text, text)
        contents.set(name, text)
      }
      const { rows } = await pool.query(
        `select global_seq::text as seq from final.swaps where chain = 'wax' and block_time <
           (select date_trunc('hour', max(block_time), 'UTC') from final.blocks where chain = 'wax')`,
      )
      t.same(await sequences(out, 'swaps'), rows.map(({ seq }) => seq).sort(), `up to ${num}`)
    }
  })

  t.test('a process that dies at any write leaves no row twice, and the next one goes on', async (t) => {
    /** Ends of finality: in an hour, later in it, the next day. */
    const ends = [first + 33, first + 35, lib - 70]
    const complete = new DyingStore(new FolderStore(fresh()), 0, false)
    for (const end of ends) {
      await setLib(end)
      await writeLake(options(complete))
    }
    t.ok(complete.writes > 20, `${complete.writes} writes`)
    let [deaths, rounds] = [0, 0]
    for (let at = 1; at <= complete.writes; at += isLong ? 1 : 7)
      for (const isAfter of isLong ? [false, true] : [at % 2 === 0]) {
        rounds++
        const out = fresh()
        const dying = new DyingStore(new FolderStore(out), at, isAfter)
        let target = options(dying)
        for (const end of ends) {
          await setLib(end)
          try {
            await writeLake(target)
          } catch (error) {
            if (!((error as Error).cause instanceof Died)) throw error
            deaths++
            for (const dataset of ['swaps', 'deals']) {
              const rows = await sequences(out, dataset)
              const all = new Set(await expected(dataset))
              if (new Set(rows).size !== rows.length || rows.some((row) => !all.has(row)))
                t.fail(`${dataset} after death ${at}`)
            }
            // The next process comes when the hour is complete and a day has begun.
            target = options(new FolderStore(out))
            await setLib(lib - 70)
            break
          }
        }
        await writeLake(target)
        for (const dataset of ['swaps', 'deals'])
          if (JSON.stringify(await sequences(out, dataset)) !== JSON.stringify(await expected(dataset)))
            t.fail(`${dataset}: not whole after death ${at}${isAfter ? ' after the write' : ''}`)
        await rm(out, { recursive: true })
      }
    t.equal(deaths, rounds)
    await setLib(lib)
  })

  t.test('a lake in a bucket of S3 has the files of a folder, also after a process died', async (t) => {
    const s3 = await startS3(t)
    if ('missing' in s3) {
      if (process.env[REQUIRED_VARIABLE] === 'required') t.fail(s3.missing)
      else t.comment(`not run: ${s3.missing}`)
      return
    }
    const out = fresh()
    const store = openStore('s3://packs/own/lake', s3.settings, { firstDelayMs: 1 })
    // Ends of finality: in an hour, and later in it, so that the file of that hour is replaced.
    for (const [end, deaths] of [
      [first + 33, [3]],
      [lib - 71, [2, 7]],
      [lib - 70, [1]],
    ] as const) {
      await setLib(end)
      for (const at of deaths) {
        const died = writeLake(options(new DyingStore(store, at, at % 2 === 0)))
        t.type(await died.catch((error: Error) => error.cause), Died)
      }
      const current = end === lib - 70
      t.match(await writeLake({ ...options(store), current }), [{ completeTo: end }])
      await writeLake({ ...options(new FolderStore(out)), current })
    }
    await setLib(lib)
    const names: string[] = []
    for await (const name of store.list('')) if (name.endsWith('.parquet')) names.push(name)
    t.same(names.sort(), (await readdir(out, { recursive: true })).filter((name) => name.endsWith('.parquet')).sort())
    t.ok(names.includes('current/pools.parquet'))
    const copy = join(folder, 'from-bucket.parquet')
    for (const name of names) {
      await writeFile(copy, (await store.read(name)) ?? '')
      t.same(await readParquet(copy), await readParquet(join(out, name)), name)
    }
  })

  t.test('rows follow finality', async (t) => {
    const out = fresh()
    await setLib(lib - 20)
    const stop = new AbortController()
    const steps: number[] = []
    const following = followLake({
      ...options(new FolderStore(out)),
      target: new LakeFiles(new FolderStore(out), { withOpen: true, signal: stop.signal }),
      ...{ signal: stop.signal, everyMs: 20, onRetry: (error) => t.fail(error.message) },
      onStep: (_chain, { toBlock }) => steps.push(toBlock),
    })
    await until('the first rows are there', async () => steps.at(-1) === lib - 20)
    await isWhole(t, out, 'before')
    await setLib(lib)
    await until('the rest is there', async () => steps.at(-1) === lib)
    await isWhole(t, out, 'after')
    stop.abort()
    await following
    // A standby that lags, in the same hour.
    await setLib(lib - 1)
    t.match(await write(out), [{ steps: 0, completeTo: lib }])
    await setLib(lib)
    await isWhole(t, out, 'after a round from a database that lags')
  })

  t.test('what cannot be continued is refused', async (t) => {
    const out = fresh()
    await setLib(first + 40)
    await write(out)
    const place = join(out, '_headwater/chain=wax/position.json')
    const text = await readFile(place, 'utf8')
    const change = (edit: (position: { lastBlockId: string; nextBlock: number; version: number }) => void) => {
      const position = JSON.parse(text)
      edit(position)
      return writeFile(place, JSON.stringify(position))
    }
    const refused = (message: RegExp, code = 'LAKE_CONFLICT', more: Partial<LakeOptions> = {}) =>
      t.rejects(writeLake({ ...options(new FolderStore(out)), ...more }), { code, message, hint: /./ })
    await change((position) => (position.lastBlockId = 'ab'.repeat(32)))
    await refused(/another block/)
    await change((position) => (position.nextBlock = first - 5))
    await refused(/begins with block/)
    await change((position) => (position.version = 7))
    await refused(/version 1/)
    await rm(place)
    await refused(/could be there twice/)
    await writeFile(place, text)
    await refused(/transfers/, 'LAKE_CONFLICT', { views: ['swaps', 'deals', 'transfers'] })
    await refused(/may change/, 'LAKE_VIEW', { views: ['pools'] })
    await refused(/may change/, 'LAKE_VIEW', { views: ['head.swaps'] })
    await refused(/no view/, 'UNKNOWN_VIEW', { views: ['nothing'] })
    await refused(/nothing of the chain/, 'UNKNOWN_CHAIN', { chains: ['moon'] })

    await setLib(lib)
    const other = options(new FolderStore(out))
    const inTheMiddle = writeLake({
      ...other,
      onStep: () => void change(() => {}),
    })
    await t.rejects(inTheMiddle, { code: 'LAKE_WRITTEN_TWICE', hint: /./ })
    await write(out)
    await isWhole(t, out, 'afterwards')
  })
})
