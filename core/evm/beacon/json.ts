// Light-client objects from the JSON of a beacon node's REST API: integers as decimal text, bytes as 0x and hex digits.
import { DecodeError } from '../../errors.ts'
import { toHex } from '../../hex.ts'
import { fromPrefixedHex } from '../bytes.ts'
import { integerChunk } from './ssz.ts'
import type { BeaconHeader, ExecutionHeader, LightClientUpdate, LightHeader, SyncCommittee } from './update.ts'

type Json = Readonly<Record<string, unknown>>

/** An update of a period, or a finality update. @throws DecodeError BEACON_JSON, INVALID_HEX */
export function updateFromJson(json: unknown): LightClientUpdate {
  const update = object(json, 'update')
  const next = update.next_sync_committee
  const aggregate = object(update.sync_aggregate, 'sync_aggregate')
  return {
    attested_header: lightHeaderFromJson(update.attested_header),
    next_sync_committee: next === undefined || next === null ? null : committeeFromJson(next),
    next_sync_committee_branch: next === undefined || next === null ? [] : roots(update, 'next_sync_committee_branch'),
    finalized_header: lightHeaderFromJson(update.finalized_header),
    finality_branch: roots(update, 'finality_branch'),
    sync_aggregate: {
      sync_committee_bits: bytes(aggregate, 'sync_committee_bits'),
      sync_committee_signature: bytes(aggregate, 'sync_committee_signature', 96),
    },
    signature_slot: integer(update, 'signature_slot'),
  }
}

/** @throws as `updateFromJson` */
export function committeeFromJson(json: unknown): SyncCommittee {
  const committee = object(json, 'sync committee')
  const keys = list(committee, 'pubkeys').map((key) => fromPrefixedHex(key as string, 48))
  return { pubkeys: Buffer.concat(keys), aggregate_pubkey: bytes(committee, 'aggregate_pubkey', 48) }
}

/** @throws as `updateFromJson` */
export function lightHeaderFromJson(json: unknown): LightHeader {
  const header = object(json, 'light client header')
  return {
    beacon: beaconHeader(object(header.beacon, 'beacon')),
    execution: executionHeader(object(header.execution, 'execution')),
    execution_branch: roots(header, 'execution_branch'),
  }
}

/** Roots in a member: 64 hex digits each. @throws as `updateFromJson` */
export function roots(json: Json, name: string): string[] {
  return list(json, name).map((item) => toHex(fromPrefixedHex(item as string, 32)))
}

function beaconHeader(json: Json): BeaconHeader {
  return {
    slot: integer(json, 'slot'),
    proposer_index: integer(json, 'proposer_index'),
    parent_root: root(json, 'parent_root'),
    state_root: root(json, 'state_root'),
    body_root: root(json, 'body_root'),
  }
}

function executionHeader(json: Json): ExecutionHeader {
  const optional = (name: string) => (json[name] === undefined ? null : integer(json, name))
  return {
    parent_hash: root(json, 'parent_hash'),
    fee_recipient: bytes(json, 'fee_recipient', 20),
    state_root: root(json, 'state_root'),
    receipts_root: root(json, 'receipts_root'),
    logs_bloom: bytes(json, 'logs_bloom', 256),
    prev_randao: root(json, 'prev_randao'),
    block_number: integer(json, 'block_number'),
    gas_limit: integer(json, 'gas_limit'),
    gas_used: integer(json, 'gas_used'),
    timestamp: integer(json, 'timestamp'),
    extra_data: bytes(json, 'extra_data'),
    base_fee_per_gas: toHex(integerChunk(integer(json, 'base_fee_per_gas', 256))),
    block_hash: root(json, 'block_hash'),
    transactions_root: root(json, 'transactions_root'),
    withdrawals_root: root(json, 'withdrawals_root'),
    blob_gas_used: optional('blob_gas_used'),
    excess_blob_gas: optional('excess_blob_gas'),
  }
}

function object(json: unknown, what: string): Json {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw invalid(`${what} is no object`)
  return json as Json
}

function list(json: Json, name: string): readonly unknown[] {
  const value = json[name]
  if (!Array.isArray(value)) throw invalid(`${name} is no list`)
  return value
}

function integer(json: Json, name: string, bits = 64): bigint {
  const value = json[name]
  if (typeof value !== 'string' || !/^\d{1,78}$/.test(value)) throw invalid(`${name} is no decimal text`)
  const number = BigInt(value)
  if (number >> BigInt(bits) !== 0n) throw invalid(`${name} is above ${bits} bits`)
  return number
}

function bytes(json: Json, name: string, length?: number): Uint8Array {
  return fromPrefixedHex(json[name] as string, length)
}

function root(json: Json, name: string): string {
  return toHex(bytes(json, name, 32))
}

function invalid(what: string): DecodeError {
  return new DecodeError('BEACON_JSON', `an answer of the beacon node cannot be read: ${what}`)
}
