// Random chains that fork, stall and fail, followed over the state-history protocol. After every commit the database is
// compared with a linear replay by independent code. A failure prints the command that reproduces it.
import t from 'tap'
import { testDatabase } from '../support/database.ts'
import { seedFromEnvironment } from '../support/random.ts'
import { forgetChain } from './forget-chain.ts'
import { addReport, emptyReport, tell } from './report.ts'
import { simulate } from './simulation.ts'
import { Observer } from './snapshot.ts'

const CHAIN = 'simulated'
const isRepeat = process.env.HEADWATER_SEED !== undefined
const usual = process.env.HEADWATER_TEST_LONG ? 5000 : 40
const seeds = Number(process.env.HEADWATER_SEEDS ?? (isRepeat ? 1 : usual))
const first = seedFromEnvironment()
t.setTimeout(14_400_000)

t.test(
  `seeds ${first} to ${first + seeds - 1}: after every commit the visible rows equal a linear replay`,
  async (t) => {
    const { url, pool } = await testDatabase(t, { chains: ['simulated'] })
    const observer = await Observer.open(url, CHAIN)
    const sum = emptyReport()
    for (let seed = first; seed < first + seeds; seed++) {
      try {
        addReport(sum, await simulate(seed, { url, chain: CHAIN, observer }))
      } catch (error) {
        t.comment(`HEADWATER_SEED=${seed} npm test -- test/simulation/forks.test.ts`)
        t.fail((error as Error).message, { stack: (error as Error).stack })
        break
      }
      await forgetChain(pool, CHAIN)
    }
    await observer.close()
    t.comment(tell(sum))
    if (isRepeat) return
    for (const [what, count] of Object.entries({ forks: sum.forks, commits: sum.commits, restarts: sum.restarts }))
      t.ok(count > seeds / 4, `there were ${count} ${what}`)
  },
)
