// Binary numerics of PostgreSQL become integers of 128 bits, exactly, or are refused.
import t from 'tap'
import { limbs, readNumeric } from '../../../indexer/export/parquet/decimal.ts'
import { testDatabase } from '../../support/database.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'

t.test('numerics of any size and scale', async (t) => {
  const { pool } = await testDatabase(t)
  const seed = seedFromEnvironment()
  t.comment(`seed ${seed}`)
  const random = new Random(seed)
  const texts = [
    '0',
    '0.00',
    '1',
    '-1',
    '10000',
    '0.0001',
    '-99999999.99999999',
    `${2n ** 128n - 1n}`,
    `${2n ** 128n}`,
    'NaN',
    'Infinity',
    '1e30',
  ]
  for (let i = 0; i < 4000; i++) {
    const digits = String(random.bigint(10n ** BigInt(random.integer(1, 42))))
    const point = random.integer(0, digits.length)
    texts.push(
      `${random.chance(0.3) ? '-' : ''}${digits.slice(0, point) || '0'}.${digits.slice(point)}${'0'.repeat(random.integer(0, 6))}`,
    )
  }
  const { rows } = await pool.query<{ text: string; sent: Buffer }>(
    'select t as text, numeric_send(t::numeric) as sent from unnest($1::text[]) t',
    [texts],
  )
  let exact = 0
  for (const { text, sent } of rows)
    for (const scale of [0, 2, 8, 18]) {
      const sign = readNumeric(sent, 0, scale)
      let value = 0n
      for (let i = 3; i >= 0; i--) value = (value << 32n) | BigInt(limbs[i] as number)
      const expected = unscaled(text, scale)
      const found = sign === 0 ? null : BigInt(sign) * value
      if (found !== expected) t.fail(`${text} with ${scale} digits: ${found}, not ${expected}`)
      if (found !== null) exact++
    }
  t.ok(exact > 3000, `${exact} of ${rows.length * 4} fit`)
})

/** Null for a value that is not finite, has more decimals, or needs more than 128 bits. */
function unscaled(text: string, scale: number): bigint | null {
  if (!/^-?\d+(\.\d*)?$/.test(text))
    return text === '1e30' ? (10n ** BigInt(30 + scale) < 2n ** 128n ? 10n ** BigInt(30 + scale) : null) : null
  const [whole = '', part = ''] = text.replace('-', '').split('.')
  if (/[^0]/.test(part.slice(scale))) return null
  const value = BigInt(whole + part.slice(0, scale).padEnd(scale, '0'))
  if (value >= 2n ** 128n) return null
  return text.startsWith('-') ? -value : value
}
