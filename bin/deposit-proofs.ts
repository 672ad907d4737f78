// Deposit proofs for the bridge API.
import type { ProofOfDeposit } from '../api/bridge/deposit-proof.ts'
import { proofFailure } from '../api/bridge/proof-failure.ts'
import type { EvmChainConfig } from '../config/evm-schema.ts'
import { evmDepositSources } from '../proofs/deposit/configured.ts'
import { DepositProver } from '../proofs/deposit/prove.ts'
import type { Log } from './cli/log.ts'

/** Timeout of a request that waits for nodes, ms: meanwhile it holds a database connection. */
const WAIT_MS = 3000

/** @param isDevelopment  whether each beacon node names its own network */
export function depositProofs(evm: readonly EvmChainConfig[], log: Log, isDevelopment = false): ProofOfDeposit {
  const prover = new DepositProver({ evm: evmDepositSources(evm, isDevelopment), waitMs: WAIT_MS })
  return async ({ database, context }, key, relayer) => {
    try {
      return await prover.proofOfDeposit(database, context.ledger, key, relayer)
    } catch (error) {
      throw proofFailure(error, `d:${key.domain}:${key.nonce}`, log)
    }
  }
}
