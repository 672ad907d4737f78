// When pages request their answers again: bounds of the number of requests, and how soon a change is asked for.
import t from 'tap'
import { renewed } from '../../../web/explorer/core/held-answer.ts'
import { Queue } from '../../../web/explorer/core/queue.ts'
import { type Outcome, type Pace, Renewal } from '../../../web/explorer/core/renewal.ts'

/** How long a request takes, ms. */
const REQUEST_MS = 30
const PACE: Pace = { everyMs: 0, minPauseMs: 0, hasValue: false }

/** A clock that tests move. */
class Clock {
  time = 0
  private timers: { at: number; work(): void }[] = []

  after(pauseMs: number, work: () => void): () => void {
    const timer = { at: this.time + pauseMs, work }
    this.timers.push(timer)
    return () => {
      this.timers = this.timers.filter((one) => one !== timer)
    }
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve))
  }

  async moveTo(time: number): Promise<void> {
    for (;;) {
      const next = this.timers.filter(({ at }) => at <= time).sort((one, other) => one.at - other.at)[0]
      if (next === undefined) break
      this.timers = this.timers.filter((one) => one !== next)
      this.time = next.at
      next.work()
      await settled()
    }
    this.time = time
  }
}

/** After all promises that can go on now. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** A page's answer, with the times of its requests. */
class Scene {
  readonly clock: Clock
  readonly times: number[] = []
  head = 1000
  isHidden: boolean
  random = 0.5
  /** How the next requests end. */
  outcome: () => Outcome = () => ({ is: 'answered', block: this.head })
  readonly renewal: Renewal

  constructor(pace = PACE, clock = new Clock(), queue?: Queue, isHidden = false) {
    this.clock = clock
    this.isHidden = isHidden
    const request = async (): Promise<Outcome> => {
      this.times.push(clock.time)
      await clock.sleep(REQUEST_MS)
      return this.outcome()
    }
    this.renewal = new Renewal(
      {
        now: () => clock.time,
        after: (pauseMs, work) => clock.after(pauseMs, work),
        random: () => this.random,
        isHidden: () => this.isHidden,
        head: () => this.head,
        request: () => (queue === undefined ? request() : queue.run(request)),
      },
      pace,
    )
    this.renewal.start()
  }

  block(): void {
    this.head++
    this.renewal.invalidate()
  }
}

t.test('a new block is asked for at once; while blocks come by the dozen, every 400 ms', async (t) => {
  const scene = new Scene()
  await scene.clock.moveTo(1000)
  scene.block()
  // The stream of facts and that of the market tell of the same block.
  scene.renewal.invalidate()
  await scene.clock.moveTo(1000)
  t.same(scene.times, [0, 1000])
  for (let time = 1010; time <= 11_000; time += 10) {
    await scene.clock.moveTo(time)
    scene.block()
  }
  t.ok(scene.times.length > 15 && scene.times.length <= 2 + 10_000 / 400, `${scene.times.length} requests`)
})

t.test('a hidden page requests once, and again when it is seen', async (t) => {
  for (const everyMs of [0, 1000]) {
    const scene = new Scene({ ...PACE, everyMs })
    scene.isHidden = true
    for (let time = 10; time <= 10_000; time += 10) {
      await scene.clock.moveTo(time)
      scene.block()
    }
    t.same(scene.times, [0])
    scene.isHidden = false
    scene.renewal.seen()
    await scene.clock.moveTo(10_001)
    t.equal(scene.times.length, 2)
    scene.renewal.seen()
    await scene.clock.moveTo(10_900)
    t.equal(scene.times.length, 2, 'nothing has changed since')
  }
})

t.test('a hidden page that has a value from elsewhere requests nothing before it is seen', async (t) => {
  const scene = new Scene({ ...PACE, hasValue: true }, new Clock(), undefined, true)
  await scene.clock.moveTo(1000)
  scene.block()
  await scene.clock.moveTo(2000)
  t.same(scene.times, [])
  scene.isHidden = false
  scene.renewal.seen()
  await scene.clock.moveTo(3000)
  t.same(scene.times, [2000])
})

t.test('a hidden page tries failures again', async (t) => {
  const scene = new Scene()
  scene.outcome = () => ({ is: 'failed' })
  scene.isHidden = true
  await scene.clock.moveTo(4000)
  t.same(scene.times, [0, 1030, 3060])
})

t.test('rows: two seconds between requests, and four at once over all', async (t) => {
  const clock = new Clock()
  let running = 0
  let most = 0
  const queue = new Queue(4)
  const counted = new Proxy(queue, {
    get: (target, name) =>
      name !== 'run'
        ? Reflect.get(target, name)
        : (work: () => Promise<unknown>) =>
            target.run(async () => {
              most = Math.max(most, ++running)
              try {
                return await work()
              } finally {
                running--
              }
            }),
  })
  const rows = Array.from(
    { length: 20 },
    () => new Scene({ everyMs: 0, minPauseMs: 2000, hasValue: true }, clock, counted),
  )
  // Late answers too: they are of the block before.
  for (const row of rows) row.outcome = () => ({ is: 'answered', block: row.head - 1 })
  for (let time = 10; time <= 10_000; time += 10) {
    await clock.moveTo(time)
    for (const row of rows) row.block()
  }
  t.equal(most, 4)
  for (const { times } of rows)
    t.ok(times.length >= 4 && times.length <= 6, `${times.length} requests of a row in 10 s`)
})

t.test('answers of the block before are asked for again, spread, and not without end', async (t) => {
  const scene = new Scene()
  scene.outcome = () => ({ is: 'answered', block: scene.head - 1 })
  scene.random = 0
  // 50 ms and 250 ms times 0.5 after the answer, then a pause of two seconds.
  await scene.clock.moveTo(4400)
  t.same(scene.times, [0, 55, 210, 2240, 4270])
  scene.outcome = () => ({ is: 'answered', block: scene.head })
  await scene.clock.moveTo(60_000)
  t.equal(scene.times.length, 6, 'the answer of the block ends it')
  const late = new Scene({ ...PACE, everyMs: 30_000 })
  late.outcome = scene.outcome = () => ({ is: 'answered', block: late.head - 1 })
  late.random = 0.999
  await late.clock.moveTo(60_000)
  t.same(late.times.map(Math.round), [0, 105, 510, 30_540])
})

t.test(
  'after an answer of the block before, another message about the block asks at once, and does so once',
  async (t) => {
    const scene = new Scene()
    scene.outcome = () => ({ is: 'answered', block: scene.head - 1 })
    await scene.clock.moveTo(40)
    scene.renewal.invalidate(1000)
    await scene.clock.moveTo(72)
    t.same(scene.times, [0, 40], 'without the pause after such an answer')
    scene.renewal.invalidate(1000)
    await scene.clock.moveTo(300)
    t.same(scene.times, [0, 40, 290])
    const during = new Scene()
    during.outcome = scene.outcome
    during.renewal.invalidate(1000)
    await during.clock.moveTo(31)
    t.same(during.times, [0, 30], 'also where the message came during the request')
  },
)

t.test('a message with its block asks for nothing that the answer has', async (t) => {
  const scene = new Scene()
  scene.renewal.invalidate(1000)
  await scene.clock.moveTo(5000)
  t.same(scene.times, [0], 'the answer that ran has the block')
  scene.renewal.invalidate(1000)
  await scene.clock.moveTo(10_000)
  t.same(scene.times, [0])
  scene.head = 1001
  scene.renewal.invalidate(1001)
  await scene.clock.moveTo(10_000)
  t.same(scene.times, [0, 10_000])
})

t.test('a fork is asked about at once, and messages about the new branch are not taken for known ones', async (t) => {
  const scene = new Scene({ ...PACE, everyMs: 30_000 })
  // Without a spread: 50 and 250 ms after the answer.
  await scene.clock.moveTo(5000)
  t.same(scene.times, [0])
  scene.head = 998
  scene.renewal.forked(998, 1000)
  // The server can still answer with the replaced branch.
  scene.outcome = () => ({ is: 'answered', block: 1000 })
  await scene.clock.moveTo(5050)
  t.same(scene.times, [0, 5000])
  scene.head = 999
  scene.outcome = () => ({ is: 'answered', block: 999 })
  await scene.clock.moveTo(5200)
  t.same(scene.times, [0, 5000, 5080], 'soon after an answer that may be of the replaced branch')
  scene.head = 1000
  scene.outcome = () => ({ is: 'answered', block: 1000 })
  scene.renewal.invalidate(1000)
  await scene.clock.moveTo(6000)
  t.equal(scene.times[3], 5200, 'block 1000 of the new branch is another one')
  scene.head = 1001
  scene.outcome = () => ({ is: 'answered', block: 1001 })
  scene.renewal.invalidate(1001)
  await scene.clock.moveTo(7000)
  const { length } = scene.times
  scene.renewal.invalidate(1001)
  scene.renewal.invalidate(1000)
  await scene.clock.moveTo(20_000)
  t.equal(scene.times.length, length, 'above the replaced branch answers are believed again')
})

t.test(
  'a fork during a request is asked about after it, once for two streams, and without the pause of rows',
  async (t) => {
    const during = new Scene()
    await during.clock.moveTo(10)
    during.renewal.forked(999, 1000)
    await during.clock.moveTo(35)
    t.same(during.times, [0, 30])
    const twice = new Scene()
    await twice.clock.moveTo(5000)
    twice.renewal.forked(999, 1000)
    twice.renewal.forked(999, 1000)
    twice.outcome = () => ({ is: 'answered', block: 1001 })
    await twice.clock.moveTo(9000)
    t.same(twice.times, [0, 5000])
    const row = new Scene({ everyMs: 0, minPauseMs: 2000, hasValue: false })
    await row.clock.moveTo(100)
    row.renewal.forked(999, 1000)
    await row.clock.moveTo(101)
    t.same(row.times, [0, 100])
    const hidden = new Scene()
    await hidden.clock.moveTo(5000)
    hidden.isHidden = true
    hidden.renewal.forked(999, 1000)
    await hidden.clock.moveTo(9000)
    t.same(hidden.times, [0], 'not while the page is hidden')
  },
)

t.test('an answer that has not changed keeps its identity, with its new time only where that counts', async (t) => {
  const old = renewed({ key: 'a', state: 'loading', value: null, askedAt: 0, error: '' }, answer([1], 5), false)
  t.equal(renewed(old, answer([1], 9), false), old)
  const timed = renewed(old, answer([1], 9), true)
  t.equal(timed.askedAt, 9)
  t.equal(timed.value, old.value)
  t.same(renewed(old, answer([2], 9), false).value, [2])
})

function answer(value: number[], askedAt: number) {
  return { key: 'a', value, askedAt }
}
