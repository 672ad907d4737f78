import t from 'tap'
import { itemAt } from '../../../core/required.ts'
import { Linkage } from '../../../indexer/source/linkage.ts'
import type { PackedBlock } from '../../../indexer/source/source.ts'
import { branchOf, childOf, GENESIS, withLib } from '../../support/synthetic-chain.ts'

const trunk = branchOf(GENESIS, 9) // 2 to 10
const before = itemAt(trunk, 7) // 9
const have = branchOf(before, 3) // 10 to 12
const others = withLib(branchOf(before, 4, 'other'), itemAt(trunk, 3))
const verdicts = (linkage: Linkage, blocks: PackedBlock[]) => blocks.map((block) => linkage.accept(block))

t.test('a fork may replace all known blocks if none of them is irreversible', async (t) => {
  for (const lib of [3, 9]) {
    const linkage = new Linkage({ from: 13, have, lib })
    t.same(linkage.positions()[0]?.num, 10)
    t.same(verdicts(linkage, others), ['fork', 'next', 'next', 'next'])
    t.equal(linkage.next, 14)
    t.same(linkage.positions()[0], { num: 10, id: itemAt(others, 0).id })
    t.same(verdicts(linkage, withLib(have, itemAt(trunk, 3))), ['fork', 'next', 'next'], 'and back again')
  }
})

t.test('blocks that are irreversible are not replaced', async (t) => {
  t.same(verdicts(new Linkage({ from: 13, have }), others), ['irreversible', 'unlinked', 'unlinked', 'unlinked'])
  const linkage = new Linkage({ from: 13, have, lib: 11 })
  t.same(verdicts(linkage, others.slice(0, 2)), ['irreversible', 'irreversible'])
  t.equal(linkage.accept({ ...childOf(itemAt(have, 1), 'other'), lib: itemAt(trunk, 3) }), 'fork')
})

t.test(
  'blocks below all known blocks are dropped, and a parent that is known only by its id is not replaced',
  async (t) => {
    const resumed = new Linkage({ from: 13, have, lib: 3 })
    t.same(verdicts(resumed, trunk.slice(5, 8)), ['repeat', 'repeat', 'repeat'])
    const fresh = new Linkage({ from: 10, have: [] })
    t.same(verdicts(fresh, withLib(have, itemAt(trunk, 3))), ['next', 'next', 'next'])
    t.same(verdicts(fresh, branchOf(itemAt(trunk, 6), 1, 'other')), ['repeat'])
    t.same(verdicts(fresh, others), ['fork', 'next', 'next', 'next'])
  },
)
