// The file of the feed's assets: the shipped file is valid, and errors name their place.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readFeedAssets } from '../../config/feed-assets.ts'
import { loadConfig } from '../../config/load.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

t.test('the shipped file is valid, and is the default', async (t) => {
  const problems: string[] = []
  const assets = readFeedAssets(undefined, problems)
  t.same(problems, [])
  t.ok(assets.length > 5)
  t.same(loadConfig({ env: {} }).config.feedAssets, assets)
})

t.test('errors are reported with file, place and expectation', async (t) => {
  const file = join(temporaryFolder(t), 'assets.json')
  const problemsOf = (assets: unknown) => {
    writeFileSync(file, typeof assets === 'string' ? assets : JSON.stringify({ assets }))
    const problems: string[] = []
    t.same(readFeedAssets(file, problems), [])
    return problems.join('\n')
  }
  const good = { symbol: 'WAX', id: 2300, tokens: ['wax:wax-eosio.token'] }
  t.match(problemsOf('{'), /assets\.json cannot be read.*HEADWATER_FEED_ASSETS/)
  t.match(problemsOf([{ ...good, id: 0 }]), /assets\.json: assets\.0\.id: 0 is not a whole number from 1/)
  t.match(problemsOf([{ ...good, tokens: ['WAX'] }]), /assets\.0\.tokens\.0: "WAX" is not chain:symbol-contract/)
  t.match(problemsOf([{ ...good, kind: 'dollar' }]), /assets\.0\.kind: "dollar" is not one of stable, coin/)
  t.match(problemsOf([{ ...good, ids: 1 }]), /assets\.0\.ids: .*no such setting; did you mean id\?/)
  const twice = problemsOf([good, good])
  for (const what of ['symbol WAX', 'id 2300', 'token wax:wax-eosio.token'])
    t.match(twice, `the ${what} is there more than once`)
  const env = { HEADWATER_FEED_ASSETS: file }
  t.throws(() => loadConfig({ env }), { code: 'INVALID_CONFIG' })
})
