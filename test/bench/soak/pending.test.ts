// Which entries a long run calls unexplained.
import t from 'tap'
import { leftLegs, unexplained } from '../../../bench/soak/pending.ts'

t.test('an entry that waits without a transaction, a refusal or a reason is unexplained', async (t) => {
  const left = await leftLegs([
    '{"level":30,"leg":"w:1","actions":["release"],"decision":"denied","msg":"relayer: left"}',
    '{"level":30,"leg":"w:2","actions":["release"],"decision":"send","msg":"relayer: chosen"}',
  ])
  t.same([...left], ['w:1'])
  const before = new Set(['w:1', 'w:2', 'w:3'])
  t.same(unexplained(before, new Set(['w:1', 'w:2', 'w:4']), new Set([...left, 'w:9'])), ['w:2'])
  t.same(unexplained(before, new Set(['w:2']), new Set(['w:2'])), [])
})
