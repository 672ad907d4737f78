// Which test files count as failed, and where their errors are.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { compileModules } from '../../bin/compile.js'
import { Report } from './report.ts'
import { SourcePositions } from './source-positions.ts'

const passed = ['TAP version 14', 'ok 1 - a # time=1ms', '1..1', '# { total: 3, pass: 3 }', '# processor time: 0.75 s']

t.test('results are counted by the totals of the files, and a file without its totals fails', async (t) => {
  const printed: string[] = []
  const report = new Report((line) => printed.push(line))
  const end = (name: string, lines: string[], trouble: string | null = null) =>
    report.file({ name, seconds: 1, lines, trouble })
  end('good', passed)
  end('skipped', ['TAP version 14', '1..0 # SKIP no browser'])
  t.same(report.totals, { passed: 3, failed: 0 })
  end('bad', ['    not ok 1 - x', '      ---', 'not ok 1 - a', '# { total: 2, pass: 1, fail: 1 }'], 'exit code 1')
  t.same(report.totals, { passed: 4, failed: 1 })
  end('silent', [])
  end('killed', passed, 'ended by SIGKILL')
  t.same(report.totals, { passed: 7, failed: 3 })
  t.same(
    printed.filter((line) => !line.startsWith(' ')),
    [
      'ok      1.0 s    0.8 s good',
      'ok      1.0 s    0.0 s skipped',
      'FAIL    1.0 s    0.0 s bad',
      'FAIL    1.0 s    0.0 s silent',
      'FAIL    1.0 s    0.8 s killed',
    ],
  )
  t.ok(printed.includes('         not ok 1 - x'))
  t.ok(printed.includes('     ended by SIGKILL'))
})

t.test('the times of each folder are printed, the longest first', async (t) => {
  const printed: string[] = []
  const report = new Report((line) => printed.push(line))
  const end = (name: string, seconds: number) => report.file({ name, seconds, lines: passed, trouble: null })
  end('test/core/book/match.test.ts', 1.5)
  end('test/web/pages.test.ts', 4)
  end('test/core/amm/swap.test.ts', 2)
  printed.length = 0
  report.folders()
  t.same(printed, ['', '       4.0 s    0.8 s test/web (1 file)', '       3.5 s    1.5 s test/core (2 files)'])
})

t.test('positions in compiled modules become positions in sources', async (t) => {
  const root = t.testdir({
    'a.ts': 'interface Unused {\n  a: number\n}\n\nexport const fail = (): Unused => {\n  throw new Error()\n}\n',
  })
  await compileModules(root, ['a.ts'], 'out')
  const lines = readFileSync(join(root, 'out/a.mjs'), 'utf8').split('\n')
  const line = lines.findIndex((text) => text.includes('throw')) + 1
  const column = (lines[line - 1]?.indexOf('throw') ?? 0) + 1
  t.not(line, 6)
  const positions = new SourcePositions(root)
  t.equal(positions.translate(`at fail (file://${root}/out/a.mjs:${line}:${column})`), 'at fail (a.ts:6:3)')
  t.equal(positions.translate(`(out/a.mjs:${line}:${column})`), '(a.ts:6:3)')
  t.equal(
    positions.translate(
      `at:\n  fileName: out/a.mjs\n  lineNumber: ${line}\n  columnNumber: ${column}\n  typeName: Test`,
    ),
    'at:\n  fileName: a.ts\n  lineNumber: 6\n  columnNumber: 3\n  typeName: Test',
  )
  t.equal(positions.translate('(none.mjs:1:2)'), '(none.mjs:1:2)')
})
