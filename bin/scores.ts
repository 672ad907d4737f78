// How a chain's tokens are scored, as configured.
import type { ChainConfig } from '../config/schema.ts'
import type { ScoreOptions } from '../indexer/derive/scores/refresh.ts'
import { valuation } from './valuation.ts'

export function scoreOptions(config: ChainConfig, databaseUrl: string): ScoreOptions {
  const { chain, usdToken, accounts, tokens } = config
  const exchange = [accounts.amm, accounts.spot, accounts.otc].filter((account) => account !== undefined)
  return {
    chain,
    databaseUrl,
    valuation: valuation(config),
    usdToken,
    exchange,
    tokenContracts: tokens.contracts,
  }
}
