// The thread that verifies certificates: hashing, weights and pairings. It has no database access.
import { parentPort } from 'node:worker_threads'
import { rootProblem } from './check.ts'
import type { VerifierAnswer, VerifierRequest } from './threaded-verifier.ts'

parentPort?.on('message', ({ id, arguments: problemArguments }: VerifierRequest) => {
  const answer: VerifierAnswer = { id, isValid: rootProblem(...problemArguments) === null }
  parentPort?.postMessage(answer)
})
