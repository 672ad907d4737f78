import t from 'tap'
import { hasKey, shownPath } from '../../core/shown-path.ts'

const HEX = '4c'.repeat(32)

t.test('a key in the place of a path is not shown, and a folder with a long id is no key', async (t) => {
  for (const key of [HEX, `0x${HEX}`, `PVT_K1_${'a'.repeat(50)}`, `5J${'k'.repeat(49)}`]) {
    t.equal(shownPath(key), '***')
    t.ok(hasKey(`/run/${key}`), key)
  }
  const folder = `/var/lib/docker/volumes/${HEX}/_data/relay.key`
  t.equal(shownPath(folder), folder)
  t.notOk(hasKey(folder))
})
