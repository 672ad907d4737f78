// Proofs of deposits for the bridge API. What a node does wrong is logged with its address, which no client is told.
import type { ProofOfDeposit } from '../api/bridge/deposit-proof.ts'
import { HttpError } from '../api/http/failures.ts'
import type { EvmChainConfig } from '../config/evm-schema.ts'
import { DecodeError, type HeadwaterError, RetryableError, UserError } from '../core/errors.ts'
import { evmDepositSources } from '../proofs/deposit/configured.ts'
import { DepositProver } from '../proofs/deposit/prove.ts'
import type { Log } from './cli/log.ts'

/** A request holds a connection to the database while it waits. */
const WAIT_MS = 3000

/** @param isDevelopment  whether beacon nodes tell what network they are of */
export function depositProofs(evm: readonly EvmChainConfig[], log: Log, isDevelopment = false): ProofOfDeposit {
  const prover = new DepositProver({ evm: evmDepositSources(evm, isDevelopment), waitMs: WAIT_MS })
  return async ({ database, world }, key, relayer) => {
    try {
      return await prover.proofOfDeposit(database, world.ledger, key, relayer)
    } catch (error) {
      throw answerTo(error, `d:${key.domain}:${key.nonce}`, log)
    }
  }
}

function answerTo(error: unknown, key: string, log: Log): unknown {
  const isExpected = error instanceof UserError || error instanceof RetryableError || error instanceof DecodeError
  if (!isExpected) return error
  const { code, message, hint } = error as HeadwaterError
  log.warn(`no proof of ${key}: ${message}`, { code, hint })
  if (error instanceof UserError) return new HttpError(404, `there is no proof of ${key}: ${code}`)
  return new HttpError(503, `there is no proof of ${key} at this moment: ${code}`)
}
