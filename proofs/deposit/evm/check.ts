// Simulates a gateway for an EVM chain: takes a proof's actions in their published form and checks all of them,
// starting from what the real gateway is known to trust. Shares no code with the builder.

import { DecodeError } from '../../../core/errors.ts'
import type { BeaconChain } from '../../../core/evm/beacon/chain.ts'
import type { LightClientUpdate } from '../../../core/evm/beacon/update.ts'
import { equalBytes, fromPrefixedHex } from '../../../core/evm/bytes.ts'
import type { DepositEvent } from '../../../core/evm/deposit-event.ts'
import { provenDeposit, type ReceiptProof, trustedHeaders } from '../../../core/evm/deposit-proof.ts'
import type { ValidatorSets } from '../../../core/evm/vote-finality.ts'
import { toHex } from '../../../core/hex.ts'
import { required } from '../../../core/required.ts'
import { gatewayAbi } from '../abi.ts'
import type { DepositAction } from '../json.ts'

/** What the gateway trusts before the first action. */
export interface GatewayTrust {
  /** Hashes of blocks, hex digits. */
  blocks: Iterable<string>
  /** Null when the gateway follows no beacon chain. */
  beacon: BeaconChain | null
  /** Null when the gateway counts no votes. */
  validators: ValidatorSets | null
}

/** What the last action must credit. */
export interface ExpectedDeposit {
  gateway: string
  /** 20 bytes. */
  vault: Uint8Array
  nonce: bigint
  token: Uint8Array
  canonical: bigint
  /** The 64-bit value of the name. */
  telosTo: bigint
  memo: Uint8Array
}

/** The first problem of a list of actions; null when all are valid. */
export function evmDepositProblem(
  actions: readonly DepositAction[],
  trust: GatewayTrust,
  expected: ExpectedDeposit,
): string | null {
  const trusted = new Set(trust.blocks)
  const isTrusted = (hash: Uint8Array) => trusted.has(toHex(hash))
  let credited: DepositEvent | null = null
  try {
    for (const { account, name, data } of actions) {
      if (account !== expected.gateway) return `an action of ${account}`
      if (credited !== null) return 'an action after the credit'
      const members = gatewayAbi('evm').decodeAction(name, fromPrefixedHex(`0x${data}`))
      if (name === 'update') {
        if (trust.beacon === null) return 'an update of a chain that has none'
        trusted.add(trust.beacon.update(members.update as LightClientUpdate))
      } else if (name === 'attest') {
        if (trust.validators === null) return 'votes of a chain that has none'
        for (const { hash } of trust.validators.attest(members.headers as Uint8Array[])) trusted.add(toHex(hash))
      } else if (name === 'extend') {
        const [first] = trustedHeaders(members.headers as Uint8Array[], isTrusted)
        trusted.add(toHex(required(first, 'first header').parentHash))
      } else {
        if (members.nonce !== expected.nonce) return 'another nonce'
        const proof = gatewayAbi('evm').decode('receipt_proof', members.proof as Uint8Array) as ReceiptProof
        credited = provenDeposit(proof, expected.vault, isTrusted)
      }
    }
  } catch (error) {
    if (error instanceof DecodeError) return error.message
    throw error
  }
  return credited === null ? 'nothing is credited' : differenceOf(credited, expected)
}

function differenceOf(event: DepositEvent, expected: ExpectedDeposit): string | null {
  if (event.nonce !== expected.nonce) return 'the event has another nonce'
  if (event.canonical !== expected.canonical) return 'the event has another amount'
  if (event.telosTo !== expected.telosTo) return 'the event has another receiver'
  if (!equalBytes(event.token, expected.token)) return 'the event has another token'
  return equalBytes(event.memo, expected.memo) ? null : 'the event has another memo'
}
