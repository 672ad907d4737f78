// The settings in force: the chain, its reference tokens, and the defaults of the API.
import { Type } from 'typebox'
import type { Api } from '../http/typed.ts'
import { LIMITS } from '../kit/limits.ts'

const Meta = Type.Object(
  {
    chain: Type.String({ description: 'Chain name.' }),
    block: Type.Union([Type.Number(), Type.Null()], { description: 'Last block reflected; null before the first.' }),
    blockTime: Type.Union([Type.String(), Type.Null()], { description: 'Its time, ISO 8601.' }),
    systemToken: Type.String({ description: 'Token that prices are counted in.' }),
    usdToken: Type.Union([Type.String(), Type.Null()], { description: 'Token worth one US dollar.' }),
    thresholds: Type.Object(
      {
        liquidityUsd: Type.Number({ description: 'USD that a pool must hold on its priced side to price a token.' }),
        liquiditySystem: Type.Number({ description: 'The same in system tokens, while those have no USD price.' }),
        trustedScore: Type.Number({ description: 'Minimum score of a token that is trusted for its score.' }),
      },
      { description: 'What prices and trust depend on.' },
    ),
    limits: Type.Record(Type.String(), Type.Number(), { description: 'Defaults and bounds of parameters.' }),
  },
  { description: 'Defaults and thresholds in force.' },
)

export function metaRoutes(api: Api): void {
  api.get(
    '/api/v3/meta',
    {
      config: { withoutMarket: true },
      schema: { tags: ['About'], summary: 'Defaults and thresholds in force', response: { 200: Meta } },
    },
    ({ chain: { chain, config, market } }) => {
      const at = market.state?.at
      const { symbol, contract } = config.systemToken
      return {
        chain,
        block: at?.block ?? null,
        blockTime: at === undefined ? null : new Date(at.time).toISOString(),
        systemToken: `${symbol.toLowerCase()}-${contract}`,
        usdToken: config.usdToken ?? null,
        thresholds: {
          liquidityUsd: config.liquidityThreshold.usd,
          liquiditySystem: config.liquidityThreshold.system,
          trustedScore: config.trust.minimumScore,
        },
        limits: LIMITS,
      }
    },
  )
}
