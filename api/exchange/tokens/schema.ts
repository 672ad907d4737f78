// What the endpoints of tokens take and answer.
import { Type } from 'typebox'

export const TokenParams = Type.Object({ tokenId: Type.String({ description: 'Token id: `<symbol>-<contract>`.' }) })

export const Token = Type.Object({
  id: Type.String({ description: '`<symbol>-<contract>`, lower case.' }),
  contract: Type.String({ description: 'Token contract.' }),
  symbol: Type.String({ description: 'Token symbol.' }),
  decimals: Type.Number({ description: 'Precision.' }),
  system_price: Type.Number({ description: 'Price in the chain’s system token; 0 without one.' }),
  usd_price: Type.Number({ description: 'Price in USD; 0 without one.' }),
  score: Type.Number({ description: '0 to 100.' }),
  is_scam: Type.Boolean({ description: 'On the scam lists: its prices are 0.' }),
  is_trusted: Type.Boolean({ description: 'The system token, a stablecoin, on the trusted list, or of a high score.' }),
  safe_system_price: Type.Number({ description: 'system_price when trusted, else 0.' }),
  safe_usd_price: Type.Number({ description: 'usd_price when trusted, else 0.' }),
  cmc_id: Type.Optional(Type.Number({ description: 'Aggregator id, for tokens that the aggregator lists.' })),
})

export const TokenScore = Type.Object({
  score: Type.Number({ description: 'Total, 0 to 100. The only member of a token without a score.' }),
})
