// Two processes that write one lake: one is refused before it changes a file of the other or continues.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import type { Ask } from '../../../indexer/lake/clickhouse/client.ts'
import { LakeClickHouse } from '../../../indexer/lake/clickhouse/target.ts'
import { LakeFiles } from '../../../indexer/lake/files.ts'
import type { Step } from '../../../indexer/lake/steps.ts'
import type { LakePosition } from '../../../indexer/lake/target.ts'
import { FolderStore } from '../../../net/objects/folder.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const { signal } = new AbortController()
const step: Step = { fromBlock: 1, toBlock: 5, date: '2026-03-09', hours: '13-14', isOpen: true }
const position = (planned: Step | null, completeTo: number | null = null): LakePosition => ({
  ...{ version: 1, chain: 'wax', firstBlock: 1, nextBlock: 1, planned, completeTo, lastBlockId: null, datasets: {} },
})

t.test('a file writer that stalled replaces neither a file nor a manifest of the process that continued', async (t) => {
  const folder = temporaryFolder(t)
  const store = new FolderStore(join(folder, 'lake'))
  const [stalled, other] = [1, 2].map(() => new LakeFiles(store, { withOpen: true, signal })) as [LakeFiles, LakeFiles]
  const file = async (text: string, rows: number) => {
    const path = join(folder, `${rows}.parquet`)
    await writeFile(path, text)
    return { dataset: 'swaps', path, rows, bytes: text.length, sha256: '' }
  }
  await stalled.position('wax', [])
  await stalled.save(position(step))

  await other.position('wax', [])
  const whole: Step = { ...step, toBlock: 9, isOpen: false }
  await other.write('wax', whole, await file('nine rows', 9))
  await other.end('wax', whole)
  await other.save(position(null, 9))

  const refused = { code: 'LAKE_WRITTEN_TWICE', hint: /./ }
  await t.rejects(stalled.write('wax', step, await file('five', 5)), refused)
  await t.rejects(stalled.write('wax', whole, await file('five', 5)), refused)
  await t.rejects(stalled.end('wax', step), refused)
  await t.rejects(stalled.save(position(step, 5)), refused)
  const path = (name: string) => join(folder, 'lake', name)
  t.equal(await readFile(path('swaps/chain=wax/date=2026-03-09/13-14.parquet'), 'utf8'), 'nine rows')
  t.match(JSON.parse(await readFile(path('_headwater/chain=wax/date=2026-03-09.json'), 'utf8')).files, [{ rows: 9 }])
})

t.test('of two processes that load ClickHouse at the same time, not both go on', async (t) => {
  const rows: { chain: string; version: string; text: string }[] = []
  let waiting: (() => void)[] = []
  const ask: Ask = async ({ sql }) => {
    if (sql.startsWith('insert')) {
      rows.push(JSON.parse(sql.slice(sql.indexOf('{'))))
      return ''
    }
    if (/sum\(newest\)/.test(sql)) return '0\t0\n'
    const version = /and version = (\d+)/.exec(sql)?.[1]
    if (version !== undefined)
      return rows
        .filter((row) => row.version === version)
        .map((row) => JSON.stringify(row))
        .join('\n')
    const newest = rows.at(-1)
    const answer = newest === undefined ? '' : JSON.stringify(newest)
    // Both processes read the position before either writes it.
    if (sql.startsWith('select toString(version)') && isRace)
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
        if (waiting.length < 2) return
        for (const proceed of waiting) proceed()
        waiting = []
      })
    return answer
  }
  let isRace = false
  const target = () => new LakeClickHouse(ask, { text: 'http://h/d', database: 'default' })
  const [one, two] = [target(), target()]
  t.equal(await one.position('wax', []), null)
  t.equal(await two.position('wax', []), null)
  isRace = true
  const ends = await Promise.allSettled([one.save(position(step)), two.save(position(step))])
  const reasons = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
  t.ok(reasons.length >= 1)
  for (const reason of reasons) t.match(reason, { code: 'LAKE_WRITTEN_TWICE', hint: /./ })
  isRace = false
  const next = target()
  t.match(await next.position('wax', []), { planned: step })
  await next.save(position(null, 5))
  t.match(await next.position('wax', []), { planned: null, completeTo: 5 })
})
