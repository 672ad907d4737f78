// Work of a process is cut into steps: the event loop runs between any two of them.
import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { runSlices, runSteps } from '../../core/scheduler.ts'

t.test('one step runs in each turn, and the steps of each task run in order', async (t) => {
  const made: string[] = []
  const begin = (name: string, steps: number) => {
    let left = steps
    runSteps(() => {
      made.push(name)
      return --left > 0
    })
  }
  begin('a', 3)
  begin('b', 2)
  begin('c', 1)
  t.same(made, [], 'none before the next turn')
  for (let turns = 1; turns <= 6; turns++) {
    await turn()
    t.equal(made.length, turns)
  }
  t.equal(made.join(''), 'abcaba')
  await turn()
  t.equal(made.length, 6, 'and then there are no more')
  begin('d', 1)
  await turn()
  t.equal(made.at(-1), 'd')
})

/** Steps that each take longer than a turn of the event loop may. */
function* long(steps: number, onStep: () => void): Generator<void, number> {
  for (let i = 0; i < steps; i++) {
    for (const until = performance.now() + 5; performance.now() < until; );
    onStep()
    yield
  }
  return steps
}

t.test('long computations take turns, one in each round of the event loop', async (t) => {
  const [many, steps] = [6, 8]
  const order: number[] = []
  let done = 0
  const rounds: number[] = []
  let [before, isOver] = [0, false]
  const round = () => {
    rounds.push(done - before)
    before = done
    if (!isOver) setImmediate(round)
  }
  const all = Array.from({ length: many }, (_, i) =>
    runSlices(
      long(steps, () => {
        done++
        order.push(i)
      }),
      () => false,
    ),
  )
  // All start at the same time.
  before = done
  setImmediate(round)
  t.same(await Promise.all(all), Array(many).fill(steps))
  isOver = true
  t.ok(Math.max(...rounds) <= 1, `${Math.max(...rounds)} in one round`)
  const turns = Array.from({ length: steps }, (_, k) => order.slice(k * many, (k + 1) * many))
  t.same(turns, Array(steps).fill([0, 1, 2, 3, 4, 5]), 'nobody is passed over')
})

t.test('a stale computation ends, and the others continue', async (t) => {
  let steps = 0
  const one = runSlices(
    long(5, () => {
      steps++
    }),
    () => steps >= 2,
  )
  const other = runSlices(
    long(3, () => {}),
    () => false,
  )
  t.same(await Promise.all([one, other]), [undefined, 3])
  t.equal(steps, 2)
})

t.test('steps and slices share the turns', async (t) => {
  const made: string[] = []
  let left = 4
  runSteps(() => {
    made.push('step')
    return --left > 0
  })
  const slices = runSlices(
    long(5, () => made.push('slice')),
    () => false,
  )
  t.same(made, ['slice'], 'the first slice runs at once')
  for (let turns = 1; turns <= 8; turns++) {
    await turn()
    t.equal(made.length, 1 + turns, `one in turn ${turns}`)
  }
  t.equal(await slices, 5)
  t.same(made.slice(1), ['step', 'slice', 'step', 'slice', 'step', 'slice', 'step', 'slice'])
})
