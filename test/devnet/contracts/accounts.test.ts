// The chain files of the demo name only contracts that its simulated chains have: a newcomer's `headwater check` next to
// the demo finds no fault.
import { join } from 'node:path'
import t from 'tap'
import { roleAccounts } from '../../../bin/index-chains.ts'
import { loadConfig } from '../../../config/load.ts'
import { buildExchange } from '../../../devnet/contracts/exchange.ts'
import { telosProfile, waxProfile } from '../../../devnet/contracts/profile.ts'
import { listRoles } from '../../../indexer/project/role-accounts.ts'

for (const profile of [waxProfile, telosProfile])
  t.test(`${profile.name} has the contracts that its file names`, async (t) => {
    const file = join(import.meta.dirname, `../../../config/demo/${profile.name}.json`)
    const [chain] = loadConfig({ env: {}, program: { chains: [file] } }).config.chains
    const contracts = new Set(buildExchange(profile).contracts.map(({ account }) => account))
    const named = listRoles(roleAccounts(chain!))
    t.ok(named.length >= 6)
    t.same(
      named.filter(({ account }) => !contracts.has(account)),
      [],
    )
  })
