// Comparisons of tap with the quick check that the compilation of the tests adds.
import t from 'tap'
import { withoutRuntimeCheck, withQuickSame } from './quick-tap.ts'

t.test('equal, loosely equal and different values compare as in tap', (t) => {
  const value = () => ({
    list: [1n, 'a', new Date(5)],
    map: new Map([['k', new Set([1])]]),
    bytes: Uint8Array.of(1, 2),
  })
  t.same(value(), value())
  t.strictSame(value(), value())
  t.same([1, { a: '2' }], ['1', { a: 2 }], 'loosely')
  t.strictNotSame([1, { a: '2' }], ['1', { a: 2 }])
  t.notSame(value(), { ...value(), bytes: Uint8Array.of(1, 3) })
  t.notSame([1, 2], [2, 1])
  t.same(Number.NaN, Number.NaN)
  t.end()
})

t.test('a version of tap that compares in another way is reported', (t) => {
  const source = 'export const same = fn(Same);\nexport const strict = fn(Strict);\n'
  t.match(withQuickSame(source), /isDeepStrictEqual\(found, wanted\) \? /)
  t.throws(() => withQuickSame(source.replace('fn(Strict)', 'Strict')), /defines strict in another way/)
  t.end()
})

t.test('a version of pg that chooses its sockets in another way is reported', (t) => {
  t.equal(withoutRuntimeCheck('if (isCloudflareRuntime()) a()'), 'if (false) a()')
  t.throws(() => withoutRuntimeCheck('if (isWorker()) a()'), /adapt quick-tap\.ts/)
  t.end()
})
