// Progress as numbers and as text.
import t from 'tap'
import { ChainProgress, ratesBetween } from '../../../indexer/operate/chain-progress.ts'
import { age, progressLine, short } from '../../../indexer/operate/progress-line.ts'

const NOW = Date.parse('2026-01-01T00:00:00Z')
const source = { waitSeconds: 0, queueBytes: 0, reconnects: 0 }

function header(num: number, head: number) {
  return { num, head, lib: num - 3, id: '', prevId: '', time: NOW - 2000, producer: 'bp' }
}

function result(rows: number, copy: number, state = 0) {
  return { rows: new Map([['ledger.swaps', rows]]), seconds: { copy, state, candles: 0, commit: 0 } }
}

t.test('rates, the limiting stage and the remaining time', async (t) => {
  const progress = new ChainProgress('wax', source)
  const before = progress.snapshot()
  progress.committed(header(1000, 9000), 1000, result(4000, 0.5, 1.5))
  progress.decoded(0.25)
  const rates = ratesBetween(before, progress.snapshot(), 2)
  t.same(rates, { blocksPerSecond: 500, rowsPerSecond: 2000, limit: 'state', etaSeconds: 16 })
})

t.test('waiting for the node is a stage too', async (t) => {
  const slow = { ...source }
  const progress = new ChainProgress('wax', slow)
  const before = progress.snapshot()
  slow.waitSeconds = 3
  progress.decoded(1)
  t.equal(ratesBetween(before, progress.snapshot(), 4).limit, 'wait')
})

t.test('without progress nothing is divided by zero', async (t) => {
  const at = new ChainProgress('wax', source).snapshot()
  t.same(ratesBetween(at, at, 1), { blocksPerSecond: 0, rowsPerSecond: 0, limit: undefined, etaSeconds: 0 })
})

t.test('a line with a bar while it lags, without one at the head', async (t) => {
  const progress = new ChainProgress('wax', source)
  const before = progress.snapshot()
  t.equal(progressLine(before, ratesBetween(before, before, 1), 0, NOW), 'wax  waiting for the first block')
  progress.committed(header(600, 1100), 500, result(12_340, 1))
  const rates = ratesBetween(before, progress.snapshot(), 1)
  t.equal(
    progressLine(progress.snapshot(), rates, progress.firstBlock, NOW),
    'wax  █████████░░░░░░░░░░░ 49.9 %  600 of 1100  500 blocks/s  12.3k rows/s  limit copy  ETA 1 s',
  )
  progress.committed(header(1100, 1100), 500, result(0, 0))
  t.match(
    progressLine(progress.snapshot(), rates, progress.firstBlock, NOW),
    /^wax {2}live at 1100 {2}2 s old {2}final 1097 {2}500 /,
  )
  progress.forks++
  t.match(progressLine(progress.snapshot(), rates, progress.firstBlock, NOW), /final 1097 {2}1 fork {2}500 /)
})

t.test('figures are short', async (t) => {
  t.same([0, 7, 9.876, 999, 1000, 12_345, 999_499, 1_200_000].map(short), [
    '0',
    '7',
    '9.88',
    '999',
    '1.00k',
    '12.3k',
    '999k',
    '1.20M',
  ])
  t.same([0, 1500, 61_000, 3_600_000, 90_061_000].map(age), ['0 s', '2 s', '1 min 1 s', '1 h', '1 d 1 h'])
})
