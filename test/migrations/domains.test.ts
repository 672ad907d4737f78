// The bridge domain of an indexed chain.
import t from 'tap'
import { testDatabase } from '../support/database.ts'

const WAX_ID = '1064487b3cd1a897ce03ae5b6a865651747e2e152090f99c1d19d44e01aec5a4'
const WAX_DOMAIN = '1181148696416462999'

t.test('a known chain id decides the domain; the name decides only when no id is known', async (t) => {
  const { pool } = await testDatabase(t, { chains: ['wax', 'telos', 'eos', 'bsc'] })
  const chains: [chain: string, id: string | null, domain: string | null, named: boolean][] = [
    ['wax', WAX_ID, WAX_DOMAIN, true],
    // A test network or a private node.
    ['telos', `00000000000000ff${'ab'.repeat(24)}`, '255', false],
    ['eos', null, '12439917377594391589', true],
    ['dev', `8000000000000001${'00'.repeat(24)}`, '9223372036854775809', false],
    ['lost', null, null, false],
    ['bsc', 'eip155:31337', '31337', false],
    ['polygon', 'eip155:137', '137', true],
  ]
  for (const [chain, id] of chains)
    await pool.query(
      `insert into meta.position (chain, chain_id, first_block, block_num, block_id, block_time, lib_num, head_num, writer)
       values ($1, $2, 2, 100, '', now(), 97, 100, gen_random_uuid())`,
      [chain, id],
    )
  const { rows } = await pool.query(
    'select chain, domain::text, named from meta.chain_domains where chain = any ($1) order by chain',
    [chains.map(([chain]) => chain)],
  )
  t.same(
    rows.map(({ chain, domain, named }) => [chain, domain, named]),
    chains.map(([chain, , domain, named]) => [chain, domain, named]).sort(),
  )
  const { rows: shown } = await pool.query(`select domain::text from head.chain_domains where chain = 'telos'`)
  t.same(shown, [{ domain: '255' }])
})
