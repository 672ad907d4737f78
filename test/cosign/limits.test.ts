// Limits on a real database, with times set by the test.

import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import t, { type Test } from 'tap'
import { LimitCounter, type Limits, type Outcome } from '../../cosign/limits.ts'
import { childModule } from '../support/child-module.ts'
import { type TestDatabase, testDatabase, testPool } from '../support/database.ts'
import { TestClock } from './clock.ts'
import { shipped, startTestCosigner } from './service.ts'
import { by, noop, transfer, transferData, unique } from './transactions.ts'

const NOON = Date.parse('2026-03-01T12:00:00Z')
const HOUR = 3_600_000
const documented = shipped().config.limits

let made = 0
const id = () => createHash('sha256').update(String(++made)).digest('hex')
const text = (outcome: Outcome) => (outcome.kind === 'refused' ? outcome.text : outcome.kind)

/** A counter as the cosigner's role. */
function counter(t: Test, { url }: TestDatabase, limits: Limits = documented): LimitCounter {
  const pool = testPool(t, url, { max: 8, options: '-c role=headwater_cosigner' })
  return new LimitCounter(pool, 'wax', limits)
}

/** Sets the counter as if that many requests had been made. */
async function use(
  { pool }: TestDatabase,
  scope: string,
  key: string,
  period: string,
  at: number,
  used: number,
): Promise<void> {
  const starts = new Date(
    Math.floor(at / (period === 'hour' ? HOUR : 24 * HOUR)) * (period === 'hour' ? HOUR : 24 * HOUR),
  )
  await pool.query('insert into cosign.counters values ($1, $2, $3, $4, $5, $6)', [
    'wax',
    scope,
    key,
    period,
    starts,
    used,
  ])
}

t.test(
  'CPU-16 CPU-17 CPU-18 CPU-19 each limit allows exactly its number of requests, by the hour and by the day',
  async (t) => {
    const cases: [scope: string, key: string, period: string, limit: number, text: string][] = [
      ['ip', '1.2.3.4', 'hour', 500, 'Hourly IP limit exceeded'],
      ['ip', '1.2.3.4', 'day', 5000, 'Daily IP limit exceeded'],
      ['account', 'alice', 'hour', 300, 'Hourly account limit exceeded'],
      ['account', 'alice', 'day', 2000, 'Daily account limit exceeded'],
      ['all', '', 'hour', 10_000, 'Hourly limit of all users exceeded'],
      ['all', '', 'day', 80_000, 'Daily limit of all users exceeded'],
    ]
    const database = await testDatabase(t)
    const limits = counter(t, database)
    const take = (now: number, throttled = false) =>
      limits.take({ transaction: id(), address: '1.2.3.4', account: 'alice', isOwn: false }, throttled, now)
    for (const [i, [scope, key, period, limit, expected]] of cases.entries()) {
      const at = NOON + i * 48 * HOUR
      await use(database, scope, key, period, at, limit - 1)
      t.equal(text(await take(at)), 'counted', `${expected}: the last one`)
      t.equal(text(await take(at)), expected)
      t.equal(text(await take(at + (period === 'hour' ? HOUR : 24 * HOUR))), 'counted', 'the next hour or day is new')
    }
  },
)

t.test('a reached limit is cached for a second, and not beyond its hour', async (t) => {
  const database = await testDatabase(t)
  const limits = counter(t, database)
  const take = (address: string, account: string, now: number, { throttled = false, known = false } = {}) =>
    limits.take({ transaction: id(), address, account, isOwn: false }, throttled, now, known).then(text)
  await use(database, 'ip', '1.2.3.4', 'hour', NOON, 500)
  await use(database, 'account', 'alice', 'hour', NOON, 150)
  t.equal(await take('1.2.3.4', 'bob', NOON), 'Hourly IP limit exceeded')
  t.equal(await take('5.6.7.8', 'alice', NOON, { throttled: true }), 'Hourly account limit exceeded')
  // From here on, requests of the database are counted.
  await database.pool.query('delete from cosign.counters')
  t.equal(await take('1.2.3.4', 'carol', NOON + 999), 'Hourly IP limit exceeded')
  t.equal(await take('9.9.9.9', 'alice', NOON + 999, { throttled: true }), 'Hourly account limit exceeded')
  t.equal(await take('9.9.9.9', 'alice', NOON + 999), 'counted', 'not throttled, there is more')
  t.equal(await take('1.2.3.5', 'carol', NOON + 999), 'counted', 'another address')
  t.equal(await take('1.2.3.4', 'carol', NOON + 999, { known: true }), 'counted', 'what was counted is not refused')
  t.equal(await take('1.2.3.4', 'carol', NOON + 1000), 'counted', 'a second later')
  await use(database, 'ip', '4.3.2.1', 'hour', NOON, 500)
  t.equal(await take('4.3.2.1', 'bob', NOON + HOUR - 1), 'Hourly IP limit exceeded')
  t.equal(await take('4.3.2.1', 'bob', NOON + HOUR), 'counted', 'the next hour')
})

t.test('CPU-21 throttled: every limit is halved except the daily limit of all users', async (t) => {
  const database = await testDatabase(t)
  const limits = counter(t, database)
  const take = (now: number) =>
    limits.take({ transaction: id(), address: '1.2.3.4', account: 'alice', isOwn: false }, true, now)
  const cases: [scope: string, key: string, period: string, limit: number, text: string][] = [
    ['ip', '1.2.3.4', 'hour', 250, 'Hourly IP limit exceeded'],
    ['ip', '1.2.3.4', 'day', 2500, 'Daily IP limit exceeded'],
    ['account', 'alice', 'hour', 150, 'Hourly account limit exceeded'],
    ['account', 'alice', 'day', 1000, 'Daily account limit exceeded'],
    ['all', '', 'hour', 5000, 'Hourly limit of all users exceeded'],
    ['all', '', 'day', 80_000, 'Daily limit of all users exceeded'],
  ]
  for (const [i, [scope, key, period, limit, expected]] of cases.entries()) {
    const at = NOON + i * 48 * HOUR
    await use(database, scope, key, period, at, limit - 1)
    t.equal(text(await take(at)), 'counted', `${expected}: the last one`)
    t.equal(text(await take(at)), expected)
  }
})

t.test('a request above one limit counts in no counter', async (t) => {
  const database = await testDatabase(t)
  const limits = counter(t, database, { ...documented, accountHour: 1 })
  const take = () => limits.take({ transaction: id(), address: '1.2.3.4', account: 'alice', isOwn: false }, false, NOON)
  t.equal(text(await take()), 'counted')
  for (let i = 0; i < 5; i++) t.equal(text(await take()), 'Hourly account limit exceeded')
  const { rows } = await database.pool.query('select scope, period, used from cosign.counters order by 1, 2')
  t.same(new Set(rows.map(({ used }) => used)), new Set([1]))
  t.equal(rows.length, 6)
  t.equal((await database.pool.query('select from cosign.transactions')).rowCount, 1)
})

t.test('refusal 27: a transaction counts once, even after its limit is reached', async (t) => {
  const database = await testDatabase(t)
  const limits = counter(t, database, { ...documented, accountHour: 1 })
  const request = { transaction: id(), address: '1.2.3.4', account: 'alice', isOwn: false }
  t.equal(text(await limits.take(request, false, NOON)), 'counted')
  for (let i = 0; i < 3; i++) t.equal(text(await limits.take(request, false, NOON)), 'known')
  t.equal(text(await limits.take({ ...request, transaction: id() }, false, NOON)), 'Hourly account limit exceeded')
})

t.test('refusal 37: after some failures that it has signed an account waits, from any address', async (t) => {
  const database = await testDatabase(t)
  const limits = counter(t, database, { ...documented, failuresHour: 2 })
  const alice = { address: '1.2.3.4', account: 'alice' }
  const take = (request: object, now = NOON) =>
    limits.take({ transaction: id(), ...alice, isOwn: false, ...request }, false, now)
  await limits.noteFailure({ ...alice, isOwn: true }, NOON)
  t.equal(text(await take({ isOwn: true })), 'counted')
  await limits.noteFailure({ ...alice, isOwn: true }, NOON)
  for (const isOwn of [true, false])
    t.match(await take({ isOwn, address: '5.6.7.8' }), { text: /of this account have failed/, hasReserve: false })
  t.equal(text(await take({ account: 'bob' })), 'counted', 'another account at the same address does not')
  t.equal(text(await take({}, NOON + HOUR)), 'counted')
})

t.test('failures that no account has signed count against the address alone', async (t) => {
  const database = await testDatabase(t)
  const limits = counter(t, database, { ...documented, failuresHour: 1, ipFailuresHour: 2, accountHour: 2 })
  const alice = { address: '1.2.3.4', account: 'alice' }
  const take = (request: object, now = NOON) =>
    limits.take({ transaction: id(), ...alice, isOwn: false, ...request }, false, now)
  for (let i = 0; i < 2; i++) {
    t.equal(text(await take({})), 'counted')
    await limits.noteFailure({ ...alice, isOwn: false }, NOON)
  }
  const refused = { text: /from this address have failed/, hasReserve: true }
  t.match(await take({}), refused)
  t.match(await take({ account: 'bob' }), refused)
  t.equal(text(await take({ isOwn: true })), 'counted', 'an account that has signed passes')
  for (let i = 0; i < 2; i++)
    t.equal(
      text(await take({ address: '5.6.7.8' })),
      'counted',
      'what failed is not taken from the limit of the account',
    )
  t.equal(text(await take({ address: '5.6.7.8' })), 'Hourly account limit exceeded')
  t.equal(text(await take({ account: 'bob' }, NOON + HOUR)), 'counted')
})

t.test('refusal 41: transactions that an account signed itself count in its own reserve', async (t) => {
  const database = await testDatabase(t)
  const limits = counter(t, database, { ...documented, accountHour: 1, reserveHour: 4, reserveDay: 5 })
  const take = (isOwn: boolean, now: number, throttled = false) =>
    limits.take({ transaction: id(), address: '1.2.3.4', account: 'alice', isOwn }, throttled, now)
  t.equal(text(await take(false, NOON)), 'counted')
  t.match(await take(false, NOON), { text: 'Hourly account limit exceeded', hasReserve: true })
  for (let i = 0; i < 2; i++) t.equal(text(await take(true, NOON, true)), 'counted')
  t.match(await take(true, NOON, true), { text: 'Hourly account limit exceeded', hasReserve: false }, 'half, throttled')
  for (let i = 0; i < 2; i++) t.equal(text(await take(true, NOON)), 'counted')
  t.equal(text(await take(true, NOON)), 'Hourly account limit exceeded')
  t.equal(text(await take(true, NOON + HOUR)), 'counted')
  t.equal(text(await take(true, NOON + HOUR)), 'Daily account limit exceeded')
  t.equal(text(await take(false, NOON + HOUR)), 'counted', 'the reserve takes nothing from the limit')
  const { rows } = await database.pool.query(
    `select key, used from cosign.counters where scope = 'all' and period = 'day' union all
     select key, used from cosign.counters where scope = 'ip' and period = 'day'`,
  )
  t.same(
    rows.map(({ used }) => used),
    [7, 7],
    'all of it counts for the address and for all',
  )
})

t.test('old hours, days and transactions are forgotten', async (t) => {
  const database = await testDatabase(t)
  const limits = counter(t, database)
  const request = { address: '1.2.3.4', account: 'alice', isOwn: false }
  await limits.take({ ...request, transaction: id() }, false, Date.now() - 80 * HOUR)
  await limits.take({ ...request, transaction: id() }, false, Date.now())
  await limits.prune()
  t.equal((await database.pool.query('select from cosign.counters')).rowCount, 6)
  t.equal((await database.pool.query('select from cosign.transactions')).rowCount, 1)
})

t.test('CPU-23 many processes at once never take more than a limit, and a transaction once', async (t) => {
  const database = await testDatabase(t)
  const { file, execArgv } = childModule('limit-racer.ts', import.meta.url)
  const processes = Array.from({ length: 4 }, (_, i) => fork(file, [database.url, String(i)], { execArgv }))
  await Promise.all(processes.map((child) => once(child, 'message')))
  const results = processes.map((child) => once(child, 'message'))
  for (const child of processes) child.send('go')
  const counts = (await Promise.all(results)).map(([message]) => message as Record<string, number>)
  await Promise.all(processes.map((child) => child.exitCode ?? once(child, 'exit')))
  const sum = (name: string) => counts.reduce((total, one) => total + (one[name] ?? 0), 0)
  // 4 processes, each with 60 transactions of one account whose limit is 100; all of them send the same 20.
  t.equal(sum('counted'), 100)
  t.equal(sum('known') + sum('refused') + sum('counted'), 4 * 80)
  t.equal(sum('failed'), 0, 'no deadlock, no error')
  const { rows } = await database.pool.query(`select scope, period, used from cosign.counters order by 1, 2`)
  t.same(new Set(rows.map(({ used }) => used)), new Set([100]))
})

t.test('CPU-23 a restarted cosigner continues the counters', async (t) => {
  const database = await testDatabase(t)
  const limits = { ...documented, accountHour: 2 }
  const first = await startTestCosigner(t, database, { limits })
  t.equal((await first.sign(unique())).status, 201)
  await first.close()
  const [second, third] = [
    await startTestCosigner(t, database, { limits }),
    await startTestCosigner(t, database, { limits }),
  ]
  t.equal((await second.sign(unique())).status, 201)
  const { status, body } = await third.sign(unique())
  t.same([status, body], [400, { error: 'Hourly account limit exceeded' }], 'CPU-20 over a limit is 400')
})

t.test('CPU-16 CPU-20 CPU-24 five hundred of an address in an hour, asked one by one; then by the clock', async (t) => {
  const database = await testDatabase(t)
  const clock = new TestClock()
  const cosigner = await startTestCosigner(t, database, {}, { clock })
  const ask = (n: number) => {
    const user = n % 2 === 0 ? 'alice.trade' : 'bob'
    const data = transferData('swap.svc', { from: user })
    return cosigner.sign(unique([noop(), transfer('swap.svc', { authorization: [by(user)], data })]), {
      'x-forwarded-for': `198.51.100.${n % 250}, 203.0.113.9`,
    })
  }
  const numbers = Array.from({ length: 505 }, (_, n) => n)
  const statuses: number[] = []
  for (let i = 0; i < numbers.length; i += 20)
    statuses.push(...(await Promise.all(numbers.slice(i, i + 20).map(ask))).map(({ status }) => status))
  t.equal(statuses.filter((status) => status === 201).length, 500)
  t.same((await ask(1)).body, { error: 'Hourly IP limit exceeded' })
  const rest = HOUR - (clock.now() % HOUR)
  clock.advance(rest - 1)
  t.same((await ask(1)).body, { error: 'Hourly IP limit exceeded' }, 'to the end of the hour')
  clock.advance(1)
  t.equal((await ask(1)).status, 201)
})

t.test('CPU-15 the user that is counted is the first authoriser of the second action', async (t) => {
  const database = await testDatabase(t)
  const cosigner = await startTestCosigner(t, database)
  const of = (user: string) =>
    unique([
      noop(),
      transfer('swap.svc', { authorization: [by(user)], data: transferData('swap.svc', { from: user }) }),
    ])
  for (const user of ['bob', 'carol.gm', 'bob']) t.equal((await cosigner.sign(of(user))).status, 201)
  const { rows } = await database.pool.query(
    `select key, used from cosign.counters where scope = 'account' and period = 'hour' order by 1`,
  )
  t.same(rows, [
    { key: 'bob', used: 2 },
    { key: 'carol.gm', used: 1 },
  ])
})
