// Packs that earlier versions of the program wrote are read. What a pack does not hold, the EVM chains of the bridge,
// is read from a node into the same database.
import { readdirSync } from 'node:fs'
import t from 'tap'
import { ReplaySource } from '../../indexer/source/replay.ts'
import { verifyChain } from '../../indexer/verify/verify.ts'
import { FORMAT } from '../../packs/format/manifest.ts'
import { indexRecording } from '../indexer/replay/index-recording.ts'
import { Indexed } from '../indexer/source/evm/indexed.ts'
import { depositValues, LocalChain } from '../indexer/source/evm/local-chain.ts'
import { testDatabase } from '../support/database.ts'
import { CHAIN, digestOf, FROZEN, FROZEN_END, fetch, ID_40, RECORDINGS } from './scene.ts'

const trust = ID_40

t.test('frozen packs', async (t) => {
  const layouts = readdirSync(FROZEN)
  t.ok(layouts.includes(String(FORMAT)), 'the present layout is frozen too: `npm run freeze-pack`')
  const publisher = await testDatabase(t, { chains: ['mainnet'] })
  await indexRecording(publisher.url, CHAIN, new ReplaySource(RECORDINGS.small), FROZEN_END)
  const node = await LocalChain.start(t)
  for (const nonce of [7, 8]) await node.log('vault', 'Deposit', depositValues(nonce))
  await node.mine(3)
  const endBlock = await node.head()
  await new Indexed(publisher, node).run({ endBlock })
  const digests = async (url: string) => [await digestOf(url), (await verifyChain(url, 'mainnet')).digest.sha256]

  for (const layout of layouts) {
    await t.test(`layout ${layout}`, async (t) => {
      const reader = await testDatabase(t, { chains: ['mainnet'] })
      const { block, report } = await fetch(reader.url, `${FROZEN}${layout}`, { verify: { trust } })
      t.equal(block, FROZEN_END)
      t.equal(report.confirmedBy, `block ${FROZEN_END} ${trust}`)
      // An EVM chain has no pack: it is read from its first block on.
      const evm = new Indexed(reader, node)
      await evm.run({ endBlock })
      t.equal((await reader.pool.query('select from head.vault_deposits')).rowCount, 2)
      t.same(await digests(reader.url), await digests(publisher.url))
    })
  }
})
