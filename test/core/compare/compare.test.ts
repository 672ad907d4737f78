// The search for the first differing block, on simulated databases.
import t from 'tap'
import { type Comparison, compare } from '../../../core/compare/compare.ts'
import { divide } from '../../../core/compare/ranges.ts'
import type { Side, Summary } from '../../../core/compare/side.ts'

const LEAF = 4096

/**
 * A database whose table `swaps` has another digest in the ranges with one of the blocks.
 *
 * @param stale  blocks in whose stored ranges `deals` has another digest, and the same rows
 */
function simulated(
  name: string,
  changes: Partial<Summary>,
  differing: readonly number[] = [],
  stale: readonly number[] = [],
): Side & { asked: number } {
  const tables = [
    { name: 'blocks', columns: 'a' },
    { name: 'deals', columns: 'c' },
    { name: 'swaps', columns: 'b' },
  ]
  const summary = {
    chain: 'wax',
    chainId: 'id',
    firstBlock: 2,
    lastBlock: 1e8,
    leaf: LEAF,
    contracts: ['amm a'],
    tables,
  }
  const side = {
    name,
    asked: 0,
    async summary() {
      side.asked++
      return { ...summary, ...changes }
    },
    async digests(range: { from: number; to: number }) {
      side.asked++
      return divide(range, LEAF).map((part) => {
        const hit = differing.filter((block) => block >= part.from && block <= part.to)
        const outdated = stale.filter(
          (block) => part.to - part.from >= LEAF - 1 && block >= part.from && block <= part.to,
        )
        const tables = [{ name: 'swaps', rows: 1, sha256: `${part.from} ${part.to} ${hit}` }]
        if (outdated.length > 0) tables.push({ name: 'deals', rows: 1, sha256: outdated.join() })
        return { ...part, tables }
      })
    },
    async rows(_: string, block: number) {
      side.asked++
      const value = differing.includes(block) ? 'other' : 'same'
      return { columns: ['pool_id', 'amount'], key: ['pool_id'], rows: [['7', value]], more: false }
    },
  }
  return side
}

t.test('every block is found in at most 8 questions to each side, and one for each differing table', async (t) => {
  for (const block of [2, 3, LEAF - 1, LEAF, LEAF + 1, 12_345_678, 99_999_999, 1e8]) {
    const sides = [simulated('one', {}), simulated('other', {}, [block, 1e8])] as const
    const { difference } = await compare(sides)
    t.equal(difference?.block, block)
    t.same(difference?.tables[0]?.differing, [
      { key: { pool_id: '7' }, kind: 'changed', columns: { amount: ['same', 'other'] } },
    ])
    for (const { asked } of sides) t.ok(asked <= 9, `${asked} questions`)
  }
})

t.test('a stored digest that differs while the rows do not is an error, not equality', async (t) => {
  const against = (differing: number[], stale: number[]) =>
    compare([simulated('one', {}), simulated('other', {}, differing, stale)])
  await t.rejects(against([], [50_000]), {
    code: 'COMPARE_STORED',
    message: /^the stored digests of blocks 49152 to 53247 do not match the rows of one side: deals/,
    hint: /meta\.range_digests/,
  })
  // The search continues with the other tables.
  for (const block of [40_000, 50_001, 90_000_000]) {
    const { difference, notes } = await against([block], [50_000])
    t.match(difference, { block, tables: [{ name: 'swaps', rows: [1, 1] }] })
    // A difference in the same range is found first.
    if (block > 53_247) t.match(notes, [/blocks 49152 to 53247/])
  }
})

t.test('parts cover the range, and end where stored ranges end', async (t) => {
  for (let i = 0; i < 2000; i++) {
    const from = 1 + Math.floor(Math.random() * 3 * LEAF)
    const to = from + Math.floor(Math.random() ** 4 * 1e8)
    const parts = divide({ from, to }, LEAF)
    const isWhole = parts.every(
      (part, k) => part.from <= part.to && part.from === (k === 0 ? from : parts[k - 1]!.to + 1),
    )
    const isAligned = to - from < LEAF || parts.slice(0, -1).every((part) => (part.to + 1) % LEAF === 0)
    if (!isWhole || !isAligned || parts.length > 16 || parts.at(-1)!.to !== to || (parts.length === 1 && to > from))
      t.fail(`${from} to ${to}: ${JSON.stringify(parts)}`)
  }
})

t.test('what cannot be compared is said', async (t) => {
  const against = (changes: Partial<Summary>, differing: number[] = []): Promise<Comparison> =>
    compare([simulated('one', {}), simulated('other', changes, differing)])
  t.match(await against({ lastBlock: 5e7 }, [5e7 + 1]), {
    difference: null,
    range: { from: 2, to: 5e7 },
    notes: ['one can be compared to block 100000000, other to 50000000'],
    isPartial: false,
  })
  t.match(await against({ firstBlock: 1000 }, [1000]), {
    difference: null,
    range: { from: 1001 },
    notes: ['one begins at block 2, other at 1000: compared from 1001'],
  })
  t.match(await against({ firstBlock: 2e8, lastBlock: 3e8 }), { range: null, difference: null, isPartial: true })
  t.match(await against({ contracts: ['amm a', 'spot b'] }, [9]), {
    difference: null,
    tables: ['blocks'],
    isPartial: true,
    notes: ['only other watches: spot b', 'because they watch different contracts, only the blocks are compared'],
  })
  t.match(
    await against(
      {
        tables: [
          { name: 'blocks', columns: 'a' },
          { name: 'deals', columns: 'c' },
          { name: 'swaps', columns: 'c' },
        ],
      },
      [9],
    ),
    {
      difference: null,
      tables: ['blocks', 'deals'],
      isPartial: true,
      notes: [/different versions: not compared, because the columns differ: swaps/],
    },
  )
  await t.rejects(against({ chainId: 'another' }), { code: 'COMPARE_CHAINS' })
  await t.rejects(against({ leaf: 1 }), { code: 'COMPARE_VERSIONS' })
  const wrong = { ...simulated('wrong', {}), digests: async () => [] }
  await t.rejects(compare([simulated('one', {}), wrong]), { code: 'COMPARE_ANSWER', message: /^wrong sends/ })
})
