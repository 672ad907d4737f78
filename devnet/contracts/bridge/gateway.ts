// Gateways of the devnet's ledger, one a domain: they credit deposits of their chain, each once, whoever brings the proof,
// and tell the ledger what became of its withdrawals there. What a proof is, the extending gateways say (evm-gateway.ts,
// antelope-gateway.ts); what none can show they take from one trusted account.
import type { AbiDefinition } from '../../../core/antelope/abi/definition.ts'
import { DecodeError } from '../../../core/errors.ts'
import type { ApplyContext, Contract } from '../../chain/contract.ts'
import { call, requireAuthority } from '../actions.ts'

/** What the ledger is told of a deposit. */
export interface Arrival {
  /** As the other chain knows it. */
  token: Uint8Array
  sym_code: string
  canonical: bigint
  refund_to: Uint8Array
  memo: Uint8Array
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

export interface GatewayOptions {
  account: string
  domain: bigint
  /** The one account that is believed where nothing can be proved. */
  relayer: string
  /** The ledger. */
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
    const { account, name, data } = context.action
    if (account !== this.account) return
    requireAuthority(context, (data as { relayer: string }).relayer)
    try {
      if (name === 'credit') this.credit(context, data as unknown as CreditCall)
      else if (name === 'settle') this.settle(context, data as unknown as SettleCall)
      else this.other(context)
    } catch (error) {
      // A proof that cannot be read or does not hold refuses the transaction.
      if (error instanceof DecodeError) context.check(false, error.message)
      throw error
    }
  }

  private credit(context: ApplyContext, { nonce, proof }: CreditCall): void {
    context.check(context.db.get('credited', this.account, nonce) === undefined, 'deposit is credited already')
    context.db.set('credited', this.account, nonce, { nonce })
    const arrival = this.arrival(context, nonce, proof)
    context.inline(call(this.bridge, 'credit', this.account, { domain: this.domain, nonce, ...arrival }))
  }

  private settle(context: ApplyContext, { id, released, proof }: SettleCall): void {
    this.requireTrusted(context)
    this.checkOutcome(context, id, released, proof)
    context.inline(call(this.bridge, 'settle', this.account, { id, released }))
  }

  /** Refuses what another account than the trusted one brings. */
  protected requireTrusted(context: ApplyContext): void {
    context.check((context.action.data as { relayer: string }).relayer === this.relayer, 'unknown relayer')
  }

  /** The deposit that the proof shows. */
  protected abstract arrival(context: ApplyContext, nonce: bigint, proof: Uint8Array): Arrival

  /** Refuses the transaction when the proof does not show what became of the withdrawal. */
  protected abstract checkOutcome(context: ApplyContext, id: bigint, released: boolean, proof: Uint8Array): void

  /** Actions that an extending gateway adds; refuses those that are not known. */
  protected other(context: ApplyContext): void {
    context.check(false, `unknown action ${context.action.name}`)
  }
}
