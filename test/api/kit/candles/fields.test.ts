// Candle numbers written as bytes: JSON parses them as the doubles nearest to the exact values.
import fc from 'fast-check'
import t from 'tap'
import { AsciiWriter } from '../../../../api/kit/candles/ascii-writer.ts'
import { fieldText, nextField, wholeAt, writeNumber } from '../../../../api/kit/candles/fields.ts'

function written(field: string, decimals: number): string {
  const out = new AsciiWriter()
  out.text('x')
  writeNumber(Buffer.from(`12 ${field} 34`), 3, decimals, out)
  return out.toBuffer().toString().slice(1)
}

t.test('amounts of any size and precision', (t) => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 40n }),
      fc.integer({ min: 0, max: 40 }),
      fc.integer({ min: 0, max: 20 }),
      fc.integer({ min: 0, max: 18 }),
      (amount, cut, places, decimals) => {
        const digits = (amount / 10n ** BigInt(cut)).toString().padStart(places + 1, '0')
        const field = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
        return JSON.parse(written(field, decimals)) === Number(`${field}e-${decimals}`)
      },
    ),
    { numRuns: 5000 },
  )
  t.end()
})

t.test('as short as they can be', async (t) => {
  t.equal(written('0', 0), '0')
  t.equal(written('0.000000', 4), '0')
  t.equal(written('1200', 2), '12')
  t.equal(written('1234.500000', 0), '1234.5')
  t.equal(written('5', 8), '0.00000005')
  t.equal(written('123456789012345', 18), '0.000123456789012345')
  t.equal(written('1234567890123456789', 0), '1234567890123456800')
})

t.test('fields are found by the spaces between them', async (t) => {
  const source = Buffer.from('1763750400 22 3 ')
  t.equal(wholeAt(source, 0), 1763750400)
  t.equal(nextField(source, 0), 11)
  t.equal(fieldText(source, 11), '22')
  t.equal(nextField(source, 11), 14)
  t.equal(fieldText(source, 14), '3')
})

t.test('the writer grows, and repeats an earlier part of its text', async (t) => {
  const out = new AsciiWriter()
  let expected = ''
  for (let i = 0; i < 30_000; i++) {
    out.reserve(40)
    const from = out.length
    out.whole(i * 37_000_000_001)
    out.text(',')
    out.again(from, out.length)
    expected += `${i * 37_000_000_001},`.repeat(2)
  }
  t.equal(out.toBuffer().toString(), expected)
})
