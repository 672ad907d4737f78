// Every command that takes --chain takes the file of a chain as `run` does, and works on the chain that the file names.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { testDatabase } from '../support/database.ts'
import { run } from './program.ts'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const recording = path('../fixtures/recordings/small.ship.gz')

t.test('--chain with a file selects the chain that the file names', async (t) => {
  const { url } = await testDatabase(t)
  const env = { DATABASE_URL: url, HEADWATER_LOG_LEVEL: 'warn' }
  const folder = t.testdir()
  const file = join(folder, 'mine.json')
  const profile = JSON.parse(readFileSync(path('../../config/dev.json'), 'utf8'))
  writeFileSync(file, JSON.stringify({ ...profile, chain: 'own' }))
  const other = join(folder, 'other.json')
  writeFileSync(other, JSON.stringify({ ...profile, chain: 'other' }))

  const replayed = await run(['replay', recording, '--chain', file], env)
  t.match(replayed, { code: 0, stdout: /^own: indexed up to block 103 / })
  const out = (name: string) => join(folder, name)
  const [status, nothing, verified, rewound, exported, lake, finality, packed] = await Promise.all([
    run(['status', '--chain', file], env),
    run(['status', '--chain', other], env),
    run(['verify', '--chain', file], env),
    run(['rewind', '--chain', file, '--to', '103'], env),
    run(['export', 'head.blocks', '--chain', file, '--out', out('blocks.csv')], env),
    run(['lake', '--chain', file, '--view', 'swaps', '--out', out('lake')], env),
    run(['finality', '--chain', file, '--export', out('start.json')], env),
    run(['pack', '--chain', file, '--out', out('pack'), '--rows-only'], env),
  ])
  t.match(status, { code: 0, stdout: /^own: block 103 of 110, / })
  t.match(nothing, { code: 0, stdout: /^other: nothing is indexed yet; start / }, 'a file configures its chain')
  t.match(verified, { code: 0, stdout: /^own: block 103 / })
  t.match(rewound, { code: 0, stdout: 'own: nothing to do, it is at block 103\n' })
  t.match(exported, { code: 0, stdout: /: 10\d rows\n$/ })
  t.match(lake, { code: 0, stdout: /^own: complete up to block /m })
  t.match(finality, { code: 0, stdout: /: own at block 103\n$/ })
  t.match(packed, { code: 0, stdout: / own up to block / })
  t.ok(packed.stdout.includes(`--chain own --profile ${file} `), 'who fetches needs the file too')
})

t.test('a file of a chain that is not there, or names none, is said before anything is done', async (t) => {
  const env = { DATABASE_URL: 'postgresql://me@127.0.0.1:1/none' }
  const folder = t.testdir({ 'empty.json': '{}' })
  for (const [name, args] of [
    ['status', []],
    ['verify', []],
    ['rewind', ['--to', '1']],
    ['lake', ['--out', join(folder, 'lake')]],
    ['compare', ['http://127.0.0.1:1']],
  ] as const) {
    const missing = await run([name, ...args, '--chain', join(folder, 'none.json')], env)
    t.match(missing, { code: 1, stderr: /^INVALID_CONFIG: .*\n {2}chains: ".*none\.json" has no file / }, name)
    const empty = await run([name, ...args, '--chain', join(folder, 'empty.json')], env)
    t.match(empty, { code: 1, stderr: /^INVALID_CONFIG: .*\n {2}.*empty\.json: chain is missing/ }, name)
  }
})
