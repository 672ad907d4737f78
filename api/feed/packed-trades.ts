// Trades of one market packed into a string of bytes, newest first. Objects of thousands of markets would cost the
// garbage collector time in every cycle, and buffers outside of the heap would trigger it.
import type { SpotTrade } from '../kit/trades/spot-trades.ts'

/** A trade of a pool or an order book, in the form that both share. */
export type Trade = Omit<SpotTrade, 'marketId'>

/** Bytes of a trade: global sequence, time, price, volumes, side, transaction. */
const TRADE = 73
const [TIME, PRICE, BASE, TARGET, SIDE, TRANSACTION] = [8, 16, 24, 32, 40, 41]

export class PackedTrades {
  /** One character for each byte. */
  private readonly text: string

  private constructor(bytes: Buffer) {
    this.text = bytes.toString('latin1')
  }

  /** @param trades  newest first; transaction ids have 32 bytes */
  static of(trades: readonly Trade[]): PackedTrades {
    const bytes = Buffer.alloc(trades.length * TRADE)
    for (const [i, trade] of trades.entries()) {
      const at = i * TRADE
      bytes.writeBigUInt64LE(BigInt(trade.id), at)
      bytes.writeDoubleLE(trade.time, at + TIME)
      bytes.writeDoubleLE(trade.price, at + PRICE)
      bytes.writeDoubleLE(trade.baseVolume, at + BASE)
      bytes.writeDoubleLE(trade.targetVolume, at + TARGET)
      bytes.writeUInt8(trade.side === 'buy' ? 1 : 0, at + SIDE)
      bytes.write(trade.trxId, at + TRANSACTION, 'hex')
    }
    return new PackedTrades(bytes)
  }

  get length(): number {
    return this.text.length / TRADE
  }

  /** Size in bytes. */
  get size(): number {
    return this.text.length
  }

  /** These trades after newer ones. @param most  limit of trades; the oldest are dropped */
  after(newer: PackedTrades, most: number): PackedTrades {
    const older = this.text.slice(0, Math.max(0, most - newer.length) * TRADE)
    return new PackedTrades(Buffer.from(newer.text + older, 'latin1'))
  }

  read(): TradeReader {
    return new TradeReader(Buffer.from(this.text, 'latin1'))
  }
}

/** Reads trades by index; the newest is at 0. */
class TradeReader {
  private readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  get length(): number {
    return this.bytes.length / TRADE
  }

  at(place: number): Trade {
    const { bytes } = this
    const at = place * TRADE
    return {
      id: bytes.readBigUInt64LE(at).toString(),
      side: bytes.readUInt8(at + SIDE) === 1 ? 'buy' : 'sell',
      price: bytes.readDoubleLE(at + PRICE),
      baseVolume: bytes.readDoubleLE(at + BASE),
      targetVolume: bytes.readDoubleLE(at + TARGET),
      time: this.timeAt(place),
      trxId: bytes.toString('hex', at + TRANSACTION, at + TRADE),
    }
  }

  /** Unix milliseconds. */
  timeAt(place: number): number {
    return this.bytes.readDoubleLE(place * TRADE + TIME)
  }

  isOf(place: number, side: Trade['side']): boolean {
    return this.bytes.readUInt8(place * TRADE + SIDE) === (side === 'buy' ? 1 : 0)
  }
}
