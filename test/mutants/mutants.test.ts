// Plants known bugs in the source and checks that the tests fail.
import t from 'tap'
import { MUTANTS } from './mutants.ts'
import { occurrences, plant } from './planted.ts'

/** Limit of simulation seeds until a bug must be caught. */
const SEEDS = 40
const isLong = process.env.HEADWATER_TEST_LONG !== undefined
t.setTimeout(3_600_000)

t.test('every bug can be planted', async (t) => {
  for (const mutant of MUTANTS) t.equal(occurrences(mutant), 1, mutant.name)
})

for (const mutant of MUTANTS.filter(({ quick }) => isLong || quick)) {
  t.test(`caught: ${mutant.name}`, async (t) => {
    const { caught, output } = await plant(mutant, SEEDS)
    const reason = output.match(/not ok \d+ - .*/)?.[0].slice(0, 160)
    t.ok(caught, caught ? `${reason}` : 'it has survived', caught ? {} : { output })
  })
}
