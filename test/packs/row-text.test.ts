// Texts of rows are equal for equal values only: also JSON, whose numbers may exceed JavaScript's.
import t from 'tap'
import { textOf } from './tamper.ts'

function json(text: string): string {
  return textOf(Buffer.from(`\u0001${text}`), 'jsonb')
}

/** In binary COPY format, with another number of digits than it has, if given. */
function numeric(digits: readonly number[], { weight = 0, sign = 0, scale = 0, count = digits.length } = {}): string {
  const bytes = Buffer.alloc(8 + 2 * digits.length)
  for (const [i, value] of [count, weight, sign, scale, ...digits].entries()) bytes.writeUInt16BE(value, 2 * i)
  return textOf(bytes, 'numeric')
}

t.test('numbers have the same text when they are equal, and only then', async (t) => {
  t.equal(numeric([1, 0], { weight: 1 }), numeric([1], { weight: 1 }))
  t.equal(numeric([0, 1], { weight: 1 }), numeric([1]))
  t.equal(numeric([]), numeric([0, 0], { weight: 3, scale: 2 }))
  t.equal(numeric([1, 5000], { scale: 1 }), numeric([1, 5000], { scale: 4 }))
  const [nan, infinite, negative] = [0xc000, 0xd000, 0xf000].map((sign) => numeric([], { sign }))
  const others = [numeric([]), numeric([1]), numeric([1], { weight: 1 }), numeric([1], { sign: 0x4000 })]
  // PostgreSQL drops the digits that are not displayed: 1.5 and 1, 12.3450 and 12.345.
  t.not(numeric([1, 5000], { scale: 0 }), numeric([1, 5000], { scale: 1 }))
  t.not(numeric([1, 5000], { scale: 0 }), numeric([1]))
  t.equal(numeric([12, 3450], { scale: 3 }), numeric([12, 3450], { scale: 4 }))
  t.not(numeric([12, 3450], { scale: 2 }), numeric([12, 3450], { scale: 3 }))
  // PostgreSQL refuses digits that are missing, or too many.
  const refused = [numeric([1], { count: 2 }), numeric([1], { count: 0 }), numeric([1, 2], { count: 1 })]
  const all = [nan, infinite, negative, ...others, ...refused]
  t.equal(new Set(all).size, all.length)
})

t.test('JSON that differs has another text', async (t) => {
  t.not(textOf(Buffer.from('\u0002{}'), 'jsonb'), json('{}'), 'a version that PostgreSQL refuses')
  const pairs: [string, string][] = [
    ['{"a": 9007199254740992}', '{"a": 9007199254740993}'],
    ['0.1', '0.1000000000000000055511151231257827'],
    ['[1]', '["1"]'],
    ['["n1/0"]', '[1]'],
    ['["s"]', '[""]'],
    ['{"1": 1}', '{"1": -1}'],
    ['1.50', '1.5'],
    ['"1e5"', '"100000"'],
    ['"a\\"1"', '"a\\"2"'],
  ]
  for (const [a, b] of pairs) t.not(json(a), json(b), `${a} and ${b}`)
})

t.test('JSON as JavaScript and as PostgreSQL writes it has the same text', async (t) => {
  const pairs: [string, string][] = [
    ['{"b":1,"a":[true,null,"1.0"]}', '{"a": [true, null, "1.0"], "b": 1}'],
    ['1.5e-7', '0.00000015'],
    ['1e+21', '1000000000000000000000'],
    ['1.25e+1', '12.5'],
    ['-0', '0'],
    ['"\\u00e4 5"', '"ä 5"'],
  ]
  for (const [a, b] of pairs) t.equal(json(a), json(b), `${a} and ${b}`)
})
