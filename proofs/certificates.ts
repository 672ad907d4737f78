// Verifies each certificate once and caches the newest results: pairings take tens of milliseconds, hashing a proof
// does not. A server verifies in a separate thread (`threaded-verifier.ts`) and stays free to answer.

import { LRUCache } from '../core/cache.ts'
import { packQuorumCertificate } from '../core/finality/quorum-certificate.ts'
import { nextTurn } from '../core/scheduler.ts'
import { type CertifiedBlock, submitRootArguments } from './build.ts'
import type { Verifier } from './certified-block.ts'
import { rootProblem } from './check.ts'

const MAX_VERDICTS = 10_000

/** @param check  verifies one certificate; default: in this thread, after pending events */
export function certificateVerifier(check: Verifier = checkHere, max = MAX_VERDICTS): Verifier {
  const verdicts = new LRUCache<string, Promise<boolean>>({ max })
  return (certified) => {
    const key = keyOf(certified)
    const known = verdicts.get(key)
    if (known) return known
    const verdict = check(certified)
    verdicts.set(key, verdict)
    // A check that failed to run has no result to cache.
    verdict.catch(() => verdicts.delete(key))
    return verdict
  }
}

/**
 * The whole certificate is part of the key, its votes too: a block's certificate may be replaced by another, and one with
 * the signature of a valid one may have other votes.
 */
const keyOf = ({ block, certificate }: CertifiedBlock): string =>
  [block.finalityDigest, packQuorumCertificate(certificate)]
    .map((bytes) => Buffer.from(bytes).toString('latin1'))
    .join()

async function checkHere(certified: CertifiedBlock): Promise<boolean> {
  await nextTurn()
  return rootProblem(submitRootArguments(certified), certified.active.policy) === null
}
