// Texts of rows are equal for equal values only: also JSON, whose numbers may exceed JavaScript's.
import t from 'tap'
import { rowText } from '../../packs/verify/row-text.ts'

function json(text: string): string {
  const bytes = Buffer.from(`\u0001${text}`)
  return rowText(bytes, { at: Int32Array.of(0), length: Int32Array.of(bytes.length), start: 0, end: bytes.length }, [
    { index: 0, type: 'jsonb' },
  ])
}

t.test('JSON that differs has another text', async (t) => {
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
