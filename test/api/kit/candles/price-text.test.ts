// Candle prices as text, compared with decimal arithmetic of 100 digits.
import { Decimal } from 'decimal.js'
import fc from 'fast-check'
import t from 'tap'
import { AsciiWriter } from '../../../../api/kit/candles/ascii-writer.ts'
import { priceWriter } from '../../../../api/kit/candles/price-text.ts'

const Wide = Decimal.clone({ precision: 150, toExpNeg: -1000, toExpPos: 1000 })

/** Formats successive prices as a candle list does. */
function priceFormatter(decimalsA: number, decimalsB: number, reverse: boolean): (root: string) => string {
  const out = new AsciiWriter()
  const write = priceWriter(decimalsA, decimalsB, reverse, out)
  return (root) => {
    out.reserve(1024)
    const from = out.length
    write(Buffer.from(`7 ${root} 123`), 2)
    return out.toBuffer().toString('latin1', from)
  }
}

/** Price of A in B, or of B in A, by long division. */
function expected(root: bigint, decimalsA: number, decimalsB: number, reverse: boolean): string {
  const price = new Wide(root.toString())
    .pow(2)
    .mul(new Wide(10).pow(decimalsA))
    .div(new Wide(2).pow(128).mul(new Wide(10).pow(decimalsB)))
  const wanted = reverse ? new Wide(1).div(price) : price
  return wanted.toSignificantDigits(16, Decimal.ROUND_HALF_UP).toString()
}

t.test('CND-05 prices in both directions are exact to 16 significant digits, without exponent', (t) => {
  const decimals = fc.integer({ min: 0, max: 18 })
  fc.assert(
    fc.property(
      fc.integer({ min: 32, max: 124 }),
      fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }),
      decimals,
      decimals,
      fc.boolean(),
      (bits, seed, decimalsA, decimalsB, reverse) => {
        const root = (seed >> BigInt(128 - bits)) | (1n << BigInt(bits - 1))
        const format = priceFormatter(decimalsA, decimalsB, reverse)
        // Repeated magnitudes use the formatter's cached scale; the first price is repeated at the end.
        return [root, root + 1n, root + (root >> 20n), root - (root >> 30n), root << 3n, root].every(
          (one) => format(one.toString()) === expected(one, decimalsA, decimalsB, reverse),
        )
      },
    ),
    { numRuns: 2000 },
  )
  t.end()
})

t.test('a price that lies between two texts of 16 digits, as far as doubles can tell, is decided exactly', (t) => {
  // Square-root prices r for which r² is within a few units of half of the last digit.
  const format = priceFormatter(0, 0, false)
  format((1n << 64n).toString())
  for (let digits = 1_000_000_000_000_000n; digits < 1_000_000_000_000_400n; digits++) {
    // The price (digits + 1/2) / 10^15.
    const square = ((2n * digits + 1n) << 128n) / (2n * 10n ** 15n)
    const near = BigInt(new Wide(square.toString()).sqrt().floor().toFixed())
    for (const root of [near, near + 1n])
      if (format(root.toString()) !== expected(root, 0, 0, false)) t.fail(`root ${root}`)
  }
  t.pass('all are right')
  t.end()
})

t.test('round prices have no zeros at the end', (t) => {
  const one = (1n << 64n).toString()
  t.equal(priceFormatter(8, 8, false)(one), '1')
  t.equal(priceFormatter(8, 4, false)(one), '10000')
  t.equal(priceFormatter(4, 8, false)(one), '0.0001')
  t.equal(priceFormatter(0, 18, true)(one), '1000000000000000000')
  t.equal(priceFormatter(18, 0, true)(one), '0.000000000000000001')
  t.end()
})

t.test('a price just below a power of ten rounds up to it', (t) => {
  // A root just below 2^64: the price is less than 1 by under half a unit of the sixteenth digit.
  const root = (1n << 64n) - 1n
  t.equal(priceFormatter(0, 0, false)(root.toString()), '1')
  t.equal(priceFormatter(0, 0, true)(root.toString()), '1')
  t.end()
})
