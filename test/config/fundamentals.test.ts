// Files with descriptions of tokens are read with the configuration, and errors name their place.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readFundamentals } from '../../config/fundamentals.ts'
import { loadConfig } from '../../config/load.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const file = join(temporaryFolder(t), 'wax.json')
const write = (content: unknown) => writeFileSync(file, JSON.stringify(content))

t.test('entries of the file by token', async (t) => {
  const facts = {
    name: 'Alien Worlds',
    website: { link: 'https://tlm.test', name: 'TLM' },
    tags: ['games'],
    socials: [],
  }
  write({ 'TLM@alien.worlds': facts })
  const { fundamentals } = loadConfig({ env: { HEADWATER_WAX_FUNDAMENTALS: file } }).config
  t.same([...(fundamentals.wax ?? [])], [['TLM@alien.worlds', facts]])
  t.same(loadConfig({ env: {} }).config.fundamentals, {})
})

t.test('errors are reported with file, place and expectation', async (t) => {
  const problemsOf = (content: unknown) => {
    write(content)
    const problems: string[] = []
    t.equal(readFundamentals('wax', file, problems).size, 0)
    return problems.join('\n')
  }
  t.match(problemsOf({ TLM: { name: 'x' } }), /TLM: is not SYMBOL@contract/)
  t.match(problemsOf({ 'TLM@alien.worlds': {} }), /TLM@alien\.worlds/)
  t.match(problemsOf({ 'TLM@alien.worlds': { name: 'x', tags: 'games' } }), /tags/)
  for (const none of [null, [], 'TLM', 7]) t.match(problemsOf(none), /wax\.json: /, JSON.stringify(none))
  const problems: string[] = []
  readFundamentals('wax', '/no/such/file.json', problems)
  t.match(problems[0], /wax\.fundamentals: .*cannot be read/)
})
