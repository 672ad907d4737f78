// A gateway of the devnet: it credits deposits of one domain that a trusted relayer reports. The report takes the
// place of a proof: the packed struct `relayed` of abis/gateway.devnet.abi.json.
import { type CompiledAbi, compileAbi } from '../../../core/antelope/abi/compile.ts'
import type { AbiDefinition } from '../../../core/antelope/abi/definition.ts'
import type { ApplyContext, Contract } from '../../chain/contract.ts'
import { abiFile } from '../abi-file.ts'
import { call, requireAuthority } from '../actions.ts'

export interface RelayedDeposit {
  telosTo: string
  token: Uint8Array
  sym_code: string
  canonical: bigint
  refund_to: Uint8Array
  memo: Uint8Array
}

let compiled: CompiledAbi | undefined

function relayedAbi(): CompiledAbi {
  compiled ??= compileAbi(abiFile('gateway.devnet'))
  return compiled
}

/** The bytes that stand for a proof. */
export function packRelayed(deposit: RelayedDeposit): Uint8Array {
  return relayedAbi().encode('relayed', deposit)
}

export class GatewayContract implements Contract {
  readonly account: string
  readonly abi: AbiDefinition = abiFile('gateway.devnet')
  private readonly domain: bigint
  private readonly relayer: string
  private readonly bridge: string

  constructor(account: string, domain: bigint, relayer: string, bridge = 'bridge.svc') {
    this.account = account
    this.domain = domain
    this.relayer = relayer
    this.bridge = bridge
  }

  apply(context: ApplyContext): void {
    const { account, name, data } = context.action
    if (account !== this.account || name !== 'credit') return
    const { relayer, nonce, proof } = data as { relayer: string; nonce: bigint; proof: Uint8Array }
    requireAuthority(context, relayer)
    context.check(relayer === this.relayer, 'unknown relayer')
    const { telosTo, ...deposit } = relayedAbi().decode('relayed', proof) as RelayedDeposit
    const { domain } = this
    context.inline(call(this.bridge, 'credit', this.account, { domain, nonce, receiver: telosTo, ...deposit }))
  }
}
