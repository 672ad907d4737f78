// The accounts of roles in the database are those with which the writer was last opened.
import type { Pool } from 'pg'
import t from 'tap'
import { rewindChain } from '../../../indexer/rewind/rewind.ts'
import type { ChainAccount } from '../../../indexer/store/chain-accounts.ts'
import { ChainWriter } from '../../../indexer/store/writer.ts'
import { addChain } from '../../migrations/rows.ts'
import { testDatabase } from '../../support/database.ts'

const WAX = 1181148696416462999n
const hop = { role: 'hop', account: 'hop.svc', domain: null }
const bridge = { role: 'bridge', account: 'bridge.svc', domain: null }
const gateway = { role: 'gateway', account: 'gateway.wax', domain: WAX }

async function kept(pool: Pool, chain: string): Promise<{ name: string; version: string }[]> {
  const { rows } = await pool.query(
    `select concat_ws(' ', role, account, domain) as name, xmin::text as version from meta.accounts where chain = $1
     order by role, account`,
    [chain],
  )
  return rows
}

t.test('accounts of roles', async (t) => {
  const { url, pool } = await testDatabase(t, { chains: ['telos', 'wax', 'eos'] })
  const open = async (chain: string, accounts?: ChainAccount[]) => {
    const writer = await ChainWriter.open({ chain, databaseUrl: url, chainId: null, accounts })
    await writer.close()
    return (await kept(pool, chain)).map(({ name }) => name)
  }
  t.same(await open('telos', [hop, bridge, gateway]), [
    'bridge bridge.svc',
    `gateway gateway.wax ${WAX}`,
    'hop hop.svc',
  ])
  t.same(await open('wax', [bridge]), ['bridge bridge.svc'], 'each chain has its own')

  const before = await kept(pool, 'telos')
  await open('telos', [gateway, hop, bridge])
  t.same(await kept(pool, 'telos'), before, 'nothing is written when nothing changed')
  t.equal((await open('telos')).length, 3, 'nor when the writer does not know them')

  const next = { role: 'gateway', account: 'gateway.evm', domain: 1n }
  const changed = [{ ...gateway, domain: 56n }, next, { ...hop, account: 'hop2.svc' }, bridge]
  t.same(await open('telos', changed), [
    ...['bridge bridge.svc', 'gateway gateway.evm 1', 'gateway gateway.wax 56', 'hop hop2.svc'],
  ])
  t.equal((await kept(pool, 'telos'))[0]!.version, before[0]!.version, 'what is the same is left alone')
  t.same(await open('telos', []), [])
  t.same(await open('wax'), ['bridge bridge.svc'])

  await addChain(pool, 'eos')
  await open('eos', [hop])
  await rewindChain({ url, chain: 'eos', to: 3, force: true })
  t.same(await kept(pool, 'eos'), [], 'a chain that is removed has none')
})
