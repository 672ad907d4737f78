// The gateway for an Antelope chain, with the published interface (abis/gateway.antelope.abi.json). It is set up with
// one finalizer policy (`follow`). Certificates add later policies and roots of the finality tree. It credits a deposit
// that is proved under such a root; any account may push the proof. Outcomes of withdrawals need a proof of the same
// form; that action exists only on the devnet.

import { type CompiledAbi, compileAbi } from '../../../core/antelope/abi/compile.ts'
import type { AbiDefinition } from '../../../core/antelope/abi/definition.ts'
import { Reader } from '../../../core/antelope/reader.ts'
import type { Actions as SourceActions } from '../../../core/contracts/bridge-wax-devnet.ts'
import type { Actions, Tables } from '../../../core/contracts/gateway-antelope-devnet.ts'
import {
  type FinalizerPolicy,
  packFinalizerPolicy,
  readFinalizerPolicy,
} from '../../../core/finality/finalizer-policy.ts'
import {
  type CertifiedRoot,
  checkAction,
  checkCertifiedRoot,
  handedOver,
  type SavannaProof,
} from '../../../core/finality/light-client.ts'
import type { ApplyContext } from '../../chain/contract.ts'
import { abiFile } from '../abi-file.ts'
import { membersOf } from '../actions.ts'
import { partyBytes } from './domains.ts'
import { type Arrival, GatewayContract } from './gateway.ts'

/** Members of `deplog` and `paylog` on the other chain. */
export type DepositLog = SourceActions['deplog']
export type PaymentLog = SourceActions['paylog']
/** A root that the gateway trusts, with the last block under it. */
export type RootRow = Tables['roots']
/** A trusted finalizer policy, packed. */
export type PolicyRow = Tables['policies']

/** The bridge's account on the other chain. */
const SOURCE = 'bridge.svc'

let source: CompiledAbi | undefined
let own: CompiledAbi | undefined

/** ABI of the bridge on the other chain. */
export function sourceAbi(): CompiledAbi {
  source ??= compileAbi(abiFile('bridge.svc.wax.devnet'))
  return source
}

function ownAbi(): CompiledAbi {
  own ??= compileAbi(abiFile('gateway.antelope.devnet'))
  return own
}

/** A proof in the form of `credit` and `settle`. */
export function packProof(proof: SavannaProof): Uint8Array {
  return ownAbi().encode('deposit_proof', ['savanna_proof', proof])
}

/** Primary key of a root: its first eight bytes. */
export function rootKey(root: string): bigint {
  return BigInt(`0x${root.slice(0, 16)}`)
}

export class AntelopeGateway extends GatewayContract {
  override readonly abi: AbiDefinition = abiFile('gateway.antelope.devnet')

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

  /** No proof can show that a withdrawal was not paid: the relayer reports it, after the deadline. */
  protected override checkOutcome(context: ApplyContext, id: bigint, released: boolean, proof: Uint8Array): void {
    if (released)
      context.check(this.proven<PaymentLog>(context, 'paylog', proof).id === id, 'the proof is of another payment')
    else context.check(proof.length === 0, 'there is no proof of what did not happen')
  }

  protected override other(context: ApplyContext): void {
    const { name } = context.action
    if (name === 'follow') this.follow(context, membersOf<Actions['follow']>(context.action))
    else if (name === 'submitroot') this.submit(context, membersOf<Actions['submitroot']>(context.action).root)
    else if (name === 'learn') this.learn(context, membersOf<Actions['learn']>(context.action))
    else super.other(context)
  }

  private follow(context: ApplyContext, { policy }: Actions['follow']): void {
    this.requireTrusted(context)
    context.check(context.db.rows('policies', this.account).length === 0, 'it follows a chain already')
    this.keep(context, readFinalizerPolicy(new Reader(policy)))
  }

  /** A known root is not an error: action lists begin with what the gateway may lack. */
  private submit(context: ApplyContext, root: CertifiedRoot): void {
    const { finalityMroot: finality_mroot, qcClaimBlockNum: block_num } = root.finality
    if (this.isTrusted(context, finality_mroot)) return
    checkCertifiedRoot(root, (generation) => this.policy(context, generation))
    context.db.set('roots', this.account, rootKey(finality_mroot), { finality_mroot, block_num })
  }

  private learn(context: ApplyContext, { root, handoff }: Actions['learn']): void {
    if (this.policy(context, handoff.lastPendingGeneration)) return
    this.submit(context, root)
    this.keep(
      context,
      handedOver(handoff, (trusted) => this.isTrusted(context, trusted)),
    )
  }

  private proven<T>(context: ApplyContext, name: string, packed: Uint8Array): T {
    const [kind, proof] = ownAbi().decode('deposit_proof', packed) as [string, SavannaProof]
    context.check(kind === 'savanna_proof', 'it follows a chain under Savanna')
    checkAction(proof, { account: SOURCE, name }, (root) => this.isTrusted(context, root))
    return sourceAbi().decodeAction(name, proof.data)
  }

  private isTrusted(context: ApplyContext, root: string): boolean {
    return context.db.get<RootRow>('roots', this.account, rootKey(root))?.finality_mroot === root
  }

  private policy(context: ApplyContext, generation: number): FinalizerPolicy | undefined {
    const row = context.db.get<PolicyRow>('policies', this.account, BigInt(generation))
    return row && readFinalizerPolicy(new Reader(row.policy))
  }

  private keep(context: ApplyContext, policy: FinalizerPolicy): void {
    const generation = BigInt(policy.generation)
    context.db.set('policies', this.account, generation, { generation, policy: packFinalizerPolicy(policy) })
  }
}
