// Amounts as people type them and as pages show them.
import fc from 'fast-check'
import t from 'tap'
import {
  amountField,
  formatFull,
  formatQuantity,
  formatUnits,
  parseDecimal,
  parseQuantity,
  parseUnits,
  readTyped,
  readWhole,
  sourcePrecision,
  take,
  typedAmount,
  unambiguous,
} from '../../../web/shared/amounts.ts'

t.test('amounts are parsed exactly, other texts are refused', async (t) => {
  t.equal(parseUnits('1.5', 6), 1_500_000n)
  t.equal(parseUnits(' .5 ', 1), 5n)
  t.equal(parseUnits('7.', 2), 700n)
  t.equal(parseUnits('1.50', 1), 15n, 'zeros at the end are no decimals')
  t.equal(parseUnits('0.000000000000000001', 18), 1n)
  t.equal(parseUnits('1.55', 1), null)
  for (const text of ['', '.', '-1', '+1', '1e3', '0x10', '1,000', '1 000', 'NaN', '1.2.3', '9'.repeat(61)])
    t.equal(parseDecimal(text), null, text)
})

t.test('an ambiguous amount is refused, any other is read as written', async (t) => {
  const read = (text: string) => {
    const typed = readTyped(text)
    return typed === null ? null : 'amount' in typed ? typed.amount : typed.readings
  }
  const fine: [string, string][] = [
    ['10000', '10000'],
    ['1.2340', '1.2340'],
    ['1.23', '1.23'],
    ['0.125', '0.125'],
    ['1234.567', '1234.567'],
    [' 0.5 ', '0.5'],
    ['1,5', '1.5'],
    ['0,125', '0.125'],
    [',125', '.125'],
    ['1234,567', '1234.567'],
    ['10,000.5', '10000.5'],
    ['10,000.', '10000.'],
    ['1,234,567', '1234567'],
    ['1.234.567', '1234567'],
    ['1.234.567,89', '1234567.89'],
    ['10.000,5', '10000.5'],
    ['10 000', '10000'],
    ['10\u202f000,25', '10000.25'],
    ["1'000'000.5", '1000000.5'],
  ]
  for (const [text, amount] of fine) t.equal(read(text), amount, text)
  const twofold: [string, [string, string]][] = [
    ['10,000', ['10000', '10']],
    ['10.000', ['10000', '10']],
    ['10.250', ['10250', '10.25']],
    [' 1.234 ', ['1234', '1.2340']],
    ['1,234', ['1234', '1.2340']],
    ['999.999', ['999999', '999.9990']],
  ]
  for (const [text, readings] of twofold) {
    t.same(read(text), readings, text)
    for (const one of readings) t.equal(read(one), one, `${one} has one reading`)
  }
  for (const text of ['', ',', '1,23,456', '1,234.567.8', '1,5,5', '10,00.5', '1 5', '1e3', '-1', '1,000,00', '١'])
    t.equal(read(text), null, text)
})

t.test('an amount that the page fills in is unambiguous and has the same value', async (t) => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 9n }), fc.integer({ min: 0, max: 18 }), (units, precision) => {
      const filled = unambiguous(formatUnits(units, precision))
      t.same(readTyped(filled), { amount: filled })
      t.equal(parseUnits(filled, precision), units)
    }),
    { numRuns: 300 },
  )
  t.same(['1.234', '10.000', '1234', '0.125', '1.23'].map(unambiguous), ['1.2340', '10.0000', '1234', '0.125', '1.23'])
})

t.test('an amount is shown with every decimal of its token', async (t) => {
  t.equal(formatFull('10000', 6), '10,000.000000')
  t.equal(formatFull('.5', 2), '0.50')
  t.equal(formatFull('1234567', 0), '1,234,567')
  t.equal(formatFull('10,000', 6), '10,000', 'what is no amount stays as it was typed')
})

t.test('formatted amounts are parsed to the same value', async (t) => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 1n << 90n }), fc.integer({ min: 0, max: 18 }), (units, precision) => {
      t.equal(parseUnits(formatUnits(units, precision), precision), units)
      const back = parseQuantity(formatQuantity(units, precision, 'USDC'))
      t.same(back, { units, precision, symbol: 'USDC' })
    }),
    { numRuns: 300 },
  )
  t.equal(formatUnits(1_500_000n, 6), '1.5')
  t.equal(formatUnits(0n, 6), '0')
  t.equal(formatQuantity(5n, 8, 'ETH'), '0.00000005 ETH')
  t.equal(formatQuantity(5n, 0, 'GEM'), '5 GEM')
})

t.test('the ledger takes whole units of its own', async (t) => {
  const scale = 10n ** 10n
  t.same(take(1_000_000_000_123_456_789n, scale), {
    units: 100_000_000n,
    raw: 1_000_000_000_000_000_000n,
    remainder: 123_456_789n,
  })
  t.same(take(123n, 1n), { units: 123n, raw: 123n, remainder: 0n })
  t.equal(sourcePrecision(8, scale), 18)
  t.equal(sourcePrecision(6, 1n), 6)
  t.equal(sourcePrecision(6, 7n), null)
})

t.test('every field of a page reads by the same rule', async (t) => {
  const TLM = { symbol: 'TLM', decimals: 4 }
  t.equal(typedAmount('  ', TLM), null)
  t.same(typedAmount('10,000.5', TLM), { units: 100_005_000n })
  t.match(typedAmount('10,000', TLM), { code: 'AMBIGUOUS', problem: /^10,000 can mean 10000 or 10: / })
  t.match(typedAmount('1.00001', TLM), { code: 'TOO_PRECISE', problem: /^TLM has at most 4 decimals/ })
  for (const text of ['1e5', '-1', '1.2.3', '.', 'ten']) t.match(typedAmount(text, TLM), { code: 'MALFORMED' }, text)
  const nothing = { amount: null, full: null, problem: null }
  t.same(amountField('', TLM), nothing)
  t.match(amountField('10.000', TLM), { ...nothing, problem: /10000 or 10:/ })
  t.match(amountField('0.0', TLM), { ...nothing, problem: /zero/ })
  const read: [string, string, string][] = [
    ['1', '1', '1.0000 TLM'],
    [' 1 000.50 ', '1000.5', '1,000.5000 TLM'],
    ['0,5', '0.5', '0.5000 TLM'],
    ['.5', '0.5', '0.5000 TLM'],
    ['007', '7', '7.0000 TLM'],
    ['1.234.567', '1234567', '1,234,567.0000 TLM'],
  ]
  for (const [text, amount, full] of read) t.same(amountField(text, TLM), { amount, full, problem: null }, text)
})

t.test('a whole number has no decimals, so its groups have one reading', async (t) => {
  const read: [string, string][] = [
    ['7', '7'],
    [' 10,000 ', '10000'],
    ['300.007.406', '300007406'],
    ['300 007 406', '300007406'],
  ]
  for (const [text, digits] of read) t.equal(readWhole(text), digits, text)
  for (const text of ['', '1,5', '1,000.5', '1,000.000', '1,0000', 'ten', '-1']) t.equal(readWhole(text), null, text)
})
