import { readdir, readFile } from 'node:fs/promises'
import t from 'tap'
import { contractTypes, unmarkedTimes } from '../../docs/generate-contract-types.ts'

const ROOT = new URL('../../', import.meta.url)

t.test('the types of actions and rows match the ABIs', async (t) => {
  const expected = contractTypes()
  for (const [path, text] of Object.entries(expected))
    t.equal(await readFile(new URL(path, ROOT), 'utf8'), text, `${path}: run npm run generate`)
  const files = await readdir(new URL('core/contracts/', ROOT))
  t.same(files.map((file) => `core/contracts/${file}`).sort(), Object.keys(expected).sort())
})

t.test('a member that only some ABIs have is optional, a member of all is not', async (t) => {
  const { 'core/contracts/amm.ts': all = '', 'core/contracts/amm-newest.ts': newest = '' } = contractTypes()
  t.match(all, /interface Logmint \{[^}]*\n {2}poolId: bigint\n[^}]*\n {2}tick\?: number\n/)
  t.match(newest, /interface Logmint \{[^}]*\n {2}tick: number\n/)
  t.match(newest, /interface LockS \{[^}]*\n {2}unlockTime: UnixSeconds\n/)
})

t.test('every time of a contract is marked with its unit', async (t) => {
  // An Antelope time counts half seconds; the time of an Ethereum block has 64 bits.
  t.same(unmarkedTimes(), [
    'gateway.antelope.devnet finality.qcClaimTimestamp',
    'gateway.antelope.devnet finality.timestamp',
    'gateway.antelope.devnet handoff.timestamp',
    'gateway.antelope.devnet handoff.parentTimestamp',
    'gateway.antelope.devnet savanna_proof.timestamp',
    'gateway.antelope.devnet savanna_proof.parentTimestamp',
    'gateway.evm.devnet execution_header.timestamp',
  ])
})
