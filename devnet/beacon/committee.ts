// Sync committees of a simulated beacon chain. Their keys are derived from a seed.
import { packBits } from '../../core/bits.ts'
import { LRUCache } from '../../core/cache.ts'
import type { SyncAggregate, SyncCommittee } from '../../core/evm/beacon/update.ts'
import { validatorKey, validatorSign } from '../../core/evm/bls.ts'
import { toHex } from '../../core/hex.ts'
import { sha256 } from '../../core/sha256.ts'

/** Order of the BLS12-381 group. */
const ORDER = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n

/** Signatures that a committee caches. */
const MAX_SIGNATURES = 1000

export class CommitteeKeys {
  readonly committee: SyncCommittee
  readonly #secrets: readonly bigint[]
  /** Signatures by message and absent members. Clients request the same updates again and again. */
  readonly #signatures = new LRUCache<string, Uint8Array>({ max: MAX_SIGNATURES })

  constructor(seed: string, period: number, size: number) {
    this.#secrets = Array.from({ length: size }, (_, i) => secretOf(`${seed} ${period} ${i}`))
    const keys = this.#secrets.map(validatorKey)
    this.committee = { pubkeys: Buffer.concat(keys), aggregate_pubkey: validatorKey(sum(this.#secrets)) }
  }

  /** @param absent  indexes of members that do not sign */
  sign(message: Uint8Array, absent: readonly number[]): SyncAggregate {
    const bits = packBits(this.#secrets.map((_, i) => !absent.includes(i)))
    const key = `${toHex(message)} ${absent}`
    const signature =
      this.#signatures.get(key) ?? validatorSign(message, sum(this.#secrets.filter((_, i) => !absent.includes(i))))
    this.#signatures.set(key, signature)
    return { sync_committee_bits: bits, sync_committee_signature: signature.slice() }
  }
}

/** Derives a secret key from a name, for development chains. */
export function secretOf(name: string): bigint {
  return (BigInt(`0x${toHex(sha256(new TextEncoder().encode(name)))}`) % (ORDER - 1n)) + 1n
}

/** Secret whose signature is the aggregate of all. */
export function sum(secrets: readonly bigint[]): bigint {
  return secrets.reduce((total, secret) => (total + secret) % ORDER, 0n)
}
