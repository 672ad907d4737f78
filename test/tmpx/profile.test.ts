import t from 'tap'
import { ChainWriter } from '../../indexer/store/writer.ts'
import { Branches } from '../api/explore/stream/branches.ts'
import { testApi } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { Random } from '../support/random.ts'
import { readStep } from '../../api/explore/stream/step.ts'
import pg from 'pg'
t.test('p', async (t) => {
  const database = await testDatabase(t)
  const writer = await ChainWriter.open({ chain: 'wax', databaseUrl: database.url, chainId: null })
  t.teardown(() => writer.close())
  const chain = new Branches(new Random(5))
  const write = async () => { const b = writer.newBatch(); const block = chain.next(0); b.add(block); await writer.commit(b); return block }
  await write()
  const api = await testApi(t, database)
  const [context] = api.contexts
  const pool = new pg.Pool({ connectionString: database.url, options: '-c jit=off' })
  const orig = pg.Client.prototype.query
  const times = new Map<string, number[]>()
  let on = false
  ;(pg.Client.prototype as any).query = function (...a: any[]) {
    const r = (orig as any).apply(this, a)
    const text = String(a[0]?.text ?? a[0]).trim().slice(0, 60).replace(/\s+/g, ' ')
    const began = performance.now()
    if (on && r && typeof r.then === 'function') r.then(() => { const l = times.get(text) ?? []; l.push(performance.now() - began); times.set(text, l) }, () => {})
    return r
  }
  const notified: number[] = [], steps: number[] = [], commits: number[] = []
  let from = await readStep(pool, 'wax', null, false)
  for (let i = 0; i < 150; i++) {
    const heard = new Promise<number>((r) => { const stop = context!.market.listen(() => { stop(); r(performance.now()) }) })
    const c0 = performance.now()
    const block = await write()
    const c = performance.now()
    const h = await heard
    on = i > 30
    if (on) { commits.push(c - c0); notified.push(h - c) }
    const s0 = performance.now()
    const last = from!.blocks.at(-1) ?? from!.shared
    from = await readStep(pool, 'wax', { num: last.num, id: last.id }, false)
    if (on) steps.push(performance.now() - s0)
    on = false
    void block
  }
  const show = (l: number[]) => { l.sort((a, b) => a - b); return `n${l.length} p50 ${l[l.length >> 1]!.toFixed(1)} p90 ${l[Math.floor(l.length * 0.9)]!.toFixed(1)} max ${l.at(-1)!.toFixed(1)}` }
  process.stderr.write(`commit ${show(commits)}\nmarket heard after commit ${show(notified)}\nstep ${show(steps)}\n`)
  for (const [k, l] of times) process.stderr.write(`  ${k}: ${show(l)}\n`)
  await pool.end()
})
