// Own process: the compiler of Solidity adds a listener for unhandled rejections.
import { readFileSync } from 'node:fs'
import t from 'tap'
import { compileContracts, compiledContracts } from '../../contracts/compile.ts'
import { toHex } from '../../core/hex.ts'
import { sha256 } from '../../core/sha256.ts'

/** Code larger than this cannot be deployed (EIP-170). */
const MAX_CODE = 24_576

/** ABI entries in a fixed order of entries and members, without the compiler's internal type names. */
function comparable(abi: readonly object[]): string[] {
  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sorted)
    if (value === null || typeof value !== 'object') return value
    const members = Object.entries(value).filter(([key]) => key !== 'internalType')
    return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, sorted(inner)]))
  }
  return abi.map((entry) => JSON.stringify(sorted(entry))).sort()
}

const shipped = (name: string): object[] =>
  JSON.parse(readFileSync(new URL(`../../abis/${name}.abi.json`, import.meta.url), 'utf8'))

/** SHA-256 of the operator's published ABIs in the form of `comparable`, one entry for each line. */
const PUBLISHED = {
  SvcVault: '9548c2235e654ec3fb5d6e7ef15a0ff5b5e4759464e50203b57eb7f4a5cbe423',
  SvcWithdrawals: '397549d3391241e3cf7cab3892ad37e4d2b4381a007f3373b17f97cd70e2549f',
}
/** Entries beyond the published ABIs. */
const ADDED = new Set([
  ...['COIN_GAS', 'TOKEN_GAS', 'locked'],
  ...['DELAY', 'pendingReleaser', 'acceptReleaser', 'pendingLimits', 'acceptLimit'],
  ...['ReleaserProposed', 'LimitProposed', 'NothingProposed', 'TooEarly'],
])

for (const [name, hash] of Object.entries(PUBLISHED)) {
  t.test(`${name} has every entry of the published ABI unchanged, and only the listed ones beyond it`, async (t) => {
    const { abi } = compiledContracts()[name as keyof typeof PUBLISHED]
    const rest = (abi as readonly { name?: string }[]).filter((entry) => !ADDED.has(entry.name ?? ''))
    t.equal(toHex(sha256(Buffer.from(comparable(rest).join('\n')))), hash)
  })
}

for (const name of ['SvcVault', 'SvcWithdrawals', 'SvcLightClient'] as const) {
  t.test(`${name} has exactly the ABI in abis/ and can be deployed`, async (t) => {
    const { abi, bytecode, size } = compiledContracts()[name]
    t.same(comparable(abi), comparable(shipped(name)))
    t.match(bytecode, /^0x[0-9a-f]{100,}$/, 'all libraries are linked')
    t.ok(size < MAX_CODE, `${size} bytes`)
  })
}

t.test('the shipped code equals the compiled sources', async (t) => {
  t.same(compiledContracts(), compileContracts())
})
