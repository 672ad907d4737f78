// Schemas of the token endpoints.
import { Type } from 'typebox'

const Text = (description: string) => Type.String({ description })
const Num = (description: string) => Type.Number({ description })

export const TokenParams = Type.Object({ tokenId: Type.String({ description: 'Token id: `<symbol>-<contract>`.' }) })

export const Token = Type.Object({
  id: Text('`<symbol>-<contract>`, lower case.'),
  contract: Text('Token contract.'),
  symbol: Text('Token symbol.'),
  decimals: Num('Precision.'),
  system_price: Num('Price in the chain’s system token; 0 without one.'),
  usd_price: Num('Price in USD; 0 without one.'),
  score: Num('0 to 100.'),
  is_scam: Type.Boolean({ description: 'On the scam lists: its prices are 0.' }),
  is_trusted: Type.Boolean({ description: 'The system token, a stablecoin, on the trusted list, or of a high score.' }),
  safe_system_price: Num('system_price when trusted, else 0.'),
  safe_usd_price: Num('usd_price when trusted, else 0.'),
  cmc_id: Type.Optional(Num('Aggregator id, for tokens that the aggregator lists.')),
})
