// A chain of the devnet with deposits of its bridge, indexed and packed.
import { readBlockHeader } from '../../core/antelope/block.ts'
import { Chain } from '../../devnet/chain/chain.ts'
import { call } from '../../devnet/contracts/actions.ts'
import { WaxBridge } from '../../devnet/contracts/bridge/wax.ts'
import { TokenContract } from '../../devnet/contracts/token.ts'
import type { IndexEvents } from '../../indexer/retrying.ts'
import { indexChain } from '../../indexer/run.ts'
import type { BlockSource, PackedBlock, StartPosition } from '../../indexer/source/source.ts'
import { CHAIN } from './scene.ts'

const [TOKEN, BRIDGE, USER] = ['eosio.token', 'bridge.svc', 'alice']
const accounts = { bridge: BRIDGE, wrap: 'wrap.svc' }
export const DEVNET_SETTINGS = {
  accounts,
  systemAccount: 'eosio',
  tokenContracts: '*' as const,
  finality: { bridge: BRIDGE, legacy: true },
}
const quantity = (amount: bigint) => ({ amount, precision: 8, symbol: 'WAX' })
const { signal } = new AbortController()

/** Ends the indexing at the first error that it would retry. */
export const FAILING_EVENTS: IndexEvents = {
  opened() {},
  committed() {},
  decoded() {},
  forked() {},
  retrying: (error) => {
    throw error
  },
}

/** All blocks of a chain. */
export class ChainSource implements BlockSource {
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

export class Devnet {
  readonly chain: Chain

  /** @param legacyLag  blocks until one is irreversible before Savanna; undefined: the chain begins under Savanna */
  constructor(legacyLag?: number) {
    this.chain = new Chain({
      ...{ chainId: 'ab'.repeat(32), seed: 'packs', startTime: Date.parse('2026-01-01T00:00:00Z') },
      ...(legacyLag === undefined ? {} : { legacyLag }),
      contracts: [new TokenContract(TOKEN), new WaxBridge('relay')],
    })
    const issue = [
      call(TOKEN, 'create', TOKEN, { issuer: USER, maximum_supply: quantity(1n << 60n) }),
      call(TOKEN, 'issue', USER, { to: USER, quantity: quantity(1n << 50n), memo: '' }),
    ]
    this.chain.produce({ transactions: [issue] })
  }

  /** Produces blocks with a deposit each. */
  produce(count: number): void {
    const deposit = call(TOKEN, 'transfer', USER, {
      from: USER,
      to: BRIDGE,
      quantity: quantity(5n),
      memo: 'bob:a note',
    })
    for (let i = 0; i < count; i++) this.chain.produce({ transactions: [[deposit]] })
  }

  source(): BlockSource {
    return new ChainSource(this.chain)
  }

  /** Indexes all irreversible blocks. */
  async index(databaseUrl: string): Promise<void> {
    await indexChain({
      ...{ ...DEVNET_SETTINGS, chain: CHAIN, databaseUrl, source: this.source(), chainId: null, startBlock: 2, signal },
      endBlock: this.chain.lib.num,
      events: FAILING_EVENTS,
    })
  }
}
