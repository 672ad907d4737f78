// Builds that are kept beside a new one.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { removeOldBuilds } from '../../bin/old-builds.js'

t.test('the newest builds stay, for processes that run from them', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-builds-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const ages = { newest: 0, oldest: 400, second: 100, fourth: 300, third: 200 }
  for (const [name, age] of Object.entries(ages)) {
    mkdirSync(join(folder, name))
    const made = Date.now() / 1000 - age
    utimesSync(join(folder, name), made, made)
  }
  removeOldBuilds(folder)
  t.same(readdirSync(folder).sort(), ['newest', 'second', 'third'])
})
