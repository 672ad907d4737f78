// Recorded mints, burns, collections and values of the contract, compared in every field.
import t from 'tap'
import { burn, collect, emptyPosition, mint, type PositionScene, positionValue } from '../../../core/amm/position.ts'
import { maxLiquidityPerTick } from '../../../core/amm/ticks.ts'
import { vectors } from './vectors.ts'

// biome-ignore lint/suspicious/noExplicitAny: recorded JSON has no types
type Json = any

const NO_TIME = { timestampInSec: 0, tickCumulative: 0n, secondsPerLiquidityCumulativeX64: 0n }

/** Decimal text as bigint. */
function wide(row: Json): Json {
  if (!row) return null
  const member = (value: unknown) => (typeof value === 'string' && /^-?\d+$/.test(value) ? BigInt(value) : value)
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, member(value)]))
}

/** Values as text, limited to the members of the recording. */
function like(expected: Json, got: Json): Json {
  if (!expected || !got) return got ?? null
  const text = (value: unknown) => (typeof value === 'bigint' ? value.toString() : value)
  return Object.fromEntries(Object.keys(expected).map((name) => [name, text(got[name])]))
}

function run(kind: string, scene: PositionScene, input: Json): { result: Json; scene: Json; a: bigint; b: bigint } {
  if (kind === 'value') {
    const { amounts, fees, inside } = positionValue(scene)
    const result = { ok: true, amountA: amounts.a, amountB: amounts.b, feesA: fees.a, feesB: fees.b }
    return { result: { ...result, feeGrowthInsideAX64: inside.a, feeGrowthInsideBX64: inside.b }, scene, a: 0n, b: 0n }
  }
  if (kind === 'collect') {
    const { amounts, position } = collect(scene, { a: input.amountAMax, b: input.amountBMax })
    const { a, b } = amounts
    return { result: { ok: true, amountA: a, amountB: b }, scene: { ...scene, position }, a: -a, b: -b }
  }
  if (kind === 'mint') {
    const done = mint(scene, { a: input.amountADesired, b: input.amountBDesired }, NO_TIME)
    const { a, b } = done.amounts
    return { result: { ok: true, liquidity: done.liquidity, amountA: a, amountB: b }, scene: done.scene, a, b }
  }
  const done = burn(scene, input.liquidity, NO_TIME)
  const { a, b } = done.amounts
  const result = { ok: true, amountA: a, amountB: b, logged: a > 0n || b > 0n }
  return { result, scene: done.scene, a: -a, b: -b }
}

t.test('260 recorded changes of positions: amounts, ticks, pool, position, error texts', async (t) => {
  const { cases } = vectors('amm-position-cases')
  t.equal(cases.length, 260)
  for (const { n, kind, owner, tickLower, tickUpper, input: recorded, before, after, result } of cases) {
    const input = wide(recorded)
    const pool = { ...wide(before.pool), maxLiquidityPerTick: maxLiquidityPerTick(before.pool.tickSpacing) }
    const id = BigInt(after?.position?.id ?? 0)
    const position = wide(before.position) ?? emptyPosition(id, owner, tickLower, tickUpper)
    const scene = { pool, lower: wide(before.lower), upper: wide(before.upper), position }
    if (result.error === 'Insufficient liquidity') {
      t.throws(() => run(kind, scene, input), { message: result.error }, `case ${n}`)
      continue
    }
    const done = run(kind, scene, input)
    if (result.error) {
      t.equal(result.error, 'Price slippage check')
      const paid = { a: done.a < 0n ? -done.a : done.a, b: done.b < 0n ? -done.b : done.b }
      t.ok(paid.a < input.amountAMin || paid.b < input.amountBMin, `case ${n}: below the minimum`)
      continue
    }
    t.strictSame(like(result, done.result), result, `case ${n}`)
    if (!after) continue
    const left = { ...done.scene.pool, reserveA: pool.reserveA + done.a, reserveB: pool.reserveB + done.b }
    t.strictSame(like(after.pool, left), after.pool, `case ${n}: pool`)
    for (const row of ['lower', 'upper', 'position']) {
      t.strictSame(like(after[row], done.scene[row]), after[row], `case ${n}: ${row}`)
    }
  }
})
