// Verifies certificates, each once: pairings take tens of milliseconds, hashing a proof does not. Remembers the newest.

import { type CertifiedBlock, submitRootArguments } from './build.ts'
import { rootProblem } from './check.ts'
import type { Verifier } from './prove.ts'

const REMEMBERED = 10_000

/** @returns a verifier that lets other work run before each certificate that it has not seen */
export function certificateVerifier(remembered = REMEMBERED): Verifier {
  const verdicts = new Map<string, Promise<boolean>>()
  return (certified) => {
    const key = keyOf(certified)
    let verdict = verdicts.get(key)
    if (!verdict) {
      verdict = new Promise<void>((resolve) => setImmediate(resolve)).then(() => verifies(certified))
      verdicts.set(key, verdict)
      if (verdicts.size > remembered) verdicts.delete(verdicts.keys().next().value!)
    }
    return verdict
  }
}

/** A certificate may be replaced by another one on the same block. */
const keyOf = ({ block, certificate }: CertifiedBlock): string =>
  [block.finalityDigest, certificate.active.signature, certificate.pending?.signature ?? new Uint8Array()]
    .map((bytes) => Buffer.from(bytes).toString('latin1'))
    .join()

function verifies(certified: CertifiedBlock): boolean {
  return rootProblem(submitRootArguments(certified), certified.active.policy) === null
}
