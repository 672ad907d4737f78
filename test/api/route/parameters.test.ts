import t from 'tap'
import { parseSlippage } from '../../../api/kit/decimal.ts'
import { impactText, percentText } from '../../../api/kit/texts.ts'
import { isAccount, isPermission, parseAmount } from '../../../api/route/parameters.ts'

t.test('amounts are raw units of whole tokens', async (t) => {
  const cases: [string, number, bigint | null][] = [
    ['1', 4, 10_000n],
    ['1.5', 4, 15_000n],
    ['0.0001', 4, 1n],
    ['007.10', 2, 710n],
    ['5', 0, 5n],
    ['5.0', 0, null],
    ['0.00001', 4, null],
    ['0', 4, null],
    ['4611686018427387903', 0, (1n << 62n) - 1n],
    ['4611686018427387904', 0, null],
    ['4.611686018427387904', 18, null],
    ['1e3', 4, null],
    ['', 4, null],
  ]
  for (const [text, decimals, expected] of cases)
    t.equal(parseAmount(text, decimals), expected, `${text} of ${decimals}`)
  t.equal(parseAmount(undefined, 4), null)
})

t.test('slippage is an exact share', async (t) => {
  t.same(parseSlippage('0.3'), { numerator: 3n, denominator: 1000n })
  t.same(parseSlippage('12'), { numerator: 12n, denominator: 100n })
  t.same(parseSlippage('0'), { numerator: 0n, denominator: 100n })
  t.same(parseSlippage('99.9'), { numerator: 999n, denominator: 1000n })
  for (const text of ['100', '100.0', '-1', 'x', '1e-1', '', '.3', '3.']) t.equal(parseSlippage(text), null, text)
})

t.test('names of accounts and of permissions', async (t) => {
  for (const name of ['a', 'swap.svc', 'alice', '12345', '.a', 'twelvechars1']) t.ok(isAccount(name), name)
  for (const name of ['', '.', 'a.', 'A', 'a6', 'thirteenchars', 'a b', 'a\n', 'ä']) t.notOk(isAccount(name), name)
  for (const name of ['active', 'owner', 'x.y', 'twelvechars1j']) t.ok(isPermission(name), name)
  for (const name of ['', 'x.', 'twelvechars1z', 'fourteenletter', 'Active']) t.notOk(isPermission(name), name)
})

t.test('percentages have no exponent and no zeros at the end', async (t) => {
  t.equal(percentText(3000, 4), '0.3')
  t.equal(percentText(500, 4), '0.05')
  t.equal(percentText(10000, 4), '1')
  t.equal(percentText(0, 4), '0')
  t.equal(percentText(20, 2), '0.2')
  t.equal(percentText(100, 2), '1')
  t.equal(impactText(0.1234567), '0.123457')
  t.equal(impactText(1e-9), '0')
  t.equal(impactText(-1e-12), '0')
  t.equal(impactText(100), '100')
  t.equal(impactText(20), '20')
})
