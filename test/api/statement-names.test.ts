// A PostgreSQL connection identifies a prepared statement by its name: two statements with one name would fail on any
// connection that already prepared the other one.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

t.test('every prepared statement of the API has a name of its own', async (t) => {
  const folder = join(import.meta.dirname, '../../api')
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(/\bname: '([a-z0-9-]+)',\s*text\b/g)])
    .map(([, name]) => name as string)
  t.ok(names.length > 20, `${names.length} names`)
  t.same(
    names.filter((name, i) => names.indexOf(name) !== i),
    [],
  )
})
