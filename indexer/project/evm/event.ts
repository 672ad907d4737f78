// A dataset of an EVM chain: maps an event of a contract to a row. Pure functions.
import { fromPrefixedHex } from '../../../core/evm/bytes.ts'
import type { LedgerRow } from '../../store/rows.ts'

/** Contract that logs an event; the configuration has its addresses. */
export type EvmRole = 'vault' | 'withdrawals' | 'lightclient'

/** Members of an event by name: integers as bigint, addresses and bytes as 0x-prefixed hex. */
export type Members = Readonly<Record<string, unknown>>

export interface EventPlace {
  chain: string
  blockNum: number
  /** Unix milliseconds. */
  blockTime: number
  globalSeq: bigint
  /** 64 hex digits. */
  trxId: string
  logIndex: number
  /** The contract's address. */
  contract: Uint8Array
}

export interface EventProjection {
  role: EvmRole
  /** Names of the events in the contract's ABI. */
  events: readonly string[]
  /** @throws DecodeError INVALID_HEX */
  row(members: Members, name: string): { table: string; columns: object }
}

/** Bits of a global sequence for the log's index in its block. */
const LOG_BITS = 20n

export function globalSequence(blockNum: number, logIndex: number): bigint {
  return (BigInt(blockNum) << LOG_BITS) | BigInt(logIndex)
}

export function ledgerRow({ table, columns }: { table: string; columns: object }, place: EventPlace): LedgerRow {
  const { logIndex, contract, ...at } = place
  return { table, at, row: { contract, logIndex, ...columns } }
}

export function address(members: Members, name: string): Uint8Array {
  return fromPrefixedHex(members[name] as string, 20)
}

export function bytes(members: Members, name: string): Uint8Array {
  return fromPrefixedHex(members[name] as string)
}

export function integer(members: Members, name: string): bigint {
  return members[name] as bigint
}
