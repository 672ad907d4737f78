// Random histories with forks, written in random batches and compared after every commit with a naive linear replay.
import t from 'tap'
import { ChainWriter } from '../../../indexer/store/writer.ts'
import { testDatabase } from '../../support/database.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'
import { History } from './history.ts'
import { readEverything, replayNaively } from './oracle.ts'

const runs = process.env.HEADWATER_TEST_LONG ? 200 : 12
const firstSeed = seedFromEnvironment()

for (let seed = firstSeed; seed < firstSeed + runs; seed++) {
  t.test(`rows, state and candles equal a linear replay after every commit (HEADWATER_SEED=${seed})`, async (t) => {
    const { url, pool } = await testDatabase(t, { chains: ['test'] })
    const random = new Random(seed)
    const history = new History(random, 'test')
    const open = () => ChainWriter.open({ chain: 'test', databaseUrl: url, chainId: null })
    let writer = await open()
    for (let step = 0; step < 30; step++) {
      const batch = history.nextBatch()
      const into = writer.newBatch()
      for (const block of batch) into.add(block)
      await writer.commit(into)
      history.committed(batch)
      if (random.chance(0.1)) {
        await writer.close()
        writer = await open()
      }
      const expected = replayNaively(history.canonical())
      const found = await readEverything(pool, 'test')
      if (!t.same(found, expected, `after commit ${step}`)) break
    }
    await writer.close()
  })
}
