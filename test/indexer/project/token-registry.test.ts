// Rows of the token registry are stored in the form of the chain's own JSON.
import t from 'tap'
import { compileAbi } from '../../../core/antelope/abi/compile.ts'
import { abiFile } from '../../../devnet/contracts/abi-file.ts'
import { registryTokens } from '../../../indexer/project/registry/token-registry.ts'

t.test('a row of the registry names its token as the chain does', async (t) => {
  const abi = compileAbi(abiFile('tokenregistry'))
  const row = {
    id: 7n,
    contract: 'eosio.token',
    sym: { precision: 8, code: 'WAX' },
    name: 'WAX',
    image: 'ipfs://Qm',
  }
  const at = { chain: 'wax', primaryKey: 7n, present: true }
  const { state } = registryTokens.rows(
    abi.decodeRow('tokens', abi.encodeRow('tokens', row)),
    at as never,
    undefined as never,
  )
  t.match(state, [
    {
      table: 'registry_tokens',
      row: {
        rowId: 7n,
        data: { id: '7', contract: 'eosio.token', sym: '8,WAX', name: 'WAX', image: 'ipfs://Qm' },
      },
    },
  ])
})
