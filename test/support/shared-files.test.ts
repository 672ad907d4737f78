// Several test files in one process: what each of them reports, and which of them fail.
import { join, relative } from 'node:path'
import t from 'tap'
import { compileModules } from '../../bin/compile.js'
import { CompiledPackages } from './compiled-packages.ts'
import { Report } from './report.ts'
import { SharedProcess } from './shared-files.ts'

const ROOT = join(import.meta.dirname, '../..')
const HEAD = "import t from 'tap'\n"
const FILES: Record<string, string> = {
  'good.ts': `${HEAD}t.test('a', async (t) => { t.equal(1, 1); t.test('b', async (t) => t.ok(true)) })\nt.ok(1)`,
  'bad.ts': `${HEAD}t.test('a', async (t) => { t.ok(true); t.equal(1, 2) })`,
  'broken.ts': "throw new Error('not loaded')",
  'later.ts': `${HEAD}t.test('a', async (t) => { t.ok(1); setTimeout(() => { throw new Error('too late') }, 20) })`,
  'settings.ts': `${HEAD}t.test('a', async (t) => t.ok((process.env.HEADWATER_LEFT = 'x')))`,
  'alive.ts': `${HEAD}t.test('a', async (t) => { t.ok(1); setInterval(() => {}, 1000) })`,
  'endless.ts': `${HEAD}t.test('a', () => new Promise(() => {}))`,
  'exit.ts': `${HEAD}t.test('a', async (t) => { t.ok(1); process.exit(0) })`,
  'state.ts': `export const state = { uses: 0 }`,
  'first.ts': `${HEAD}import { state } from './state.ts'\nt.equal(++state.uses, 1)`,
  'second.ts': `${HEAD}import { state } from './state.ts'\nt.equal(++state.uses, 1)`,
  'torn-down.ts': `${HEAD}t.teardown(() => console.log('torn down'))\nt.test('a', async (t) => t.ok(1))`,
}

t.test('each file counts for itself, and a failure does not reach the next file', async (t) => {
  const root = relative(ROOT, t.testdir(FILES))
  const sources = Object.keys(FILES).map((name) => join(root, name))
  const shared = 'test/support/shared-process.ts'
  const packages = new CompiledPackages(ROOT, join(root, 'packages'), { inside: ['tap'], outside: [] })
  await compileModules(ROOT, [...sources, shared], join(root, 'out'), { plugins: [packages.plugin] })
  await packages.compile()
  const moduleOf = (source: string) => join(ROOT, root, 'out', source.replace(/\.ts$/, '.mjs'))
  const files = new SharedProcess({
    folder: join(ROOT, root, 'out'),
    nodeArguments: [moduleOf(shared)],
    environment: process.env,
    patience: { test: 1, file: 60 },
    running: new Set(),
  })
  t.teardown(() => files.close())
  const printed: string[] = []
  const results: Record<string, object> = {}
  const order = [
    'good',
    'first',
    'second',
    'bad',
    'good',
    'broken',
    'later',
    'settings',
    'alive',
    'endless',
    'exit',
    'torn-down',
    'good',
  ]
  for (const name of order) {
    const report = new Report((line) => printed.push(line))
    const source = join(root, `${name}.ts`)
    const ended = await files.run(source, moduleOf(source))
    report.file({ ...ended, name })
    results[name] = { ...report.totals, trouble: ended.trouble }
    if (name === 'torn-down') t.ok(ended.lines.includes('torn down'))
  }
  t.match(results, {
    good: { passed: 3, failed: 0, trouble: null },
    first: { passed: 1, failed: 0, trouble: null },
    second: { passed: 1, failed: 0, trouble: null },
    bad: { passed: 1, failed: 1, trouble: null },
    broken: { passed: 0, failed: 1 },
    later: { passed: 1, failed: 1 },
    settings: { passed: 1, failed: 1, trouble: /^it changes process\.env for the files after it/ },
    alive: { passed: 1, failed: 1, trouble: 'it keeps the process alive with Timeout' },
    endless: { failed: 1 },
    exit: { passed: 1, failed: 2, trouble: 'exit 1' },
    'torn-down': { passed: 1, failed: 0, trouble: null },
  })
  t.equal(printed.filter((line) => /^ok +\S+ s +\S+ s good$/.test(line)).length, 3)
  t.match(printed.join('\n'), /not loaded[\s\S]*too late/)
})
