// Two connections read the parts of a range. Both parts are of one block: if a block comes in between, the whole range is
// read again. A failure of either connection fails the answer.
import t from 'tap'
import { type CandleSource, readCandles } from '../../../../api/kit/candles/read.ts'
import type { SpanRow } from '../../../../api/kit/candles/stored.ts'
import { spotCandlesJson } from '../../../../api/kit/candles/text.ts'
import type { Queryable, Statement } from '../../../../api/kit/snapshot.ts'

const RANGE = { resolution: '1' as const, limit: 2000 }
const SOURCE: CandleSource<SpanRow> = {
  statement: (part) => ({ name: 'candles', text: '', values: [...part] }),
  begin: (row) => row,
  json: (_row, source, bars) => spotCandlesJson(source, bars, 0),
}

/** Ten minutes; the listed ones have trades, at a price equal to their number. */
function database(traded: readonly number[], block: (from: number, to: number) => string | Error) {
  const asked: unknown[][] = []
  const query = async ({ values }: Statement) => {
    asked.push(values)
    const [from, to] = values as [number, number]
    await new Promise((resolve) => setTimeout(resolve, from === 0 ? 1 : 5))
    const id = block(from, to)
    if (id instanceof Error) throw id
    const bars = traded.filter((minute) => minute >= from * 10 && minute < to * 10)
    const text = bars.map(
      (minute) => `${minute * 60} ${minute}00000000 ${minute}00000000 ${minute}00000000 ${minute}00000000 7`,
    )
    const row = { first: 0, last: 9 * 60, carry: null, bars: bars.length === 0 ? null : text.join(' ') }
    return { rows: [{ ...row, atBlock: 5, atId: id, atTime: 0 }] as never[] }
  }
  return { database: { query } as Queryable, asked }
}

const prices = (answer: { json: Buffer } | null) =>
  JSON.parse(String(answer?.json)).map(({ time, close, volume }: { time: number; close: number; volume: number }) => [
    time / 60_000,
    close,
    volume,
  ])

t.test('parts join without a gap, wherever the trades are', async (t) => {
  const cases: [number[], unknown[]][] = [
    [[], []],
    [
      [2],
      [
        [2, 2, 7],
        [3, 2, 0],
        [4, 2, 0],
        [5, 2, 0],
        [6, 2, 0],
        [7, 2, 0],
        [8, 2, 0],
        [9, 2, 0],
      ],
    ],
    [
      [7],
      [
        [7, 7, 7],
        [8, 7, 0],
        [9, 7, 0],
      ],
    ],
    [
      [2, 3, 8],
      [
        [2, 2, 7],
        [3, 3, 7],
        [4, 3, 0],
        [5, 3, 0],
        [6, 3, 0],
        [7, 3, 0],
        [8, 8, 7],
        [9, 8, 0],
      ],
    ],
  ]
  for (const [traded, expected] of cases) {
    const { database: source, asked } = database(traded, () => 'a')
    t.same(prices(await readCandles(source, RANGE, SOURCE)), expected, `${traded}`)
    t.equal(asked.length, 2)
  }
})

t.test('a short range is read at once', async (t) => {
  const { database: source, asked } = database([7], () => 'a')
  await readCandles(source, { ...RANGE, limit: 300 }, SOURCE)
  t.same(asked, [[0, 1]])
})

t.test('a block between the parts', async (t) => {
  const { database: source, asked } = database([2, 7], (from, to) => (to - from === 1 ? 'c' : from === 0 ? 'a' : 'b'))
  t.same(prices(await readCandles(source, RANGE, SOURCE)), [
    [2, 2, 7],
    [3, 2, 0],
    [4, 2, 0],
    [5, 2, 0],
    [6, 2, 0],
    [7, 7, 7],
    [8, 7, 0],
    [9, 7, 0],
  ])
  t.same(asked.at(-1), [0, 1])
})

t.test('either part may fail', async (t) => {
  const failing = (which: number) =>
    database([2], (from) => (Math.sign(from) === which ? new Error('gone') : 'a')).database
  await t.rejects(readCandles(failing(0), RANGE, SOURCE), { message: 'gone' })
  await t.rejects(readCandles(failing(1), RANGE, SOURCE), { message: 'gone' })
})
