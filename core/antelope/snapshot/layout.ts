// Names and numbers of a node's snapshot file. Layout: magic and file version, u32 each; then sections: size of the
// rest (u64), number of rows (u64), zero-terminated name, rows. A size of all ones ends the file. The first section
// holds the snapshot's version, which decides the layout of the others.
import { DecodeError } from '../../errors.ts'

export const SNAPSHOT_MAGIC = 0x30510550
export const FILE_VERSION = 1
/** Size field that ends a file. */
export const END_OF_SECTIONS = 0xffff_ffff_ffff_ffffn
/** Bytes of a row of `table_id_object`: code, scope, table and payer (u64 each), number of rows (u32). */
export const TABLE_ID_BYTES = 36

export const SECTION = {
  header: 'eosio::chain::chain_snapshot_header',
  /** Version 2 only: the hash of this section is the chain id. */
  genesis: 'eosio::chain::genesis_state',
  block: 'eosio::chain::block_state',
  accounts: 'eosio::chain::account_object',
  properties: 'eosio::chain::global_property_object',
  /** Until version 6: tables, each with its rows and its secondary indexes. */
  contracts: 'contract_tables',
  /** From version 8: tables, whose rows are in `rows`. */
  tables: 'eosio::chain::table_id_object',
  rows: 'eosio::chain::key_value_object',
} as const

/** Spring 1.0.1 and later. The earlier ones are of EOSIO 1.8 to Leap 5. */
const SPLIT_VERSION = 8
const OLDEST = 2
const NEWEST_COMBINED = 6

/** Whether a separate section has the rows. @throws DecodeError SNAPSHOT_VERSION */
export function hasSplitTables(version: number): boolean {
  if (version === SPLIT_VERSION) return true
  if (version >= OLDEST && version <= NEWEST_COMBINED) return false
  throw new DecodeError('SNAPSHOT_VERSION', `the snapshot has version ${version}`, {
    hint: 'take one of a node of Spring 1.0.1 or later (version 8), Leap (6) or EOSIO 1.8 to 2 (2 to 5), or a newer Headwater',
  })
}

/** Sections that a start needs. @throws DecodeError SNAPSHOT_VERSION */
export function neededSections(version: number): string[] {
  const { header, genesis, block, accounts, properties, contracts, tables, rows } = SECTION
  const always = [header, block, accounts, version === OLDEST ? genesis : properties]
  return hasSplitTables(version) ? [...always, tables, rows] : [...always, contracts]
}

export function damaged(what: string, offset: number): DecodeError {
  return new DecodeError('SNAPSHOT_DAMAGED', `${what}, at byte ${offset}`, {
    hint: 'compare its checksum with that of the publisher, and copy or download it again',
    place: { offset },
  })
}
