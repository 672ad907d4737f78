// The `meta` member of the analytics' answers.
import { Type } from 'typebox'
import type { ChainContext } from '../chain-context.ts'
import { marketOf } from '../kit/parameters.ts'
import { WINDOWS, type WindowName } from './chart.ts'

export const Meta = Type.Object({
  chain: Type.String({ description: 'Chain.' }),
  ts: Type.Number({ description: 'Time of the server, Unix milliseconds.' }),
  window: Type.String({ description: 'Window in force.' }),
  baseToken: Type.String({ description: 'System token.' }),
  usdToken: Type.Union([Type.String(), Type.Null()], { description: 'Token worth one USD.' }),
})

export const Window = Type.Optional(
  Type.String({ description: '24h, 7d, 30d (the default, also for anything else), 90d or all.' }),
)

export const Sort = (names: string) => Type.Optional(Type.String({ description: `${names}.` }))
export const Search = (description: string) => Type.Optional(Type.String({ description }))
export const Include = Type.Optional(
  Type.String({ description: 'Further blocks, separated by commas: `incentives`, `tx`.' }),
)

/** The window of a request; the default for an unknown name. */
export function windowOf(text: string | undefined): WindowName {
  return text !== undefined && Object.hasOwn(WINDOWS, text) ? (text as WindowName) : '30d'
}

export function metaOf(context: ChainContext, window: WindowName) {
  const { prices } = marketOf(context)
  return {
    chain: context.chain,
    ts: Date.now(),
    window,
    baseToken: prices.systemToken.id,
    usdToken: context.config.usdToken ?? null,
  }
}
