// Missing block ranges of an export, compared with a plain model that has one entry for each block.
import t from 'tap'
import { type BlockRange, firstMissing, missingFiles } from '../../../indexer/export/ranges.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'

t.test('files go on where others end, whatever their size was', async (t) => {
  const done = [{ fromBlock: 10, toBlock: 14 }]
  t.same(missingFiles(done, { fromBlock: 0, toBlock: 30 }, 8, true), [
    { fromBlock: 0, toBlock: 7 },
    { fromBlock: 8, toBlock: 9 },
    { fromBlock: 15, toBlock: 15 },
    { fromBlock: 16, toBlock: 23 },
  ])
  t.same(missingFiles(done, { fromBlock: 12, toBlock: 18 }, 8, false), [
    { fromBlock: 15, toBlock: 15 },
    { fromBlock: 16, toBlock: 18 },
  ])
  t.equal(firstMissing(done, 10), 15)
  t.equal(firstMissing(done, 15), 15)
  t.equal(firstMissing(done, 3), 3)
})

t.test('any runs of any sizes have each block once', async (t) => {
  const seed = seedFromEnvironment()
  const random = new Random(seed)
  const int = (low: number, high: number) => random.integer(low, high)
  t.comment(`seed ${seed}`)
  for (let round = 0; round < 300; round++) {
    const done: BlockRange[] = []
    let last = 0
    for (let run = 0; run < 6; run++) {
      last += int(0, 40)
      const wanted = { fromBlock: int(0, 3) === 0 ? int(0, last) : 0, toBlock: int(0, 2) === 0 ? int(0, last) : last }
      const size = int(1, 25)
      const isOpen = wanted.toBlock === last && int(0, 1) === 0
      const found = missingFiles(done, wanted, size, isOpen)
      done.push(...found)
      done.sort((a, b) => a.fromBlock - b.fromBlock)
      const holders = new Map<number, number>()
      for (const { fromBlock, toBlock } of done)
        for (let num = fromBlock; num <= toBlock; num++) holders.set(num, (holders.get(num) ?? 0) + 1)
      const twice = [...holders].filter(([, files]) => files > 1)
      if (twice.length > 0) t.fail(`blocks ${twice.map(([num]) => num)} are there twice`, { done })
      const end = isOpen ? Math.floor((wanted.toBlock + 1) / size) * size - 1 : wanted.toBlock
      for (let num = wanted.fromBlock; num <= end; num++)
        if (!holders.has(num)) t.fail(`block ${num} is missing`, { done, wanted, size })
      if (
        found.some(
          ({ fromBlock, toBlock }) => fromBlock > toBlock || fromBlock < wanted.fromBlock || toBlock > wanted.toBlock,
        )
      )
        t.fail('a file lies outside of what is wanted', { found, wanted })
    }
  }
  t.pass('300 rounds of 6 runs')
})
