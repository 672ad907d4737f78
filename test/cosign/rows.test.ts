// Every row of the checklist and every refusal of docs/operate/cosigner.md has a test with its name.
import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { ATTACKS } from './attacks.ts'

const folder = new URL('./', import.meta.url)
const tests = readdirSync(folder)
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => readFileSync(new URL(name, folder), 'utf8'))
  .join('\n')

t.test('rows CPU-01 to CPU-31', async (t) => {
  for (let row = 1; row <= 31; row++) {
    const id = `CPU-${String(row).padStart(2, '0')}`
    t.match(tests, new RegExp(`t\\.test\\(\\s*['\`][^'\`]*${id}\\b|\\[\\s*'${id}\\b`), id)
  }
})

t.test('refusals 1 to 41, in the guide too', async (t) => {
  const attacked = new Set(ATTACKS.map(([id]) => Number.parseInt(id, 10)))
  const named = new Set(
    [...tests.matchAll(/t\.test\(\s*['`]refusal ([\d ]+)/g)].flatMap(([, ids = '']) =>
      ids.trim().split(/ +/).map(Number),
    ),
  )
  const guide = readFileSync(new URL('../../docs/operate/cosigner.md', import.meta.url), 'utf8')
  const told = new Set(
    [...guide.matchAll(/^\| ([\d, –]+) \|/gm)].flatMap(([, cell = '']) =>
      cell.split(', ').flatMap((part) => {
        const [first = 0, last = first] = part.split('–').map(Number)
        return Array.from({ length: last - first + 1 }, (_, i) => first + i)
      }),
    ),
  )
  for (let id = 1; id <= 41; id++) {
    // Valid only on its own chain, as the test of a swap on the chain shows.
    const isTested =
      attacked.has(id) || named.has(id) || (id === 24 && tests.includes("'refusal 24: of another chain'"))
    t.ok(isTested, `refusal ${id} is tested`)
    t.ok(told.has(id), `refusal ${id} is in the guide`)
  }
})
