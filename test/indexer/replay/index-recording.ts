// Indexes a recording, or a source made from one, into a test's database.
import { type IndexOptions, indexChain } from '../../../indexer/run.ts'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import type { BlockSource, PackedBlock, StartPosition } from '../../../indexer/source/source.ts'
import type { Position } from '../../../indexer/store/position.ts'
import type { ValuationOptions } from '../../../indexer/value/options.ts'
import type { Scene } from '../../support/database.ts'
import { VALUATION } from '../../support/valuation.ts'
import type { Profile } from './expected-ledger.ts'

const MEDIUM = new URL('../../fixtures/recordings/medium.ship.gz', import.meta.url).pathname

/** Accounts by role in the recordings. */
export const PROFILE: Profile = { amm: 'swap.svc', spot: 'svcdexmain', bridge: 'bridge.svc', hop: 'hop.svc' }

export interface Indexed {
  position: Position
  forks: { block: number; depth: number }[]
}

/**
 * Indexes a chain with all of its data.
 *
 * @param endBlock   last block to index; all if absent
 * @param valuation  how trades are valued
 */
export function indexRecording(
  url: string,
  chain: string,
  source: BlockSource,
  endBlock?: number,
  valuation?: ValuationOptions,
): Promise<Indexed> {
  return index(url, chain, source, { endBlock, valuation, finality: { bridge: PROFILE.bridge } })
}

/** Indexes a chain without its finality, because verifying certificates takes longer than everything else. */
export function indexExchange(
  url: string,
  chain: string,
  source: BlockSource,
  endBlock?: number,
  valuation?: ValuationOptions,
): Promise<Indexed> {
  return index(url, chain, source, { endBlock, valuation })
}

async function index(
  url: string,
  chain: string,
  source: BlockSource,
  options: Pick<IndexOptions, 'endBlock' | 'valuation' | 'finality'>,
): Promise<Indexed> {
  const forks: Indexed['forks'] = []
  const position = await indexChain({
    chain,
    databaseUrl: url,
    source,
    accounts: { ...PROFILE, wrap: 'wrap.svc' },
    systemAccount: 'eosio',
    tokenContracts: '*',
    chainId: null,
    startBlock: 2,
    ...options,
    signal: new AbortController().signal,
    events: {
      opened() {},
      committed() {},
      decoded() {},
      forked(block, depth) {
        forks.push({ block, depth })
      },
      retrying(error) {
        throw error
      },
    },
  })
  if (!position) throw new Error('nothing was indexed')
  return { position, forks }
}

/** The recording `medium` as chain `wax`, indexed to its end without finality, for `testDatabase`. */
export const MEDIUM_RECORDING: Scene = {
  name: 'medium_recording',
  write: async ({ url }) => void (await indexExchange(url, 'wax', new ReplaySource(MEDIUM), undefined, VALUATION)),
}

/** Blocks of a recording by id, in chain order, each as last delivered. */
export class LinearSource implements BlockSource {
  readonly name = 'linear'
  private readonly path: string
  private readonly ids: ReadonlySet<string>

  constructor(path: string, ids: Iterable<string>) {
    this.path = path
    this.ids = new Set(ids)
  }

  async *blocks(
    { from, to = Number.POSITIVE_INFINITY }: StartPosition,
    signal: AbortSignal,
  ): AsyncGenerator<PackedBlock> {
    const byNumber = new Map<number, PackedBlock>()
    for await (const block of new ReplaySource(this.path).blocks({ from: 0, have: [] }, signal)) {
      if (this.ids.has(block.id)) byNumber.set(block.num, block)
    }
    const wanted = [...byNumber.values()].filter(({ num }) => num >= from && num <= to)
    yield* wanted.sort((a, b) => a.num - b.num)
  }
}
