// Indexes both sides: the ledger's chain, and the EVM chain whose light client stores roots and learns policies. SQL
// alone decides between light and hard proofs, across a change of policy and a fork of the EVM chain.
import type { Pool } from 'pg'
import t from 'tap'
import { toHex } from '../../core/hex.ts'
import { startShip } from '../../devnet/ship/server.ts'
import { SqlSource } from '../../finality-store/proof-source.ts'
import { indexChain } from '../../indexer/run.ts'
import { evmParts, indexEvmChain } from '../../indexer/run-evm.ts'
import { ShipSource } from '../../indexer/source/ship/source.ts'
import { certificateVerifier } from '../../proofs/certificates.ts'
import { type Destination, proveWithdrawal } from '../../proofs/prove.ts'
import { testDatabase } from '../support/database.ts'
import { EvmSide } from './destination.ts'
import { addressBytes, LEDGER, Telos } from './telos.ts'

const RECIPIENT = '0x00000000000000000000000000000000000000AA'
const EVM = 'mainnet'
const quiet = { opened() {}, committed() {}, decoded() {}, forked() {} }
const failing = {
  ...quiet,
  retrying(error: Error) {
    throw error
  },
}
const signal = new AbortController().signal

/** Knowledge of a destination's light client, from its events in the database. */
async function destination(pool: Pool, evm: EvmSide): Promise<Destination> {
  const client = Buffer.from(addressBytes(evm.lightClient.target as string))
  const { rows: roots } = await pool.query<{ root: Uint8Array; last: string; generation: string }>(
    `select root, last_block as last, generation from ledger.stored_roots where chain = $1 and contract = $2`,
    [EVM, client],
  )
  const { rows } = await pool.query<{ first: string; newest: string }>(
    `select min(generation) as first, max(generation) as newest from ledger.learned_policies where chain = $1 and contract = $2`,
    [EVM, client],
  )
  return {
    releaseTo: evm.withdrawals.target as string,
    vault: evm.vault.target as string,
    lightClient: evm.lightClient.target as string,
    roots: roots.map(({ root, last }) => ({ root: toHex(root), lastBlock: Number(last) })),
    generation: Math.max(Number(rows[0]!.first), ...roots.map(({ generation }) => Number(generation))),
    newest: Number(rows[0]!.newest),
  }
}

t.test('indexed events decide between light and hard', async (t) => {
  const evm = await EvmSide.open(1, new Telos([]).chain.genesisPolicy())
  t.teardown(() => evm.anvil.stop())
  const telos = new Telos(evm.routes)
  const ship = await startShip(telos.chain)
  t.teardown(() => ship.stop())
  const { url: databaseUrl, pool } = await testDatabase(t, { chains: ['telos', 'mainnet'] })
  const { chain } = telos
  const follow = async () => {
    await indexChain({
      ...{ chain: 'telos', databaseUrl, source: new ShipSource({ urls: [ship.url], chain: 'telos' }) },
      ...{ accounts: { bridge: 'bridge.svc', wrap: 'wrap.svc' }, systemAccount: 'eosio', tokenContracts: '*' },
      ...{ chainId: chain.chainId, startBlock: chain.firstBlock, endBlock: chain.head.num, signal },
      finality: { bridge: LEDGER.account },
      events: failing,
    })
    const targets = [evm.vault, evm.withdrawals, evm.lightClient].map(({ target }) => `${target}`.toLowerCase())
    const contracts = { vault: [targets[0]!], withdrawals: [targets[1]!], lightclient: [targets[2]!] }
    const urls = [evm.anvil.provider._getConnection().url]
    await indexEvmChain({
      ...evmParts({ chain: EVM, chainId: 1, urls, contracts, pollMs: 20, restMs: [20, 200] }),
      ...{ chain: EVM, chainId: 1, contracts, databaseUrl, startBlock: 1, signal, events: failing },
      endBlock: await evm.anvil.provider.getBlockNumber(),
    })
  }
  const verify = certificateVerifier()
  const prove = async (id: bigint) =>
    (await proveWithdrawal(
      { source: new SqlSource(pool, 'telos'), verify, ledger: LEDGER },
      id,
      await destination(pool, evm),
    ))!

  const early = telos.withdraw('USDC', 5_000_000n, 1, RECIPIENT)
  telos.produce({ finalizers: [1, 2, 3, 4, 5] })
  telos.idle(6)
  const late = telos.withdraw('USDC', 7_000_000n, 1, RECIPIENT)
  telos.idle(2)
  await follow()
  t.match(await destination(pool, evm), await evm.destination(), 'nothing is stored, the first policy is known')
  const first = await prove(late)
  t.equal(first.proof.track, 'hard')
  t.equal(first.proof.hard.handoffs.length, 1, 'the new policy has to be learned')
  const before = await evm.anvil.snapshot()
  await evm.submit(first.proof.hard)
  await follow()
  const known = await evm.destination()
  t.match(await destination(pool, evm), { generation: known.generation, newest: known.newest })
  const { roots } = await destination(pool, evm)
  t.same(roots.map(({ root }) => root).sort(), known.roots.map(({ root }) => root).sort())
  t.equal(roots.length, 2, 'one root for the policy, one for the burn')
  const { proof } = await prove(early)
  t.equal(proof.track, 'light')
  t.equal(await evm.anvil.refusal(evm.withdrawals, 'release', proof.light!.release), null, 'the contract takes it')

  await before()
  await evm.anvil.setTime(Number((await evm.anvil.provider.getBlock('latest'))!.timestamp) + 60)
  for (let i = 0; i < 5; i++) await evm.anvil.provider.send('evm_mine', [])
  await follow()
  t.same((await destination(pool, evm)).roots, [], 'a fork of the EVM chain takes the roots back')
  const again = await prove(early)
  t.equal(again.proof.track, 'hard')
  await evm.submit(again.proof.hard)
})
