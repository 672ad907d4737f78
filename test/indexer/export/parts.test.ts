// Folders of exported files: each row is there once, whichever runs wrote the files. A folder that differs from its
// manifest is refused.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { appendFile, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { exportParts, type PartsOptions } from '../../../indexer/export/parts.ts'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import { testDatabase } from '../../support/database.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { indexRecording } from '../replay/index-recording.ts'
import { parseCsv } from './parse-csv.ts'
import { readParquet } from './read-parquet.ts'

const path = new URL('../../fixtures/recordings/small.ship.gz', import.meta.url).pathname

t.test('folders of files of blocks', async (t) => {
  const { url, pool } = await testDatabase(t)
  await indexRecording(url, 'wax', new ReplaySource(path))
  const folder = temporaryFolder(t)
  const { rows: found } = await pool.query('select lib_num::int4 as lib, first_block::int4 as first from meta.position')
  const { lib, first } = found[0]
  const { rows } = await pool.query<{ seq: string }>(
    'select global_seq::text as seq from final.transfers order by global_seq',
  )
  const expected = rows.map(({ seq }) => seq)
  t.ok(expected.length > 100)
  let folders = 0
  const fresh = (): PartsOptions => ({
    ...{ url, view: 'transfers', chain: 'wax', format: 'csv', blocksPerFile: 20 },
    out: join(folder, `${++folders}`),
  })
  const dataFiles = async (out: string) => (await readdir(out)).filter((name) => /\.(csv|parquet)$/.test(name)).sort()
  const manifestPath = ({ out, format }: PartsOptions) => join(out, `final.transfers-wax.${format}.manifest.json`)
  const sequences = async ({ out }: PartsOptions) => {
    const files = await Promise.all((await dataFiles(out)).map((name) => readFile(join(out, name), 'utf8')))
    return files.flatMap((text) => {
      const [header = [], ...lines] = parseCsv(text)
      return lines.map((line) => line[header.indexOf('global_seq')] as string)
    })
  }
  const refused = async (t: Test, options: PartsOptions, message: RegExp) => {
    const before = await dataFiles(options.out)
    await t.rejects(exportParts(options), { code: 'EXPORT_CONFLICT', message, hint: /./ })
    t.same(await dataFiles(options.out), before, 'nothing was written')
  }

  t.test('what is there is kept, what was broken off goes on', async (t) => {
    const options: PartsOptions = { ...fresh(), format: 'parquet' }
    let files = 0
    const brokenOff = exportParts({
      ...options,
      onFile() {
        if (++files === 2) throw new Error('the machine stops')
      },
    })
    await t.rejects(brokenOff, /the machine stops/)
    t.equal((await dataFiles(options.out)).length, 2)
    const done = await exportParts(options)
    const last = Math.floor((lib + 1) / 20) * 20 - 1
    t.match(done, { kept: 2, nextBlock: last + 1 })
    t.equal(done.written, Math.floor(last / 20) + 1 - 2)
    t.match(await exportParts(options), { written: 0, kept: done.written + 2, rows: 0, nextBlock: last + 1 })
    t.match(await exportParts({ ...options, toBlock: lib }), { written: lib > last ? 1 : 0, nextBlock: lib + 1 })
    const names = await dataFiles(options.out)
    t.equal(names[0], `final.transfers-wax-${String(first).padStart(12, '0')}-000000000019.parquet`)
    const all = (await Promise.all(names.map((name) => readParquet(join(options.out, name))))).flat()
    t.same(
      all.map(({ global_seq }) => global_seq),
      expected,
    )
  })

  t.test('another end or another size of files doubles no row and leaves none out', async (t) => {
    const options = fresh()
    await exportParts({ ...options, toBlock: 57 })
    await exportParts({ ...options, blocksPerFile: 50, toBlock: 101 })
    await exportParts({ ...options, blocksPerFile: 7 })
    await exportParts({ ...options, blocksPerFile: 1000, toBlock: lib })
    t.same(await sequences(options), expected)
    t.match(await exportParts({ ...options, toBlock: 30 }), { written: 0, nextBlock: lib + 1 })
  })

  t.test('any runs in any order give each row once', async (t) => {
    const seed = seedFromEnvironment()
    t.comment(`seed ${seed}`)
    const random = new Random(seed)
    for (let round = 0; round < 4; round++) {
      const options = fresh()
      for (let run = 0; run < 5; run++) {
        const [low, high] = [random.integer(first, lib), random.integer(first, lib)].sort((a, b) => a - b)
        await exportParts({
          ...options,
          blocksPerFile: random.integer(5, 120),
          ...(random.chance(0.5) && { fromBlock: low }),
          ...(random.chance(0.7) && { toBlock: high }),
        })
      }
      await exportParts({ ...options, toBlock: lib })
      t.same((await sequences(options)).sort(), [...expected].sort(), `round ${round}`)
    }
  })

  t.test('the manifest has each file with its blocks, rows and digest', async (t) => {
    const options = fresh()
    await exportParts({ ...options, toBlock: lib })
    const { files, ...series } = JSON.parse(await readFile(manifestPath(options), 'utf8'))
    t.match(series, { view: 'final.transfers', chain: 'wax', format: 'csv', version: 1 })
    t.same(
      files.map(({ name }: { name: string }) => name),
      await dataFiles(options.out),
    )
    t.equal(
      files.reduce((sum: number, file: { rows: number }) => sum + file.rows, 0),
      expected.length,
    )

    for (const { name, sha256, bytes } of files) {
      const content = await readFile(join(options.out, name))
      t.equal(createHash('sha256').update(content).digest('hex'), sha256)
      t.equal(content.length, bytes)
    }
  })

  t.test('a file that a stopped process wrote and did not name gets its name', async (t) => {
    const options = fresh()
    await exportParts({ ...options, toBlock: lib })
    const { files } = JSON.parse(await readFile(manifestPath(options), 'utf8'))
    await rename(join(options.out, files[1].name), join(options.out, files[1].part))
    t.match(await exportParts({ ...options, toBlock: lib }), { written: 0, kept: files.length })
    t.same(await sequences(options), expected)
  })

  t.test(
    'a file copied elsewhere and back is as it was; a changed one is refused, whatever its time says',
    async (t) => {
      const options = fresh()
      await exportParts({ ...options, toBlock: 60 })
      const [name] = (await dataFiles(options.out)) as [string]
      const file = join(options.out, name)
      const content = await readFile(file)
      await writeFile(file, content)
      await utimes(file, new Date(0), new Date(0))
      await exportParts({ ...options, toBlock: 61 })
      const changed = Buffer.from(content)
      changed[changed.length - 5] = (changed[changed.length - 5] as number) ^ 1
      await writeFile(file, changed)
      await refused(t, options, /not as it was written/)
      await writeFile(file, content)
      await appendFile(file, 'x')
      await refused(t, options, /not as it was written/)
      await writeFile(file, content)
      await exportParts(options)
    },
  )

  t.test('a folder that holds something else is refused', async (t) => {
    const options = fresh()
    await exportParts({ ...options, toBlock: 60 })
    const names = await dataFiles(options.out)
    const moved = join(folder, 'moved.csv')
    await rename(join(options.out, names[1] as string), moved)
    await refused(t, options, /is missing/)
    await rename(moved, join(options.out, names[1] as string))

    const manifest = manifestPath(options)
    const text = await readFile(manifest, 'utf8')
    const change = async (
      edit: (content: { files: { fromBlock: number; lastBlockId: string }[]; columns: string[] }) => void,
    ) => {
      const content = JSON.parse(text)
      edit(content)
      await writeFile(manifest, JSON.stringify(content))
    }
    await change(({ files }) => files.pop())
    await refused(t, options, /is in no manifest/)
    await change(({ columns }) => columns.pop())
    await refused(t, options, /other columns/)
    await change(({ files }) => Object.assign(files[1] ?? {}, { fromBlock: files[0]?.fromBlock }))
    await refused(t, options, /names blocks twice/)
    await change(({ files }) => Object.assign(files[0] ?? {}, { lastBlockId: 'ab'.repeat(32) }))
    await refused(t, options, /of another chain/)
    await writeFile(manifest, '{"version":9}')
    await refused(t, options, /no manifest of version 1/)
    await rm(manifest)
    await refused(t, options, /is in no manifest/)
    await writeFile(manifest, text)
    await exportParts(options)
  })

  t.test('two exports at once into one folder: one of them is refused, and no row is there twice', async (t) => {
    const options = fresh()
    const outcome = exportParts({
      ...options,
      onFile: (() => {
        let files = 0
        return () => {
          if (++files === 1) changeManifest()
        }
      })(),
    })
    const manifest = manifestPath(options)

    function changeManifest() {
      writeFileSync(manifest, `${readFileSync(manifest, 'utf8')}\n`)
    }
    await t.rejects(outcome, { code: 'EXPORT_CONFLICT', message: /changed during the export/ })
    t.equal((await dataFiles(options.out)).length, 1)
    await exportParts({ ...options, toBlock: lib })
    t.same(await sequences(options), expected)
  })

  t.test('views and formats share a folder, each with a manifest of its own', async (t) => {
    const options = fresh()
    await exportParts({ ...options, toBlock: lib })
    await exportParts({ ...options, toBlock: lib, format: 'parquet' })
    await exportParts({ ...options, toBlock: lib, view: 'swaps' })
    t.equal((await readdir(options.out)).filter((name) => name.endsWith('.manifest.json')).length, 3)
  })

  t.test('a database that begins after the files end is refused', async (t) => {
    const options = fresh()
    await exportParts({ ...options, toBlock: 40 })
    await pool.query('update meta.position set first_block = 60')
    await refused(t, options, /ends before block 60/)
    await exportParts({ ...options, fromBlock: 60 })
    await pool.query('update meta.position set first_block = $1', [first])
  })

  t.test('what cannot be divided is refused', async (t) => {
    for (const [change, code] of [
      [{ view: 'head.transfers' }, 'EXPORT_PARTS'],
      [{ view: 'final.withdrawals' }, 'EXPORT_PARTS'],
      [{ view: 'final.position' }, 'EXPORT_PARTS'],
      [{ blocksPerFile: 0 }, 'EXPORT_PARTS'],
      [{ toBlock: lib + 1 }, 'EXPORT_RANGE'],
      [{ chain: 'telos' }, 'UNKNOWN_CHAIN'],
      [{ out: join(path, 'below') }, 'EXPORT_PATH'],
    ] as const)
      await t.rejects(exportParts({ ...fresh(), ...change }), { code })
  })
})
