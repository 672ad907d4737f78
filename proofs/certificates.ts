// Verifies each certificate once and remembers the newest verdicts: pairings take tens of milliseconds, hashing a proof
// does not. A server verifies in a thread of its own (`threaded-verifier.ts`) and goes on answering meanwhile.

import { LRUCache } from '../core/cache.ts'
import { type CertifiedBlock, submitRootArguments } from './build.ts'
import type { Verifier } from './certified-block.ts'
import { rootProblem } from './check.ts'

const REMEMBERED = 10_000

/** @param check  verifies one certificate; if absent, in this thread, after the events that are waiting */
export function certificateVerifier(check: Verifier = checkHere, remembered = REMEMBERED): Verifier {
  const verdicts = new LRUCache<string, Promise<boolean>>({ max: remembered })
  return (certified) => {
    const key = keyOf(certified)
    const known = verdicts.get(key)
    if (known) return known
    const verdict = check(certified)
    verdicts.set(key, verdict)
    // A check that could not be made is no verdict.
    verdict.catch(() => verdicts.delete(key))
    return verdict
  }
}

/** A certificate may be replaced by another one on the same block. */
const keyOf = ({ block, certificate }: CertifiedBlock): string =>
  [block.finalityDigest, certificate.active.signature, certificate.pending?.signature ?? new Uint8Array()]
    .map((bytes) => Buffer.from(bytes).toString('latin1'))
    .join()

async function checkHere(certified: CertifiedBlock): Promise<boolean> {
  await new Promise<void>((resolve) => setImmediate(resolve))
  return rootProblem(submitRootArguments(certified), certified.active.policy) === null
}
