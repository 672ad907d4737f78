// No test sets a time limit below 15 minutes: with ten times as much work as processors, a test takes ten times as long.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const TESTS = join(import.meta.dirname, '..')
const LEAST_MS = 900_000
const LIMIT = /\bt\.setTimeout\(([\d_]+)\)|\bt\.test\([^\n]*\btimeout: ([\d_]+)/g

t.test('no test sets a time limit below 15 minutes', async (t) => {
  const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.includes('node_modules'),
  )
  const limits = files.flatMap((name) =>
    [...readFileSync(join(TESTS, name), 'utf8').matchAll(LIMIT)].map(([, whole, one]) => {
      const milliseconds = Number((whole ?? one ?? '').replaceAll('_', ''))
      return { name, milliseconds }
    }),
  )
  t.ok(limits.length > 10, `${limits.length} limits`)
  // 0 is no limit.
  t.same(
    limits.filter(({ milliseconds }) => milliseconds > 0 && milliseconds < LEAST_MS),
    [],
  )
})
