// Finds the block whose strong certificate makes another block final, with its policies and its signatures verified.

import { BugError, DecodeError } from '../core/errors.ts'
import type { ProofSource } from '../core/finality/proof-source.ts'
import { isStrong } from '../core/finality/quorum-certificate.ts'
import { findPolicy, type PendingSince } from '../core/finality/track.ts'
import type { CertifiedBlock } from './build.ts'

/** Returns whether a certificate is valid; see `certificates.ts`. */
export type Verifier = (certified: CertifiedBlock) => Promise<boolean>

export interface Certifying {
  source: Pick<ProofSource, 'certified' | 'policies'>
  verify: Verifier
  /** Name of the chain, for error messages. */
  chain?: string
}

/**
 * Certificates to try before a proof is refused. No block id covers a certificate, so a node can send a wrong one; the
 * next block's certificate proves the same. Each check takes tens of milliseconds, so the limit bounds the cost of a
 * request.
 */
const MAX_CERTIFICATES = 4

/**
 * @param claim       block that the certificate must make final
 * @param generation  minimum generation of its active policy
 * @returns null while no strong certificate covers `claim`
 * @throws DecodeError CERTIFICATE_INVALID when none of the tried certificates verifies
 * @throws BugError POLICY_NOT_STORED
 */
export async function certifiedBlock(
  { source, verify, chain }: Certifying,
  claim: number,
  generation: number,
): Promise<CertifiedBlock | null> {
  let refused: number | null = null
  for (let skip = 0; skip < MAX_CERTIFICATES; skip++) {
    const found = await source.certified(claim, generation, skip)
    if (!found) break
    const { verified, ...rest } = found
    const policies = await source.policies()
    const { activeGeneration, lastPendingGeneration } = found.block.data
    const active = knownPolicy(policies, activeGeneration)
    const pending = lastPendingGeneration === activeGeneration ? null : knownPolicy(policies, lastPendingGeneration)
    const certified = { ...rest, active, pending }
    if (isStrong(found.certificate) && (verified || (await verify(certified)))) return certified
    refused ??= found.block.blockNum
  }
  if (refused === null) return null
  throw new DecodeError('CERTIFICATE_INVALID', `the certificate on block ${refused} does not verify`, {
    hint: 'the node has sent wrong data: take another one',
    place: { chain, block: refused },
  })
}

/** @throws BugError POLICY_NOT_STORED */
export function knownPolicy(policies: readonly PendingSince[], generation: number): PendingSince {
  const found = findPolicy(policies, generation)
  if (found) return found
  throw new BugError('POLICY_NOT_STORED', `finalizer policy ${generation} is not known`, {
    hint: 'a start in the middle of a chain needs the policies that are active and pending there',
  })
}
