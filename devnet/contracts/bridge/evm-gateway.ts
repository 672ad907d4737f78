// The gateway for an EVM chain. At first it accepts the relayer's reports, because checking signatures takes longer
// than making an hour of history. After `follow` it accepts only proofs: two thirds of a sync committee have signed a
// final block, headers link the deposit's block to it, and a receipt of the deposit's block contains the vault's event.
// Some devnets never call `follow`.

import { type CompiledAbi, compileAbi } from '../../../core/antelope/abi/compile.ts'
import type { AbiDefinition } from '../../../core/antelope/abi/definition.ts'
import { nameToString } from '../../../core/antelope/name.ts'
import { BeaconChain } from '../../../core/evm/beacon/chain.ts'
import { type BeaconNetwork, periodOf } from '../../../core/evm/beacon/network.ts'
import type { LightClientUpdate, SyncCommittee } from '../../../core/evm/beacon/update.ts'
import { provenDeposit, type ReceiptProof, trustedHeaders } from '../../../core/evm/deposit-proof.ts'
import { toHex } from '../../../core/hex.ts'
import { itemAt } from '../../../core/required.ts'
import type { ApplyContext } from '../../chain/contract.ts'
import { abiFile } from '../abi-file.ts'
import { type Arrival, GatewayContract } from './gateway.ts'
import type { RouteRow } from './rows.ts'

/** Position of a log on an EVM chain. */
export interface EvmLog {
  block_number: bigint
  /** Hex digits. */
  tx_hash: string
  log_index: number
}

/** A vault's `Deposit` event as reported by the relayer: struct `relayed` of abis/gateway.evm.devnet.abi.json. */
export interface RelayedDeposit extends EvmLog {
  from: Uint8Array
  telosTo: string
  token: Uint8Array
  sym_code: string
  canonical: bigint
  refund_to: Uint8Array
  memo: Uint8Array
}

/** Members of the action `follow`: the trusted initial values. */
export interface Following {
  network: BeaconNetwork
  /** Period of the sync committee. */
  period: number
  committee: SyncCommittee
}

interface CommitteeRow {
  period: bigint
  committee: SyncCommittee
}

let compiled: CompiledAbi | undefined

export function evmGatewayAbi(): CompiledAbi {
  compiled ??= compileAbi(abiFile('gateway.evm.devnet'))
  return compiled
}

/** Bytes that replace the proof of a deposit while the relayer is trusted. */
export function packRelayed(deposit: RelayedDeposit): Uint8Array {
  return evmGatewayAbi().encode('relayed', deposit)
}

/** Bytes that replace the proof of a vault's or withdrawals contract's log of a withdrawal. */
export function packOutcome(log: EvmLog): Uint8Array {
  return evmGatewayAbi().encode('outcome', log)
}

/** Primary key of a block: the first eight bytes of its hash. @param hash 64 hex digits */
function blockKey(hash: string): bigint {
  return BigInt(`0x${hash.slice(0, 16)}`)
}

export class EvmGateway extends GatewayContract {
  override readonly abi: AbiDefinition = abiFile('gateway.evm.devnet')

  protected override arrival(context: ApplyContext, nonce: bigint, proof: Uint8Array): Arrival {
    if (!this.network(context)) return this.reported(context, proof)
    const routes = context
      .table(this.bridge)
      .rows<RouteRow>('routes', this.bridge)
      .filter(({ domain }) => domain === this.domain)
    context.check(routes.length > 0, 'no such route')
    const shown = evmGatewayAbi().decode('receipt_proof', proof) as ReceiptProof
    const deposit = provenDeposit(shown, itemAt(routes, 0).vault, (hash) => this.isTrusted(context, toHex(hash)))
    context.check(deposit.nonce === nonce, 'the proof is of another deposit')
    const route = routes.find(({ token }) => Buffer.compare(token, deposit.token) === 0)
    context.check(route !== undefined, 'no such route')
    return {
      receiver: nameToString(deposit.telosTo),
      token: deposit.token,
      sym_code: route.wrapped.sym.code,
      canonical: deposit.canonical,
      refund_to: deposit.refundTo,
      memo: deposit.memo,
    }
  }

  /** A deposit that the relayer reports. */
  private reported(context: ApplyContext, proof: Uint8Array): Arrival {
    this.requireTrusted(context)
    const { telosTo: receiver, ...deposit } = evmGatewayAbi().decode('relayed', proof) as RelayedDeposit
    const { token, sym_code, canonical, refund_to, memo } = deposit
    return { receiver, token, sym_code, canonical, refund_to, memo }
  }

  /** An outcome that the relayer reports. */
  protected override checkOutcome(_context: ApplyContext, _id: bigint, _released: boolean, proof: Uint8Array): void {
    evmGatewayAbi().decode('outcome', proof)
  }

  protected override other(context: ApplyContext): void {
    const { name, data } = context.action
    if (name === 'follow') this.follow(context, data as unknown as Following)
    else if (name === 'update') this.update(context, (data as { update: LightClientUpdate }).update)
    else if (name === 'extend') this.extend(context, (data as { headers: Uint8Array[] }).headers)
    else super.other(context)
  }

  private follow(context: ApplyContext, { network, period, committee }: Following): void {
    this.requireTrusted(context)
    context.check(!this.network(context), 'it follows a chain already')
    context.db.set('network', this.account, 0n, network)
    this.keep(context, period, committee)
  }

  /** Makes a block trusted, and the next committee known if the update contains one. */
  private update(context: ApplyContext, update: LightClientUpdate): void {
    const network = this.network(context)
    context.check(network !== null, 'it follows no chain')
    const rows = context.db.rows<CommitteeRow>('committees', this.account)
    const chain = new BeaconChain(
      network,
      rows.map(({ period, committee }) => [Number(period), committee]),
    )
    this.trust(context, chain.update(update))
    if (!update.next_sync_committee) return
    this.keep(context, periodOf(network, update.signature_slot) + 1, update.next_sync_committee)
  }

  /** Makes the parent of the first header trusted. The headers must lead to a trusted block. */
  private extend(context: ApplyContext, headers: Uint8Array[]): void {
    const first = itemAt(
      trustedHeaders(headers, (hash) => this.isTrusted(context, toHex(hash))),
      0,
    )
    this.trust(context, toHex(first.parentHash))
  }

  private network(context: ApplyContext): BeaconNetwork | null {
    return context.db.get<BeaconNetwork>('network', this.account, 0n) ?? null
  }

  private keep(context: ApplyContext, period: number, committee: SyncCommittee): void {
    context.db.set('committees', this.account, BigInt(period), { period: BigInt(period), committee })
  }

  private trust(context: ApplyContext, hash: string): void {
    context.db.set('trusted', this.account, blockKey(hash), { hash })
  }

  private isTrusted(context: ApplyContext, hash: string): boolean {
    return context.db.get<{ hash: string }>('trusted', this.account, blockKey(hash))?.hash === hash
  }
}
