// Proofs of deposits for the bridge API.
import type { ProofOfDeposit } from '../api/bridge/deposit-proof.ts'
import { proofFailure } from '../api/bridge/proof-failure.ts'
import type { EvmChainConfig } from '../config/evm-schema.ts'
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
      throw proofFailure(error, `d:${key.domain}:${key.nonce}`, log)
    }
  }
}
