// Many notifications cost no more than a few.
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { paced } from '../../../api/live-market/paced.ts'

t.test(
  'the first hint is followed at once, later ones at most once in an interval, and the last one is not lost',
  async (t) => {
    let followed = 0
    const hint = paced(() => {
      followed++
    }, 100)
    hint()
    t.equal(followed, 1)
    for (let i = 0; i < 10_000; i++) hint()
    t.equal(followed, 1)
    while (followed < 2) await delay(5)
    await delay(150)
    t.equal(followed, 2)
    hint()
    t.equal(followed, 3)
  },
)
