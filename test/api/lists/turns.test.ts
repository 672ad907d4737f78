// Update steps run one at a time, each in its own turn of the event loop.
import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { inTurn } from '../../../api/lists/turns.ts'

t.test('however many have work, one step is made in a turn, and each has its own in order', async (t) => {
  const made: string[] = []
  const begin = (name: string, steps: number) => {
    let left = steps
    inTurn(() => {
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
