import { readFileSync } from 'node:fs'
import t from 'tap'
import { compileContracts, compiledContracts } from '../../contracts/compile.ts'

/** Code larger than this cannot be deployed (EIP-170). */
const MAX_CODE = 24_576

/** Entries without order, of entries and of members; names of types inside the compiler left out. */
function comparable(abi: readonly object[]): string[] {
  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sorted)
    if (value === null || typeof value !== 'object') return value
    const members = Object.entries(value).filter(([key]) => key !== 'internalType')
    return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, sorted(inner)]))
  }
  return abi.map((entry) => JSON.stringify(sorted(entry))).sort()
}

const published = (name: string): object[] =>
  JSON.parse(readFileSync(new URL(`../../abis/${name}.abi.json`, import.meta.url), 'utf8'))

for (const name of ['SvcVault', 'SvcWithdrawals', 'SvcLightClient'] as const) {
  t.test(`${name} has exactly the published ABI and can be deployed`, async (t) => {
    const { abi, bytecode, size } = compiledContracts()[name]
    t.same(comparable(abi), comparable(published(name)))
    t.match(bytecode, /^0x[0-9a-f]{100,}$/, 'all libraries are linked')
    t.ok(size < MAX_CODE, `${size} bytes`)
  })
}

t.test('what is shipped is what the compiler makes of the sources', { timeout: 300_000 }, async (t) => {
  t.same(compiledContracts(), compileContracts())
})
