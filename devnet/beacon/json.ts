// JSON of a beacon node's REST API, and execution headers from an execution node's JSON-RPC.

import type { BeaconNetwork } from '../../core/evm/beacon/network.ts'
import { integerChunk } from '../../core/evm/beacon/ssz.ts'
import {
  type ExecutionHeader,
  keysOf,
  type LightClientUpdate,
  type LightHeader,
  type SyncCommittee,
} from '../../core/evm/beacon/update.ts'
import { fromPrefixedHex, quantity, toPrefixedHex } from '../../core/evm/bytes.ts'
import type { JsonHeader } from '../../core/evm/header.ts'
import { fromHex, toHex } from '../../core/hex.ts'
import { itemAt } from '../../core/required.ts'

const hash = (text: string | null | undefined): string =>
  toHex(text === null || text === undefined ? new Uint8Array(32) : fromPrefixedHex(text, 32))

/** Execution header from a block's JSON. */
export function executionHeader(json: JsonHeader): ExecutionHeader {
  return {
    parent_hash: hash(json.parentHash),
    fee_recipient: fromPrefixedHex(json.miner, 20),
    state_root: hash(json.stateRoot),
    receipts_root: hash(json.receiptsRoot),
    logs_bloom: fromPrefixedHex(json.logsBloom, 256),
    prev_randao: hash(json.mixHash),
    block_number: quantity(json.number),
    gas_limit: quantity(json.gasLimit),
    gas_used: quantity(json.gasUsed),
    timestamp: quantity(json.timestamp),
    extra_data: fromPrefixedHex(json.extraData),
    base_fee_per_gas: toHex(integerChunk(quantity(json.baseFeePerGas ?? '0x0'))),
    block_hash: hash(json.hash),
    transactions_root: hash(json.transactionsRoot),
    withdrawals_root: hash(json.withdrawalsRoot),
    blob_gas_used: quantity(json.blobGasUsed ?? '0x0'),
    excess_blob_gas: quantity(json.excessBlobGas ?? '0x0'),
  }
}

export function committeeJson({ pubkeys, aggregate_pubkey }: SyncCommittee): object {
  return { pubkeys: keysOf(pubkeys).map(toPrefixedHex), aggregate_pubkey: toPrefixedHex(aggregate_pubkey) }
}

export function lightHeaderJson({ beacon, execution, execution_branch }: LightHeader): object {
  const base_fee_per_gas = fromHex(execution.base_fee_per_gas).reduceRight(
    (sum, byte) => (sum << 8n) | BigInt(byte),
    0n,
  )
  return {
    beacon: textMembers({ ...beacon }),
    execution: { ...textMembers({ ...execution }), base_fee_per_gas: `${base_fee_per_gas}` },
    execution_branch: execution_branch.map(prefixed),
  }
}

/** An update of a period, or of finality alone. */
export function updateJson(update: LightClientUpdate): object {
  const { next_sync_committee: next, next_sync_committee_branch, sync_aggregate } = update
  const committee = next && {
    next_sync_committee: committeeJson(next),
    next_sync_committee_branch: next_sync_committee_branch.map(prefixed),
  }
  return {
    version: 'electra',
    data: {
      attested_header: lightHeaderJson(update.attested_header),
      ...committee,
      finalized_header: lightHeaderJson(update.finalized_header),
      finality_branch: update.finality_branch.map(prefixed),
      sync_aggregate: textMembers({ ...sync_aggregate }),
      signature_slot: `${update.signature_slot}`,
    },
  }
}

/**
 * Members of `/eth/v1/beacon/genesis` and `/eth/v1/config/spec`.
 *
 * @param chainId  id of the execution chain
 */
export function networkJson(network: BeaconNetwork, chainId: number): { genesis: object; spec: object } {
  const version = prefixed(itemAt(network.forks, -1).version)
  const names = ['ALTAIR', 'BELLATRIX', 'CAPELLA', 'DENEB', 'ELECTRA']
  return {
    genesis: {
      genesis_time: `${network.genesisTime}`,
      genesis_validators_root: prefixed(network.genesisValidatorsRoot),
      genesis_fork_version: version,
    },
    spec: {
      DEPOSIT_CHAIN_ID: `${chainId}`,
      SECONDS_PER_SLOT: `${network.secondsPerSlot}`,
      SLOTS_PER_EPOCH: `${network.slotsPerEpoch}`,
      EPOCHS_PER_SYNC_COMMITTEE_PERIOD: `${network.slotsPerPeriod / network.slotsPerEpoch}`,
      SYNC_COMMITTEE_SIZE: `${network.committeeSize}`,
      ...Object.fromEntries(names.map((name) => [`${name}_FORK_EPOCH`, '0'])),
      ...Object.fromEntries(names.map((name) => [`${name}_FORK_VERSION`, version])),
      FULU_FORK_EPOCH: `${(1n << 64n) - 1n}`,
    },
  }
}

function prefixed(hex: string): string {
  return `0x${hex}`
}

/** Integers as decimal text, bytes and hashes as 0x text. */
function textMembers(members: Record<string, bigint | string | Uint8Array | null>): Record<string, string> {
  const text = (value: bigint | string | Uint8Array) =>
    typeof value === 'bigint' ? `${value}` : typeof value === 'string' ? prefixed(value) : toPrefixedHex(value)
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === null ? [] : [[name, text(value)]])),
  )
}
