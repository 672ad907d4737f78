import t from 'tap'
import { inTurns } from '../../../api/http/in-turns.ts'

/** Steps that each take longer than a turn. */
function* long(steps: number, onStep: () => void): Generator<void, number> {
  for (let i = 0; i < steps; i++) {
    for (const until = performance.now() + 5; performance.now() < until; );
    onStep()
    yield
  }
  return steps
}

t.test('of many long computations one has its turn in each round of the event loop, one after the other', async (t) => {
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
    inTurns(
      long(steps, () => {
        done++
        order.push(i)
      }),
      () => false,
    ),
  )
  // Each begins at once.
  before = done
  setImmediate(round)
  t.same(await Promise.all(all), Array(many).fill(steps))
  isOver = true
  t.ok(Math.max(...rounds) <= 1, `${Math.max(...rounds)} in one round`)
  const turns = Array.from({ length: steps }, (_, k) => order.slice(k * many, (k + 1) * many))
  t.same(turns, Array(steps).fill([0, 1, 2, 3, 4, 5]), 'nobody is passed over')
})

t.test('what has become stale ends, and the others go on', async (t) => {
  let steps = 0
  const one = inTurns(
    long(5, () => {
      steps++
    }),
    () => steps >= 2,
  )
  const other = inTurns(
    long(3, () => {}),
    () => false,
  )
  t.same(await Promise.all([one, other]), [undefined, 3])
  t.equal(steps, 2)
})
