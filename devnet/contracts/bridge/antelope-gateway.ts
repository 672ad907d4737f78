// The gateway for an Antelope chain. A proof leads from an action of that chain's bridge to a root of its finality tree.
// Roots are the relayer's word: checking the finalizers' signature of one takes longer than making an hour of blocks.
import { type CompiledAbi, compileAbi } from '../../../core/antelope/abi/compile.ts'
import type { Asset } from '../../../core/antelope/asset.ts'
import type { ApplyContext } from '../../chain/contract.ts'
import { abiFile } from '../abi-file.ts'
import { partyBytes } from './domains.ts'
import { holds, type Proven } from './evidence.ts'
import { type Arrival, GatewayContract, gatewayAbi } from './gateway.ts'

/** Members of `deplog` on the other chain. */
export interface DepositLog {
  nonce: bigint
  bridge: string
  token_contract: string
  token_symbol: { precision: number; code: string }
  from: string
  raw: bigint
  canonical: bigint
  beneficiary: string
  memo: string
}

/** Members of `paylog` on the other chain. */
export interface PaymentLog {
  id: bigint
  recipient: string
  quantity: Asset
}

export interface RootRow {
  finality_mroot: string
  block_num: number
}

/** Account of the bridge on the other chain. */
const SOURCE = 'bridge.svc'

let compiled: CompiledAbi | undefined

/** The ABI of the bridge on the other chain. */
export function sourceAbi(): CompiledAbi {
  compiled ??= compileAbi(abiFile('bridge.svc.wax.devnet'))
  return compiled
}

export function packProven(proven: Proven): Uint8Array {
  return gatewayAbi().encode('proven', proven)
}

/** Primary key of a root: its first eight bytes. */
export function rootKey(root: string): bigint {
  return BigInt(`0x${root.slice(0, 16)}`)
}

export class AntelopeGateway extends GatewayContract {
  protected override arrival(context: ApplyContext, nonce: bigint, proof: Uint8Array): Arrival {
    const log = this.proven<DepositLog>(context, 'deplog', proof)
    context.check(log.nonce === nonce, 'the proof is of another deposit')
    return {
      receiver: log.beneficiary,
      token: partyBytes(this.domain, log.token_contract),
      sym_code: log.token_symbol.code,
      canonical: log.canonical,
      refund_to: partyBytes(this.domain, log.from),
      memo: new TextEncoder().encode(log.memo),
    }
  }

  /** Nothing shows that a withdrawal was not paid: the relayer says so, after the deadline. */
  protected override checkOutcome(context: ApplyContext, id: bigint, released: boolean, proof: Uint8Array): void {
    if (released)
      context.check(this.proven<PaymentLog>(context, 'paylog', proof).id === id, 'the proof is of another payment')
    else context.check(proof.length === 0, 'there is no proof of what did not happen')
  }

  protected override other(context: ApplyContext): void {
    const { name, data } = context.action
    context.check(name === 'submitroot', `unknown action ${name}`)
    const { block_num, finality_mroot } = data as unknown as RootRow
    context.db.set('roots', this.account, rootKey(finality_mroot), { finality_mroot, block_num })
  }

  private proven<T>(context: ApplyContext, name: string, proof: Uint8Array): T {
    const proven = gatewayAbi().decode('proven', proof) as Proven
    const root = context.db.get<RootRow>('roots', this.account, rootKey(proven.finalityMroot))
    context.check(root?.finality_mroot === proven.finalityMroot, 'the root is not trusted')
    const authorization = [{ actor: SOURCE, permission: 'active' }]
    context.check(holds(proven, { account: SOURCE, name, authorization }), 'the proof does not hold')
    return sourceAbi().decodeAction(name, proven.data) as T
  }
}
