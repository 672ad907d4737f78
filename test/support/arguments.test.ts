// Which test files a run chooses.
import { join } from 'node:path'
import t from 'tap'
import { parseRunArguments } from './arguments.ts'

t.test('a folder means all tests in it, without tests of installed packages', async (t) => {
  const folder = t.testdir({
    'a.test.ts': '',
    'b.ts': '',
    core: { 'c.test.ts': '' },
    node_modules: { zod: { 'd.test.ts': '' } },
    browser: { node_modules: { zod: { 'e.test.ts': '' } } },
  })
  t.same(parseRunArguments([folder]), {
    files: ['a.test.ts', 'core/c.test.ts'].map((name) => join(folder, name)),
    isUnit: false,
    inspect: null,
  })
  t.throws(() => parseRunArguments(['--fast']), /no flag --fast/)
  t.throws(() => parseRunArguments([join(folder, 'none')]), /no test/)
})
