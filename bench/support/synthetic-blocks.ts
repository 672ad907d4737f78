// Synthetic blocks as rows: swaps and deals in several markets, with changing balances.
import type { LedgerRow, ProjectedBlock, StateRow, TouchedCandle } from '../../indexer/store/rows.ts'

const START = Date.parse('2026-01-05T00:00:00.000Z')
const POOLS = 12

export class SyntheticBlocks {
  private readonly chain: string
  private branch = 0
  private parent = '00'.repeat(32)
  private ids = new Map<number, string>()
  private sequence = 0n
  private lib = 0
  /** Number of the next block. */
  next = 2
  /** Number of ledger rows on the followed branch. */
  rows = 0

  constructor(chain: string) {
    this.chain = chain
  }

  /** Makes a block that is already irreversible, with `rows` ledger rows including its header. */
  final(rows: number): ProjectedBlock {
    this.lib = this.next
    return this.block(rows)
  }

  reversible(rows: number): ProjectedBlock {
    return this.block(rows)
  }

  /** Continues with another branch, whose first block is `num`. */
  forkTo(num: number): void {
    this.branch++
    this.next = num
    this.parent = this.ids.get(num - 1) as string
  }

  private block(rows: number): ProjectedBlock {
    const num = this.next++
    const id = num.toString(16).padStart(8, '0') + this.branch.toString(16).padStart(56, '0')
    const time = START + num * 500
    const prevId = this.parent
    this.parent = id
    this.ids.set(num, id)
    this.rows += rows
    const header = { chain: this.chain, blockNum: num, blockId: id, prevId, blockTime: time, producer: 'producer1' }
    const ledger: LedgerRow[] = [{ table: 'blocks', row: header }]
    const state: StateRow[] = []
    const candles: TouchedCandle[] = []
    for (let i = 1; i < rows; i++) this.trade(num, time, i, ledger, state, candles)
    return { num, id, prevId, time, producer: 'producer1', lib: this.lib, head: num, ledger, state, candles }
  }

  private trade(
    num: number,
    time: number,
    i: number,
    ledger: LedgerRow[],
    state: StateRow[],
    candles: TouchedCandle[],
  ) {
    const globalSeq = ++this.sequence
    const at = {
      chain: this.chain,
      blockNum: num,
      blockTime: time,
      globalSeq,
      trxId: globalSeq.toString(16).padStart(64, '0'),
    }
    const poolId = globalSeq % BigInt(POOLS)
    const price = 18446744073709551616n + globalSeq * 1_000_003n
    const amounts = {
      amountA: 1_000n + globalSeq,
      amountB: -2_000n,
      reserveA: 5n,
      reserveB: 6n,
      decimalsA: 8,
      decimalsB: 6,
    }
    const pool = { sqrtPriceX64: price, liquidity: 123_456_789_012n, tick: Number(globalSeq % 1000n) }
    ledger.push({
      table: 'swaps',
      at,
      row: { poolId, sender: `trader${i}`, recipient: `trader${i}`, ...amounts, ...pool },
    })
    candles.push({ kind: 'amm', id: poolId, minute: time - (time % 60_000) })
    const account = `acc${globalSeq % 500n}`
    const balance = { contract: 'token.svc', symbol: 'TOK', account, decimals: 4, amount: globalSeq }
    state.push({ table: 'balances', row: balance, present: true })
  }
}
