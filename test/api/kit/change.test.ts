// Changes in percent are rounded to four decimals, symmetrically for gains and losses.
import t from 'tap'
import { changePercent } from '../../../api/kit/change.ts'

t.test('a change is rounded, not cut off', async (t) => {
  for (const [before, after, percent] of [
    [3n, 5n, 66.6667],
    [3n, 1n, -66.6667],
    [3n, 4n, 33.3333],
    [3n, 2n, -33.3333],
    [2_000_000n, 2_000_001n, 0.0001],
    [2_000_000n, 1_999_999n, -0.0001],
    [3_000_000n, 3_000_001n, 0],
    [1n, 1n, 0],
    [1n, 0n, -100],
    [0n, 5n, 0],
  ] as const)
    t.equal(changePercent(before, after), percent, `${before} to ${after}`)
  t.equal(changePercent(null, 5n), 0)
  t.equal(changePercent(5n, null), 0)
  t.ok(Object.is(changePercent(3_000_000n, 2_999_999n), 0), 'never minus zero')
})

t.test('a change of prices of any size is the nearest one', async (t) => {
  for (let i = 1n; i < 3000n; i++) {
    const [before, after] = [i * 7919n, (i * i * 104_729n) % 50_000_000n]
    const exact = (Number(after - before) / Number(before)) * 100
    t.ok(Math.abs(changePercent(before, after) - exact) <= 0.00005 + 1e-9, `${before} to ${after}`)
  }
})
