// A sorted list whose JSON is cached in parts equals a list that is sorted and joined completely.
import t from 'tap'
import { JsonList, type Rank } from '../../../api/lists/json-list.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'

const text = (list: { pieces(): Buffer[] }) => Buffer.concat(list.pieces()).toString()

t.test('an empty list, and one row', async (t) => {
  const list = new JsonList<number>()
  t.equal(text(list), '[]')
  list.remove(1)
  list.put(1, [1], Buffer.from('"é"'))
  t.equal(text(list), '["é"]')
  list.remove(1)
  t.equal(text(list), '[]')
})

t.test('rows that are added, changed, moved and removed', async (t) => {
  const seed = seedFromEnvironment()
  const random = new Random(seed)
  const list = new JsonList<number>()
  const rows = new Map<number, { rank: Rank; json: string }>()
  for (let step = 0; step < 400; step++) {
    for (let i = random.integer(0, 12); i > 0; i--) {
      const id = random.integer(0, 400)
      if (random.chance(0.2)) {
        list.remove(id)
        rows.delete(id)
        continue
      }
      const known = rows.get(id)
      const rank =
        known !== undefined && random.chance(0.5) ? known.rank : [-random.integer(0, 40), BigInt(id), `${id}`]
      const row = { rank, json: JSON.stringify({ id, step, text: 'x'.repeat(random.integer(0, 9)) }) }
      list.put(id, row.rank, Buffer.from(row.json))
      rows.set(id, row)
    }
    const sorted = [...rows.values()].sort(
      ({ rank: [x, i] }, { rank: [y, j] }) => (x as number) - (y as number) || Number((i as bigint) - (j as bigint)),
    )
    t.equal(text(list), `[${sorted.map(({ json }) => json)}]`, `seed ${seed}, step ${step}`)
    t.same(new Set(list.ids()), new Set(rows.keys()))
  }
})
