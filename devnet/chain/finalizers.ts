// Finalizers of a devnet: seeded keys, policies, and quorum certificates that verify.
// Certificates are signed when they are first read, because signing takes longer than making the block.

import { aggregateSignatures, blsPublicKey, blsSecret, blsSign, sumSecrets } from '../../core/antelope/bls.ts'
import type { Finalizer, FinalizerPolicy } from '../../core/finality/finalizer-policy.ts'
import { packQuorumCertificate, type QuorumSignature, weakMessage } from '../../core/finality/quorum-certificate.ts'
import { toHex } from '../../core/hex.ts'
import { itemAt, required } from '../../core/required.ts'
import { sha256 } from '../../core/sha256.ts'

interface Key {
  finalizer: Finalizer
  secret: bigint
}

/** Content of a certificate that is not signed yet. */
export interface Certificate {
  blockNum: number
  finalityDigest: Uint8Array
  active: FinalizerPolicy
  pending: FinalizerPolicy | null
  strong: boolean
}

/** Short secret keys are insecure but sign in nine tenths of the time. */
const SECRET_BYTES = 3

type Vote = 'strong' | 'weak' | 'absent'

export class Finalizers {
  private readonly seed: string
  private readonly keys: Key[] = []
  private readonly secrets = new Map<string, bigint>()

  constructor(seed: string) {
    this.seed = seed
  }

  private key(index: number): Key {
    while (this.keys.length <= index) {
      const next = this.keys.length
      const secret = blsSecret(sha256(Buffer.from(`${this.seed}/finalizer/${next}`)).subarray(0, SECRET_BYTES))
      const publicKey = blsPublicKey(secret)
      this.secrets.set(toHex(publicKey), secret)
      this.keys.push({ secret, finalizer: { description: `finalizer ${next}`, weight: 1n, publicKey } })
    }
    return itemAt(this.keys, index)
  }

  /** A policy of the seeded finalizers with these indexes; the quorum is one more than two thirds. */
  policy(generation: number, indexes: readonly number[]): FinalizerPolicy {
    const finalizers = indexes.map((index) => this.key(index).finalizer)
    return { generation, threshold: BigInt(Math.floor((finalizers.length * 2) / 3) + 1), finalizers }
  }

  /** Data of block extension 3. The block's number determines which finalizer is absent. */
  sign({ blockNum, finalityDigest, active, pending, strong }: Certificate): Uint8Array {
    const votes = castVotes(blockNum, [active, ...(pending ? [pending] : [])], strong)
    const part = (policy: FinalizerPolicy) => this.signPart(policy, finalityDigest, votes)
    return packQuorumCertificate({ blockNum, active: part(active), pending: pending && part(pending) })
  }

  private secretOf(publicKey: Uint8Array): bigint {
    return required(this.secrets.get(toHex(publicKey)), 'secret of the finalizer')
  }

  private signPart({ finalizers }: FinalizerPolicy, digest: Uint8Array, votes: Map<string, Vote>): QuorumSignature {
    const flags = (kind: Vote) => finalizers.map(({ publicKey }) => votes.get(toHex(publicKey)) === kind)
    const cast = (kind: Vote, message: Uint8Array) => {
      const voted = flags(kind)
      const secrets = finalizers.filter((_, i) => voted[i]).map(({ publicKey }) => this.secretOf(publicKey))
      return secrets.length > 0 ? { voted, signature: blsSign(message, sumSecrets(secrets)) } : null
    }
    const strong = cast('strong', digest)
    const weak = cast('weak', weakMessage(digest))
    const signatures = [strong, weak].flatMap((votes) => (votes ? [votes.signature] : []))
    const [first] = signatures
    return {
      strong: strong?.voted ?? null,
      weak: weak?.voted ?? null,
      signature: first && signatures.length === 1 ? first : aggregateSignatures(signatures),
    }
  }
}

/** One finalizer is absent if the quorum is reached without it; a weak certificate has one weak vote per policy. */
function castVotes(blockNum: number, policies: readonly FinalizerPolicy[], strong: boolean): Map<string, Vote> {
  const votes = new Map<string, Vote>()
  for (const { finalizers } of policies) for (const { publicKey } of finalizers) votes.set(toHex(publicKey), 'strong')
  const [{ finalizers }] = policies as [FinalizerPolicy]
  const absent = itemAt(finalizers, blockNum % finalizers.length)
  const spare = policies.every(
    (policy) => policy.finalizers.reduce((sum, { weight }) => sum + weight, -absent.weight) >= policy.threshold,
  )
  if (spare) votes.set(toHex(absent.publicKey), 'absent')
  if (strong) return votes
  for (const policy of policies) {
    const present = policy.finalizers
      .map(({ publicKey }) => toHex(publicKey))
      .filter((key) => votes.get(key) !== 'absent')
    if (!present.some((key) => votes.get(key) === 'weak')) votes.set(itemAt(present, 0), 'weak')
  }
  return votes
}
