// Builds that are kept beside a new one.
import { mkdirSync, readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { removeOldBuilds } from '../../bin/old-builds.js'
import { temporaryFolder } from '../support/temporary-folder.ts'

t.test('the newest builds stay, for processes that run from them', async (t) => {
  const folder = temporaryFolder(t)
  const ages = { newest: 0, oldest: 400, second: 100, fourth: 300, third: 200 }
  for (const [name, age] of Object.entries(ages)) {
    mkdirSync(join(folder, name))
    const made = Date.now() / 1000 - age
    utimesSync(join(folder, name), made, made)
  }
  removeOldBuilds(folder)
  t.same(readdirSync(folder).sort(), ['newest', 'second', 'third'])
})
