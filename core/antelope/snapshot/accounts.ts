// ABIs in a snapshot: rows of `account_object`, which are name (u64), creation date (u32) and packed ABI.
import { readU32 } from '../raw.ts'
import { damaged } from './layout.ts'
import type { Section } from './sections.ts'
import type { StreamReader } from './stream-reader.ts'

/** An account with an ABI. */
export interface AccountAbi {
  /** Lower 32 bits of the name, unsigned. */
  low: number
  /** Upper 32 bits of the name, unsigned. */
  high: number
  /** The packed ABI: a view of the reader's buffer, valid until the next item is requested. */
  abi: Uint8Array
}

/** Bytes without an ABI after which the generator yields null. */
const PAUSE_BYTES = 1 << 20

/**
 * Accounts that have an ABI. Yields null after each MiB without an ABI, so that the caller can do other work. The yielded
 * object is reused.
 *
 * @throws DecodeError SNAPSHOT_DAMAGED, SNAPSHOT_TORN
 */
export function* accountAbis(reader: StreamReader, section: Section): Generator<AccountAbi | null> {
  const end = section.offset + section.size
  const account: AccountAbi = { low: 0, high: 0, abi: new Uint8Array() }
  let pausedAt = reader.offset
  for (let left = section.rows; left > 0; left--) {
    reader.need(12)
    account.low = readU32(reader.data, reader.pos)
    account.high = readU32(reader.data, reader.pos + 4)
    reader.skip(12)
    const abi = reader.lengthBytes()
    if (abi.length > 0) {
      account.abi = abi
      yield account
    } else if (reader.offset - pausedAt > PAUSE_BYTES) {
      pausedAt = reader.offset
      yield null
    }
  }
  if (reader.offset !== end) throw damaged('the accounts end before their section', reader.offset)
}
