// c8 finds the sources of compiled modules, and nothing else.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t from 'tap'
import { compileModules } from '../../bin/compile.js'
import { prepareCoverage } from './coverage.ts'

const ROOT = join(import.meta.dirname, '../..')
const FILES = {
  'one.ts': 'export function used() {\n  return 1\n}\n\nexport function unused() {\n  return 2\n}\n',
  'two.ts': 'export function other() {\n  return 3\n}\n\nexport function idle() {\n  return 4\n}\n',
  'main.ts':
    "import { unused, used } from './one.ts'\nimport { idle, other } from './two.ts'\nused()\nother()\nif (process.argv[2]) idle(unused())\n",
}

t.test('functions that are not called count as not covered in a module with several sources', async (t) => {
  const home = t.testdir({ ...FILES, raw: {} })
  const root = relative(ROOT, home)
  await compileModules(ROOT, [join(root, 'main.ts')], join(root, 'out'))
  const raw = join(home, 'raw')
  const environment = { ...process.env, NODE_V8_COVERAGE: raw }
  execFileSync(process.execPath, ['--enable-source-maps', join(home, 'out', root, 'main.mjs')], { env: environment })
  writeFileSync(join(raw, 'coverage-killed.json'), '{"result":[')
  prepareCoverage(raw, home)
  t.equal(readdirSync(raw).length, 1, 'the file of a killed process is removed')

  const report = join(home, 'report')
  const settings = { include: ['**/*.ts'], 'exclude-node-modules': false, excludeAfterRemap: true, all: false }
  const config = join(home, 'c8.json')
  writeFileSync(config, JSON.stringify({ ...settings, reporter: ['json-summary'], mergeAsync: true }))
  const c8 = join(ROOT, 'node_modules/c8/bin/c8.js')
  const places = ['--temp-directory', raw, '--reports-dir', report]
  execFileSync(process.execPath, [c8, 'report', '--config', config, ...places], { cwd: home, stdio: 'ignore' })
  const summary = JSON.parse(readFileSync(join(report, 'coverage-summary.json'), 'utf8'))
  const functionsOf = (name: string) => summary[join(home, name)]?.functions
  t.match(functionsOf('one.ts'), { total: 2, covered: 1 })
  t.match(functionsOf('two.ts'), { total: 2, covered: 1 })
  // esbuild maps no closing brace, so that of the unused function counts as covered.
  t.match(summary[join(home, 'one.ts')].lines, { total: 7, covered: 5 })
})

t.test('scripts of packages are left out, plain scripts of ours stay', async (t) => {
  const home = t.testdir({})
  const script = (url: string) => ({ scriptId: '1', url, functions: [] })
  const map = (...sources: string[]) => ({ lineLengths: [1], data: { version: 3, sources, mappings: '' }, url: null })
  const kept = 'file:///house/node_modules/.cache/modules/a.mjs'
  const left = 'file:///house/node_modules/.cache/packages/b.mjs'
  const plain = 'file:///house/bin/start.js'
  const coverage = {
    result: [script(kept), script(left), script(plain), script('file:///elsewhere/c.js'), script('evalmachine')],
    'source-map-cache': {
      [kept]: map('file:///house/core/a.ts', 'file:///house/node_modules/x/index.js'),
      [left]: map('file:///house/node_modules/x/index.js'),
    },
  }
  const path = join(home, 'coverage-1.json')
  writeFileSync(path, JSON.stringify(coverage))
  prepareCoverage(home, '/house')
  const prepared = JSON.parse(readFileSync(path, 'utf8'))
  t.same(
    prepared.result.map(({ url }: { url: string }) => url),
    [kept, plain],
  )
  t.same(Object.keys(prepared['source-map-cache']), [kept])
  t.same(prepared['source-map-cache'][kept].data.sources, ['/house/core/a.ts', '/house/node_modules/x/index.js'])
})
