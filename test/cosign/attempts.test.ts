import t from 'tap'
import { Attempts } from '../../cosign/attempts.ts'
import { TestClock } from './clock.ts'

t.test('each address has its own limit of attempts a minute', async (t) => {
  const clock = new TestClock()
  clock.advance(60_000 - (clock.now() % 60_000))
  const attempts = new Attempts(clock, 2)
  t.same(
    ['a', 'a', 'a', 'b', 'a'].map((address) => attempts.may(address)),
    [true, true, false, true, false],
  )
  clock.advance(59_999)
  t.notOk(attempts.may('a'))
  clock.advance(1)
  t.ok(attempts.may('a'))
})
