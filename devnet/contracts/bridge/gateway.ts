// Gateways of the devnet's ledger, one a domain: they credit deposits of their chain, each once, and tell the ledger
// what became of its withdrawals there. This one takes a trusted relayer's report of the vault's event (the struct `relayed`
// of abis/gateway.devnet.abi.json) for a proof; others extend it (evm-gateway.ts, antelope-gateway.ts).
import { type CompiledAbi, compileAbi } from '../../../core/antelope/abi/compile.ts'
import type { AbiDefinition } from '../../../core/antelope/abi/definition.ts'
import type { ApplyContext, Contract } from '../../chain/contract.ts'
import { abiFile } from '../abi-file.ts'
import { call, requireAuthority } from '../actions.ts'

/** Where a log stands on an EVM chain. */
export interface EvmLog {
  block_number: bigint
  /** Hex digits. */
  tx_hash: string
  log_index: number
}

/** A `Deposit` event of a vault. */
export interface RelayedDeposit extends EvmLog {
  from: Uint8Array
  telosTo: string
  token: Uint8Array
  sym_code: string
  canonical: bigint
  refund_to: Uint8Array
  memo: Uint8Array
}

/** What the ledger is told of a deposit. */
export type Arrival = Pick<RelayedDeposit, 'token' | 'sym_code' | 'canonical' | 'refund_to' | 'memo'> & {
  receiver: string
}

interface CreditCall {
  relayer: string
  nonce: bigint
  proof: Uint8Array
}

interface SettleCall {
  relayer: string
  id: bigint
  released: boolean
  proof: Uint8Array
}

let compiled: CompiledAbi | undefined

export function gatewayAbi(): CompiledAbi {
  compiled ??= compileAbi(abiFile('gateway.devnet'))
  return compiled
}

/** The bytes that stand for a proof of a deposit. */
export function packRelayed(deposit: RelayedDeposit): Uint8Array {
  return gatewayAbi().encode('relayed', deposit)
}

/** The bytes that stand for a proof of what a vault or a withdrawals contract logged of a withdrawal. */
export function packOutcome(log: EvmLog): Uint8Array {
  return gatewayAbi().encode('outcome', log)
}

export interface GatewayOptions {
  account: string
  domain: bigint
  /** The one account that may bring proofs. */
  relayer: string
  /** The ledger. */
  bridge?: string
}

export class GatewayContract implements Contract {
  readonly account: string
  readonly abi: AbiDefinition = abiFile('gateway.devnet')
  protected readonly domain: bigint
  private readonly relayer: string
  protected readonly bridge: string

  constructor({ account, domain, relayer, bridge = 'bridge.svc' }: GatewayOptions) {
    this.account = account
    this.domain = domain
    this.relayer = relayer
    this.bridge = bridge
  }

  apply(context: ApplyContext): void {
    const { account, name, data } = context.action
    if (account !== this.account) return
    const { relayer } = data as { relayer: string }
    requireAuthority(context, relayer)
    context.check(relayer === this.relayer, 'unknown relayer')
    if (name === 'credit') this.credit(context, data as unknown as CreditCall)
    else if (name === 'settle') this.settle(context, data as unknown as SettleCall)
    else this.other(context)
  }

  private credit(context: ApplyContext, { nonce, proof }: CreditCall): void {
    context.check(context.db.get('credited', this.account, nonce) === undefined, 'deposit is credited already')
    context.db.set('credited', this.account, nonce, { nonce })
    const arrival = this.arrival(context, nonce, proof)
    context.inline(call(this.bridge, 'credit', this.account, { domain: this.domain, nonce, ...arrival }))
  }

  private settle(context: ApplyContext, { id, released, proof }: SettleCall): void {
    this.checkOutcome(context, id, released, proof)
    context.inline(call(this.bridge, 'settle', this.account, { id, released }))
  }

  /** The deposit that the proof shows. */
  protected arrival(_context: ApplyContext, _nonce: bigint, proof: Uint8Array): Arrival {
    const { telosTo: receiver, ...deposit } = gatewayAbi().decode('relayed', proof) as RelayedDeposit
    const { token, sym_code, canonical, refund_to, memo } = deposit
    return { receiver, token, sym_code, canonical, refund_to, memo }
  }

  /** Refuses the transaction when the proof does not show what became of the withdrawal. */
  protected checkOutcome(_context: ApplyContext, _id: bigint, _released: boolean, proof: Uint8Array): void {
    gatewayAbi().decode('outcome', proof)
  }

  /** Actions that an extending gateway adds; refuses those that are not known. */
  protected other(context: ApplyContext): void {
    context.check(false, `unknown action ${context.action.name}`)
  }
}
