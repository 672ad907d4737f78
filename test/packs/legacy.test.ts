// A chain before Savanna is verified by the id of its last block; once it is under Savanna, by its first finalizer
// policy too.
import t from 'tap'
import { finalizerPolicyDigest } from '../../core/finality/finalizer-policy.ts'
import { toHex } from '../../core/hex.ts'
import { testDatabase } from '../support/database.ts'
import { DEVNET_SETTINGS, Devnet } from './devnet.ts'
import { digestOf, fetch, pack, packFolder } from './scene.ts'

const LAG = 4

t.test('packs of a chain before Savanna, and across the switch', async (t) => {
  const net = new Devnet(LAG)
  const { chain } = net
  const folder = packFolder(t)
  const [publisher, reader] = [await testDatabase(t), await testDatabase(t)]
  const packed = () => pack(publisher.url, folder, '', { source: net.source(), settings: DEVNET_SETTINGS })
  const fetched = (trust: string) => fetch(reader.url, folder, { settings: DEVNET_SETTINGS, verify: { trust } })

  net.produce(30)
  await net.index(publisher.url)
  const legacy = await packed()
  t.match(legacy, { block: chain.lib.num, id: chain.lib.id, hasBlocks: true, proved: null, policy: null })
  // The header of a later block commits to it, but not the pack's own.
  for (const trust of ['ab'.repeat(32), chain.head.id, chain.block(legacy.block - 1)!.id]) {
    await t.rejects(fetched(trust), { code: 'PACK_NOT_TRUSTED' })
  }
  const { report } = await fetched(legacy.id)
  t.equal(report.confirmedBy, `block ${legacy.block} ${legacy.id}`)
  t.ok(report.equal['ledger.legacy_blocks'] && report.equal['ledger.deposits'])
  t.equal(await digestOf(reader.url), await digestOf(publisher.url))

  chain.activateSavanna()
  net.produce(20)
  await net.index(publisher.url)
  const digest = toHex(finalizerPolicyDigest(chain.genesisPolicy()))
  const across = await packed()
  t.match(across, { block: chain.lib.num, proved: true, policy: { digest, generation: 1, replaces: null } })
  t.ok(chain.savanna && across.block > legacy.block + LAG)
  await reader.pool.query(`select meta.clear_chain('wax')`)
  // No certificate confirms the blocks before the switch.
  await t.rejects(fetched(digest), { code: 'PACK_NOT_TRUSTED', message: /block 2 is before Savanna/ })
  await reader.pool.query(`select meta.clear_chain('wax')`)
  const trust = `${digest},${across.id}`
  t.equal(
    (await fetched(trust)).report.confirmedBy,
    `finalizer policy ${digest} and block ${across.block} ${across.id}`,
  )
  t.equal(await digestOf(reader.url), await digestOf(publisher.url))
})
