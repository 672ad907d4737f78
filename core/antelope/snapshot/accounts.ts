// ABIs in a snapshot: rows of `account_object`, which are name (u64), creation date (u32) and packed ABI.
import { readU32 } from '../raw.ts'
import { damaged } from './layout.ts'
import type { Section } from './sections.ts'
import type { StreamReader } from './stream-reader.ts'

/** An account with an ABI. */
export interface AccountAbi {
  /** 32-bit halves of the name, unsigned. */
  low: number
  high: number
  /** Packed; a view that is valid until the next one. */
  abi: Uint8Array
}

/** Accounts that have an ABI. Yields null after each MiB without one. @throws DecodeError SNAPSHOT_DAMAGED, SNAPSHOT_TORN */
export function* accountAbis(reader: StreamReader, section: Section): Generator<AccountAbi | null> {
  const end = section.offset + section.size
  const account: AccountAbi = { low: 0, high: 0, abi: new Uint8Array() }
  let paused = reader.offset
  for (let left = section.rows; left > 0; left--) {
    reader.need(12)
    account.low = readU32(reader.data, reader.pos)
    account.high = readU32(reader.data, reader.pos + 4)
    reader.skip(12)
    const abi = reader.lengthBytes()
    if (abi.length > 0) {
      account.abi = abi
      yield account
    } else if (reader.offset - paused > PAUSE_BYTES) {
      paused = reader.offset
      yield null
    }
  }
  if (reader.offset !== end) throw damaged('the accounts end before their section', reader.offset)
}

const PAUSE_BYTES = 1 << 20
