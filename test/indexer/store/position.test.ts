// The chain's identity in its position.
import t from 'tap'
import { ChainWriter } from '../../../indexer/store/writer.ts'
import { testDatabase } from '../../support/database.ts'
import { childOf, GENESIS } from '../../support/synthetic-chain.ts'

t.test('a chain id is stored once, and another one is refused', async (t) => {
  const { url } = await testDatabase(t, { chains: ['test'] })
  const open = (chainId: string | null) => ChainWriter.open({ chain: 'test', databaseUrl: url, chainId })
  const [ours, other] = ['aa'.repeat(32), 'bb'.repeat(32)]
  const { num, id, prevId } = childOf(GENESIS)

  const unknowing = await open(null)
  const batch = unknowing.newBatch()
  const place = { num, id, prevId, time: 0, producer: 'producer', lib: num, head: num }
  batch.add({ ...place, ledger: [], state: [], candles: [] })
  await unknowing.commit(batch)
  t.equal(unknowing.position?.chainId, null)
  await unknowing.close()

  for (const chainId of [ours, ours, null]) {
    const writer = await open(chainId)
    t.equal(writer.position?.chainId, ours)
    await writer.close()
    await t.rejects(open(other), {
      code: 'OTHER_CHAIN',
      message: `test: the blocks indexed are of chain ${ours}, the configuration or the node has ${other}`,
      place: { chain: 'test' },
    })
  }
})
