// Simulates a gateway for a Savanna chain: takes a proof's actions in their published form, recomputes each hash and
// verifies certificates. Shares no code with the builder.

import { HeadwaterError } from '../../../core/errors.ts'
import type { FinalizerPolicy } from '../../../core/finality/finalizer-policy.ts'
import {
  type CertifiedRoot,
  checkAction,
  checkCertifiedRoot,
  type Handoff,
  handedOver,
  type SavannaProof,
} from '../../../core/finality/light-client.ts'
import { fromHex, toHex } from '../../../core/hex.ts'
import { gatewayAbi } from '../abi.ts'
import type { DepositAction } from '../json.ts'

/** What the gateway trusts before the first action. */
export interface PolicyTrust {
  /** 64 hex digits each. */
  roots: string[]
  policies: FinalizerPolicy[]
}

export interface ExpectedLog {
  gateway: string
  /** Account that locks deposits. */
  bridge: string
  nonce: bigint
  /** Packed `deplog`. */
  data: Uint8Array
}

/** The first problem of a list of actions; null when all are valid. */
export function savannaDepositProblem(
  actions: readonly DepositAction[],
  trust: PolicyTrust,
  expected: ExpectedLog,
): string | null {
  const gateway = new Gateway(trust)
  let isCredited = false
  try {
    for (const { account, name, data } of actions) {
      if (account !== expected.gateway) return `an action of ${account}`
      if (isCredited) return 'an action after the credit'
      const members = gatewayAbi('antelope').decodeAction(name, fromHex(data))
      if (name === 'submitroot') gateway.submit(members.root as CertifiedRoot)
      else if (name === 'learn') {
        gateway.submit(members.root as CertifiedRoot)
        gateway.learn(members.handoff as Handoff)
      } else {
        if (members.nonce !== expected.nonce) return 'another nonce'
        const [kind, proof] = gatewayAbi('antelope').decode('deposit_proof', members.proof as Uint8Array) as [
          string,
          SavannaProof,
        ]
        if (kind !== 'savanna_proof') return 'a proof of another kind'
        if (toHex(proof.data) !== toHex(expected.data)) return 'another deposit'
        gateway.credit(proof, expected.bridge)
        isCredited = true
      }
    }
  } catch (error) {
    if (error instanceof HeadwaterError) return error.message
    throw error
  }
  return isCredited ? null : 'nothing is credited'
}

class Gateway {
  readonly #roots: Set<string>
  readonly #policies: Map<number, FinalizerPolicy>
  readonly #isTrusted = (root: string) => this.#roots.has(root)

  constructor({ roots, policies }: PolicyTrust) {
    this.#roots = new Set(roots)
    this.#policies = new Map(policies.map((policy) => [policy.generation, policy]))
  }

  submit(root: CertifiedRoot): void {
    checkCertifiedRoot(root, (generation) => this.#policies.get(generation))
    this.#roots.add(root.finality.finalityMroot)
  }

  learn(handoff: Handoff): void {
    const policy = handedOver(handoff, this.#isTrusted)
    this.#policies.set(policy.generation, policy)
  }

  credit(proof: SavannaProof, bridge: string): void {
    checkAction(proof, { account: bridge, name: 'deplog' }, this.#isTrusted)
  }
}
