// Gateways of the devnet's ledger, one per domain. A gateway credits each deposit of its chain once, from any
// account that pushes the proof, and reports outcomes of withdrawals to the ledger. Subclasses define proofs
// (evm-gateway.ts, antelope-gateway.ts). Facts without a proof are accepted from one trusted account only.

import type { AbiDefinition } from '../../../core/antelope/abi/definition.ts'
import type { Actions } from '../../../core/contracts/gateway-evm-devnet.ts'
import { DecodeError } from '../../../core/errors.ts'
import type { ApplyContext, Contract } from '../../chain/contract.ts'
import { call, membersOf, requireAuthority } from '../actions.ts'

/** A deposit as reported to the ledger. */
export interface Arrival {
  /** The token's address or account on the other chain. */
  token: Uint8Array
  sym_code: string
  canonical: bigint
  refund_to: Uint8Array
  memo: Uint8Array
  receiver: string
}

export interface GatewayOptions {
  account: string
  domain: bigint
  /** The account that is trusted where nothing can be proved. */
  relayer: string
  /** Account of the ledger. */
  bridge?: string
}

export abstract class GatewayContract implements Contract {
  readonly account: string
  abstract readonly abi: AbiDefinition
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
    const { account, name } = context.action
    if (account !== this.account) return
    requireAuthority(context, membersOf<Actions['credit']>(context.action).relayer)
    try {
      if (name === 'credit') this.credit(context, membersOf<Actions['credit']>(context.action))
      else if (name === 'settle') this.settle(context, membersOf<Actions['settle']>(context.action))
      else this.other(context)
    } catch (error) {
      // A proof that cannot be parsed or is not valid refuses the transaction.
      if (error instanceof DecodeError) context.check(false, error.message)
      throw error
    }
  }

  private credit(context: ApplyContext, { nonce, proof }: Actions['credit']): void {
    context.check(context.db.get('credited', this.account, nonce) === undefined, 'deposit is credited already')
    context.db.set('credited', this.account, nonce, { nonce })
    const arrival = this.arrival(context, nonce, proof)
    context.inline(call(this.bridge, 'credit', this.account, { domain: this.domain, nonce, ...arrival }))
  }

  private settle(context: ApplyContext, { id, released, proof }: Actions['settle']): void {
    this.requireTrusted(context)
    this.checkOutcome(context, id, released, proof)
    context.inline(call(this.bridge, 'settle', this.account, { id, released }))
  }

  /** Refuses any account but the trusted one. */
  protected requireTrusted(context: ApplyContext): void {
    context.check((context.action.data as { relayer: string }).relayer === this.relayer, 'unknown relayer')
  }

  /** The deposit that a proof shows. */
  protected abstract arrival(context: ApplyContext, nonce: bigint, proof: Uint8Array): Arrival

  /** Refuses the transaction unless the proof shows the outcome of the withdrawal. */
  protected abstract checkOutcome(context: ApplyContext, id: bigint, released: boolean, proof: Uint8Array): void

  /** Additional actions of a subclass; refuses unknown ones. */
  protected other(context: ApplyContext): void {
    context.check(false, `unknown action ${context.action.name}`)
  }
}
