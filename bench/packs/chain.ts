// A Savanna chain with the exchange's contracts: quiet blocks, of which a small part is the exchange's. All ids, links,
// digests, roots and certificates are right. The same seed gives the same blocks.
import { readBlockHeader } from '../../core/antelope/block.ts'
import {
  packQuorumCertificate,
  type QuorumCertificate,
  readQuorumCertificate,
} from '../../core/finality/quorum-certificate.ts'
import { Chain } from '../../devnet/chain/chain.ts'
import { amountOf, buildExchange } from '../../devnet/contracts/exchange.ts'
import { waxProfile } from '../../devnet/contracts/profile.ts'
import { transfer } from '../../devnet/contracts/trader/view.ts'
import { Trader } from '../../devnet/contracts/trader.ts'
import { Random as TraderRandom } from '../../devnet/random.ts'
import type { BlockSource, PackedBlock, StartPosition } from '../../indexer/source/source.ts'
import { Random } from '../../test/support/random.ts'
import { CHAIN_ID, NOISE, noise, noiseCalls } from '../blocks/chain.ts'

const START = Date.parse('2026-01-01T00:00:00Z')
/** The exchange's transactions: a few in a hundred blocks, as on a quiet chain. */
const PACE = { rate: 0.12, quoteInterval: 60_000, slack: 0.004 }
/** Traces, changed rows and bytes of a block next to those of the exchange and of one transfer. */
const OTHERS = { transactions: 2, traces: 5, rows: 7, data: 8, value: 24 }
/** Blocks after the last wanted one, so that it becomes final. */
const AFTER = 10
const SET_UP_PER_BLOCK = 4
const FINALIZERS = 21

/** @param count  number of blocks after those of the set-up */
export function quietChain(count: number, seed = 1): Chain {
  const exchange = buildExchange(waxProfile)
  const chain = new Chain({
    finalizers: FINALIZERS,
    ...{ chainId: CHAIN_ID, seed: `quiet ${seed}`, startTime: START },
    contracts: [...exchange.contracts, ...NOISE.map(noise)],
  })
  const { genesis } = exchange
  for (let i = 0; i < genesis.length; i += SET_UP_PER_BLOCK) {
    const { results } = chain.produce({ transactions: genesis.slice(i, i + SET_UP_PER_BLOCK) })
    const failed = results.find((result) => !result.ok)
    if (failed && !failed.ok) throw new Error(`the exchange cannot be set up: ${failed.error}`)
  }
  const trader = new Trader(waxProfile, new TraderRandom(`quiet ${seed}`))
  const random = new Random(seed)
  const { users, tokens } = waxProfile
  for (let i = 0; i < count + AFTER; i++) {
    const block = chain.begin()
    const tables = (account: string) => chain.tables(account)
    for (const calls of trader.next(block.now, tables, PACE)) block.push(calls)
    const token = random.pick(tokens)
    const quantity = amountOf(token, 0.01 + random.next())
    block.push([transfer(token.contract, random.pick(users), random.pick(users), quantity, 'thanks')])
    for (const calls of noiseCalls(OTHERS, random)) block.push(calls)
    block.finish('strong', null, undefined)
  }
  return chain
}

/** Blocks at either end whose certificates are signed: a reader verifies the first certificate and the last ones. */
const SIGNED = 40

/**
 * All blocks of a chain, in memory. Signing takes ten times as long as everything else, so the certificates between the
 * two ends have random bytes as signatures.
 */
export function blocksOf(chain: Chain): PackedBlock[] {
  const { head, lib, firstBlock, finalizers } = chain
  const random = new Random(1)
  const sign = finalizers.sign.bind(finalizers)
  const templates: QuorumCertificate[] = []
  finalizers.sign = (certificate) => {
    const { blockNum } = certificate
    if (blockNum < firstBlock + SIGNED || blockNum > head.num - SIGNED) {
      const packed = sign(certificate)
      // One finalizer of each is absent, in turn.
      templates[blockNum % FINALIZERS] ??= readQuorumCertificate(packed)
      return packed
    }
    const template = templates[blockNum % FINALIZERS] as QuorumCertificate
    const signature = Uint8Array.from(template.active.signature, () => random.integer(0, 255))
    return packQuorumCertificate({ ...template, blockNum, active: { ...template.active, signature } })
  }
  const blocks: PackedBlock[] = []
  for (let num = firstBlock; num <= head.num; num++) {
    const stored = chain.block(num)
    if (!stored) throw new Error(`block ${num} is not there`)
    const prevId = readBlockHeader(stored.block).header.previous
    blocks.push({ kind: 'packed', ...stored, prevId, head, lib })
  }
  return blocks
}

export class MemorySource implements BlockSource {
  readonly name = 'memory'
  readonly #blocks: readonly PackedBlock[]

  constructor(blocks: readonly PackedBlock[]) {
    this.#blocks = blocks
  }

  async *blocks({ from, have, to = Number.POSITIVE_INFINITY }: StartPosition): AsyncGenerator<PackedBlock> {
    const first = Math.max(from, (have.at(-1)?.num ?? 0) + 1)
    for (const block of this.#blocks) if (block.num >= first && block.num <= to) yield block
  }
}
