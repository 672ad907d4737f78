import t from 'tap'
import { type BlockWindow, BlockWindows } from '../../../indexer/export/windows.ts'

/** Reads all windows of a chain with a number of rows in each block. */
async function read(
  first: number,
  last: number,
  rows: number,
  bounds: Partial<BlockWindow> = {},
): Promise<BlockWindow[]> {
  const found: BlockWindow[] = []
  const { fromBlock, toBlock } = bounds
  await new BlockWindows(first, last, { fromBlock, toBlock }).each(async (window) => {
    found.push(window)
    const [from, to] = [window.fromBlock ?? first, window.toBlock ?? last]
    return (to - from + 1) * rows
  })
  return found
}

t.test('windows follow one another from the beginning to the end', async (t) => {
  for (const [first, last, rows] of [
    [1, 100_000, 30],
    [300_000_000, 400_000_000, 0.001],
    [5, 9000, 100_000],
    [7, 7, 1],
  ] as const) {
    const windows = await read(first, last, rows)
    t.equal(windows[0]?.fromBlock, undefined)
    t.equal(windows.at(-1)?.toBlock, undefined)
    for (const [i, window] of windows.entries())
      if (i > 0) t.equal(window.fromBlock, (windows[i - 1]?.toBlock ?? Number.NaN) + 1)
  }
  t.end()
})

t.test('they hold about as many rows wherever blocks are full, and grow where they are empty', async (t) => {
  const full = await read(1, 100_000, 1000)
  const sizes = full.slice(8, -1).map(({ fromBlock = 0, toBlock = 0 }) => (toBlock - fromBlock + 1) * 1000)
  t.ok(sizes.length > 500 && sizes.every((size) => size <= 125_000), 'never twice what is wanted for long')
  t.ok((await read(1, 400_000_000, 0)).length < 30)
})

t.test('a range begins and ends where it says', async (t) => {
  const windows = await read(1, 1_000_000, 1, { fromBlock: 500, toBlock: 700_000 })
  t.equal(windows[0]?.fromBlock, 500)
  t.equal(windows.at(-1)?.toBlock, 700_000)
  t.same(await read(1, 10, 1, { fromBlock: 20, toBlock: 30 }), [{ fromBlock: 20, toBlock: 30 }])
})
