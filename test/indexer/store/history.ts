// Generates projected blocks of a forking chain, with every kind of row that the store handles differently.
import type { LedgerRow, ProjectedBlock, StateRow, TouchedCandle } from '../../../indexer/store/rows.ts'
import type { Random } from '../../support/random.ts'

const GENESIS_TIME = Date.parse('2025-12-28T23:58:00.000Z')
/** Time between blocks, ms: mostly one slot; some cross minutes, days, weeks and months. */
const GAPS = [500, 500, 500, 1000, 20_000, 61_000, 3_600_000, 86_400_000, 9 * 86_400_000]
const MAX_U64 = (1n << 64n) - 1n
const MAX_U128 = (1n << 128n) - 1n

export class History {
  private readonly random: Random
  private readonly chain: string
  private written: ProjectedBlock[] = []
  private globalSeq = 1n
  private lib = 1

  constructor(random: Random, chain: string) {
    this.random = random
    this.chain = chain
  }

  /** Blocks on the followed branch so far. */
  canonical(): ProjectedBlock[] {
    return this.written
  }

  /** The next linked blocks: they follow the last one, or replace reversible ones. */
  nextBatch(): ProjectedBlock[] {
    const { random } = this
    const kept = random.chance(0.3) ? this.forkPoint() : this.written.length
    const base = this.written.slice(0, kept)
    this.globalSeq = 1n + (base.at(-1)?.ledger.reduce((max, row) => maxSeq(max, row), 0n) ?? this.lastSeq(base))
    const count = random.integer(1, 6)
    const batch: ProjectedBlock[] = []
    for (let i = 0; i < count; i++) batch.push(this.block(batch.at(-1) ?? base.at(-1)))
    return batch
  }

  committed(batch: ProjectedBlock[]): void {
    const first = batch[0] as ProjectedBlock
    this.written = [...this.written.filter((block) => block.num < first.num), ...batch]
  }

  /** A number of blocks to keep: at least those that are irreversible. */
  private forkPoint(): number {
    const reversible = this.written.filter((block) => block.num > this.lib).length
    return this.written.length - this.random.integer(0, reversible)
  }

  private lastSeq(blocks: ProjectedBlock[]): bigint {
    return blocks.flatMap((block) => block.ledger).reduce((max, row) => maxSeq(max, row), 0n)
  }

  private block(parent: ProjectedBlock | undefined): ProjectedBlock {
    const { random } = this
    const num = parent ? parent.num + 1 : 2
    const time = parent ? parent.time + random.pick(GAPS) : GENESIS_TIME
    if (random.chance(0.5)) this.lib = Math.max(this.lib, num - random.integer(0, 12))
    const id = num.toString(16).padStart(8, '0') + random.hex(28)
    const prevId = parent?.id ?? '00'.repeat(32)
    const ledger: LedgerRow[] = [
      {
        table: 'blocks',
        row: { chain: this.chain, blockNum: num, blockId: id, prevId, blockTime: time, producer: 'producer1' },
      },
    ]
    const state = new Map<string, StateRow>()
    const candles: TouchedCandle[] = []
    for (let i = random.integer(0, 5); i > 0; i--) this.trade(num, time, ledger, candles)
    for (let i = random.integer(0, 4); i > 0; i--) this.change(state)
    return {
      num,
      id,
      prevId,
      time,
      producer: 'producer1',
      lib: this.lib,
      head: num,
      ledger,
      state: [...state.values()],
      candles,
    }
  }

  private trade(num: number, time: number, ledger: LedgerRow[], candles: TouchedCandle[]): void {
    const { random } = this
    const globalSeq = this.globalSeq++
    const at = { chain: this.chain, blockNum: num, blockTime: time, globalSeq, trxId: random.hex(32) }
    const minute = time - (time % 60_000)
    const marketId = random.bigint(3n)
    if (random.chance(0.6)) {
      const amountA = random.bigint(1n << 62n) - (1n << 61n)
      const row = {
        poolId: marketId,
        sender: 'alice',
        recipient: 'a.b.c',
        amountA,
        amountB: -amountA,
        decimalsA: 8,
        decimalsB: 0,
      }
      const price = {
        sqrtPriceX64: random.bigint(MAX_U128),
        liquidity: random.bigint(MAX_U64),
        tick: random.integer(-443636, 443636),
      }
      ledger.push({ table: 'swaps', row: { ...at, ...row, ...price, reserveA: 1n, reserveB: 2n } })
      candles.push({ kind: 'amm', id: marketId, minute })
    } else {
      const row = {
        marketId,
        type: 'buymatch',
        bidder: 'bob',
        asker: 'carol',
        amountBase: random.bigint(1n << 40n),
        amountTarget: 7n,
      }
      ledger.push({
        table: 'deals',
        row: { ...at, ...row, decimalsBase: 4, decimalsTarget: 8, unitPrice: random.bigint(MAX_U128) },
      })
      candles.push({ kind: 'spot', id: marketId, minute })
    }
  }

  private change(state: Map<string, StateRow>): void {
    const { random } = this
    const present = random.chance(0.7)
    const key = {
      chain: this.chain,
      contract: 'token',
      symbol: random.pick(['A', 'B']),
      account: random.pick(['x', 'y', 'z']),
    }
    const row = present ? { ...key, decimals: 4, amount: random.bigint(1n << 60n) } : key
    state.set(JSON.stringify(key), { table: 'balances', row, present })
  }
}

function maxSeq(max: bigint, { row }: LedgerRow): bigint {
  const seq = (row as { globalSeq?: bigint }).globalSeq ?? 0n
  return seq > max ? seq : max
}
