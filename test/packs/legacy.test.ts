// A chain before Savanna is verified by the id of its last block; once it is under Savanna, by its first finalizer
// policy too.
import t from 'tap'
import { readBlockHeader } from '../../core/antelope/block.ts'
import { finalizerPolicyDigest } from '../../core/finality/finalizer-policy.ts'
import { toHex } from '../../core/hex.ts'
import { Chain } from '../../devnet/chain/chain.ts'
import { call } from '../../devnet/contracts/actions.ts'
import { WaxBridge } from '../../devnet/contracts/bridge/wax.ts'
import { TokenContract } from '../../devnet/contracts/token.ts'
import { indexChain } from '../../indexer/run.ts'
import type { BlockSource, PackedBlock, StartPosition } from '../../indexer/source/source.ts'
import { testDatabase } from '../support/database.ts'
import { CHAIN, digestOf, fetch, pack, packFolder } from './scene.ts'

const [TOKEN, BRIDGE, USER] = ['eosio.token', 'bridge.svc', 'alice']
const LAG = 4
const accounts = { bridge: BRIDGE, wrap: 'wrap.svc' }
const settings = {
  accounts,
  systemAccount: 'eosio',
  tokenContracts: '*' as const,
  finality: { bridge: BRIDGE, legacy: true },
}
const quantity = (amount: bigint) => ({ amount, precision: 8, symbol: 'WAX' })
const { signal } = new AbortController()

class ChainSource implements BlockSource {
  readonly name = 'chain'
  readonly #chain: Chain

  constructor(chain: Chain) {
    this.#chain = chain
  }

  async *blocks({ from, have, to = Number.POSITIVE_INFINITY }: StartPosition): AsyncGenerator<PackedBlock> {
    const { head, lib, firstBlock } = this.#chain
    for (let num = Math.max(from, firstBlock, (have.at(-1)?.num ?? 0) + 1); num <= Math.min(head.num, to); num++) {
      const block = this.#chain.block(num)!
      yield { kind: 'packed', ...block, prevId: readBlockHeader(block.block).header.previous, head, lib }
    }
  }
}

t.test('packs of a chain before Savanna, and across the switch', async (t) => {
  const chain = new Chain({
    ...{ chainId: 'ab'.repeat(32), seed: 'packs', startTime: Date.parse('2026-01-01T00:00:00Z'), legacyLag: LAG },
    contracts: [new TokenContract(TOKEN), new WaxBridge('relay')],
  })
  const issue = [
    call(TOKEN, 'create', TOKEN, { issuer: USER, maximum_supply: quantity(1n << 60n) }),
    call(TOKEN, 'issue', USER, { to: USER, quantity: quantity(1n << 50n), memo: '' }),
  ]
  chain.produce({ transactions: [issue] })
  const deposit = call(TOKEN, 'transfer', USER, { from: USER, to: BRIDGE, quantity: quantity(5n), memo: 'bob:a note' })
  const produce = (count: number) => {
    for (let i = 0; i < count; i++) chain.produce({ transactions: [[deposit]] })
  }
  const source = () => new ChainSource(chain)
  const index = (databaseUrl: string) =>
    indexChain({
      ...{ ...settings, chain: CHAIN, databaseUrl, source: source(), chainId: null, startBlock: 2, signal },
      endBlock: chain.lib.num,
      events: { opened() {}, committed() {}, decoded() {}, forked() {}, retrying: (error) => t.fail(error.message) },
    })
  const folder = packFolder(t)
  const [publisher, reader] = [await testDatabase(t), await testDatabase(t)]
  const packed = () => pack(publisher.url, folder, '', { source: source(), settings })
  const fetched = (trust: string) => fetch(reader.url, folder, { settings, verify: { trust } })

  produce(30)
  await index(publisher.url)
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
  produce(20)
  await index(publisher.url)
  const digest = toHex(finalizerPolicyDigest(chain.genesisPolicy()))
  const across = await packed()
  t.match(across, { block: chain.lib.num, proved: true, policy: { digest, generation: 1, replaces: null } })
  t.ok(chain.savanna && across.block > legacy.block + LAG)
  await reader.pool.query(`select meta.clear_chain('wax')`)
  t.equal((await fetched(digest)).report.confirmedBy, `finalizer policy ${digest}`)
  t.equal(await digestOf(reader.url), await digestOf(publisher.url))
})
