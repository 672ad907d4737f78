// Updates of a beacon light client, as in the gateway's action `update` (abis/gateway.evm.abi.json), and the roots of
// their parts. Source: consensus-specs, specs/altair to electra, light-client/sync-protocol.md. Members have the spec's
// names; roots are 64 hex digits.
import { DecodeError } from '../../errors.ts'
import { fromHex, toHex } from '../../hex.ts'
import { sha256 } from '../../sha256.ts'
import { byteListRoot, bytesRoot, chunksRoot, climbBranch, integerChunk } from './ssz.ts'

export interface BeaconHeader {
  slot: bigint
  proposer_index: bigint
  parent_root: string
  state_root: string
  body_root: string
}

/** Header of a block of the execution chain as the beacon chain hashes it. */
export interface ExecutionHeader {
  parent_hash: string
  /** 20 bytes. */
  fee_recipient: Uint8Array
  state_root: string
  receipts_root: string
  /** 256 bytes. */
  logs_bloom: Uint8Array
  prev_randao: string
  block_number: bigint
  gas_limit: bigint
  gas_used: bigint
  timestamp: bigint
  /** At most 32 bytes. */
  extra_data: Uint8Array
  /** 32 bytes, little-endian, hex digits. */
  base_fee_per_gas: string
  block_hash: string
  transactions_root: string
  withdrawals_root: string
  /** Null before Deneb, as is the next member. */
  blob_gas_used: bigint | null
  excess_blob_gas: bigint | null
}

export interface LightHeader {
  beacon: BeaconHeader
  execution: ExecutionHeader
  /** Merkle branch of the execution header's root to `beacon.body_root`. */
  execution_branch: string[]
}

export interface SyncCommittee {
  /** 48 bytes per key, compressed, concatenated. */
  pubkeys: Uint8Array
  /** Sum of the keys: 48 bytes. */
  aggregate_pubkey: Uint8Array
}

export interface SyncAggregate {
  /** Key i is bit i & 7 of byte i >> 3. */
  sync_committee_bits: Uint8Array
  /** 96 bytes, compressed. */
  sync_committee_signature: Uint8Array
}

export interface LightClientUpdate {
  attested_header: LightHeader
  /** Null in a finality update, with an empty branch. */
  next_sync_committee: SyncCommittee | null
  next_sync_committee_branch: string[]
  finalized_header: LightHeader
  finality_branch: string[]
  sync_aggregate: SyncAggregate
  /** Slot of the block that contains the signature. */
  signature_slot: bigint
}

const KEY = 48
const EXECUTION_INDEX = 25
const EXTRA_DATA = 32

/** `hash_tree_root` of a header: the block's root. */
export function beaconRoot({ slot, proposer_index, parent_root, state_root, body_root }: BeaconHeader): Uint8Array {
  const roots = [parent_root, state_root, body_root].map(fromHex)
  return chunksRoot([integerChunk(slot), integerChunk(proposer_index), ...roots])
}

/** `hash_tree_root` of an execution header, in Capella's layout or, with blob members, Deneb's. */
export function executionRoot(header: ExecutionHeader): Uint8Array {
  const { blob_gas_used, excess_blob_gas } = header
  const blobs = blob_gas_used === null || excess_blob_gas === null ? [] : [blob_gas_used, excess_blob_gas]
  return chunksRoot([
    fromHex(header.parent_hash),
    bytesRoot(header.fee_recipient),
    fromHex(header.state_root),
    fromHex(header.receipts_root),
    bytesRoot(header.logs_bloom),
    fromHex(header.prev_randao),
    integerChunk(header.block_number),
    integerChunk(header.gas_limit),
    integerChunk(header.gas_used),
    integerChunk(header.timestamp),
    byteListRoot(header.extra_data, EXTRA_DATA),
    fromHex(header.base_fee_per_gas),
    fromHex(header.block_hash),
    fromHex(header.transactions_root),
    fromHex(header.withdrawals_root),
    ...blobs.map(integerChunk),
  ])
}

/** Whether the execution header belongs to the beacon block. */
export function executionHolds({ beacon, execution, execution_branch }: LightHeader): boolean {
  return branchHolds(executionRoot(execution), execution_branch, EXECUTION_INDEX, beacon.body_root)
}

/** `hash_tree_root` of a committee. @throws DecodeError SYNC_COMMITTEE for a wrong number of keys */
export function committeeRoot({ pubkeys, aggregate_pubkey }: SyncCommittee, size: number): Uint8Array {
  if (pubkeys.length !== size * KEY || aggregate_pubkey.length !== KEY)
    throw new DecodeError('SYNC_COMMITTEE', `a sync committee of ${pubkeys.length / KEY} keys, not of ${size}`)
  return sha256(chunksRoot(keysOf(pubkeys).map(bytesRoot)), bytesRoot(aggregate_pubkey))
}

/** The keys of a committee, 48 bytes each. */
export function keysOf(pubkeys: Uint8Array): Uint8Array[] {
  return Array.from({ length: pubkeys.length / KEY }, (_, i) => pubkeys.subarray(i * KEY, (i + 1) * KEY))
}

/** Whether a node is at an index of the tree with this root. */
export function branchHolds(node: Uint8Array, branch: readonly string[], index: number, root: string): boolean {
  const found = climbBranch(node, branch.map(fromHex), index)
  return found !== null && toHex(found) === root
}
